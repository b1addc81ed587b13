import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { PriceHistory } from '@openvenue/wire/price-history'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { BROKEN_READER, type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

const MINUTE = 60
const E18 = 10n ** 18n

/** An index price every 20 seconds: 1,000, then one more each time. */
const setUp = (prices: number) => {
  const scenario = funded('ETH-PERP').on('ETH-PERP').next(MINUTE)
  scenario.next(MINUTE - (scenario.seconds % MINUTE))
  const start = scenario.seconds
  for (let index = 0; index < prices; index++)
    scenario
      .index('ETH', (1000n + BigInt(index)) * E18)
      .poke()
      .next(20)
  return { scenario, start }
}

type Node = Pick<ScenarioNode, 'get'>

async function read({ get }: Node, url: string): Promise<[number, string][]> {
  const { status, body } = await get(url)
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(PriceHistory, body))
  return body.history.map(([ns, price]) => [Number(BigInt(ns) / 1_000_000_000n), price])
}

describe('GET /index-history and /mark-history', () => {
  let store: Store
  let node: ScenarioNode
  let start: number
  before(async () => {
    store = await openMemoryStore()
    const made = setUp(3 * 90)
    start = made.start
    node = await scenarioNode(made.scenario.blocks(), store)
  })
  after(async () => {
    await node.close()
    await store.close()
  })

  test('GET /index-history and /mark-history have the last price of each minute, oldest first, in nanoseconds', async () => {
    const rows = await read(node, `/index-history?asset=eth&start_time=${start}&limit=500`)
    assert.equal(rows.length, 90)
    assert.deepEqual(rows[0], [start, '1002'])
    assert.deepEqual(rows.at(-1), [start + 89 * MINUTE, '1269'])
  })

  test('GET /index-history and /mark-history have the newest 50 by default, and at most 500 on request', async () => {
    const of = async (query: string) =>
      (await read(node, `/index-history?asset=ETH${query}`)).length
    assert.deepEqual([await of(''), await of('&limit=7'), await of('&limit=9999')], [50, 7, 91])
    for (const url of ['/index-history?asset=ETH', '/mark-history?instrument_name=ETH-PERP']) {
      const { status, body } = await node.get(`${url}&limit=0`)
      const [{ field, nearest }] = (body as { details: [{ field: string; nearest: number }] })
        .details
      assert.deepEqual([status, field, nearest], [400, 'limit', 1], url)
    }
    const rows = await read(node, '/index-history?asset=ETH&limit=2')
    assert.deepEqual(rows, [
      [start + 88 * MINUTE, '1266'],
      [start + 89 * MINUTE, '1269'],
    ])
  })

  test('GET /index-history and /mark-history take resolution in seconds, as whole minutes', async () => {
    const from = `/index-history?asset=ETH&start_time=${start}&limit=500`
    const minutes = await read(node, from)
    for (const resolution of [1, 30, 60])
      assert.deepEqual(await read(node, `${from}&resolution=${resolution}`), minutes)
    const wide = await read(node, `${from}&resolution=${29 * MINUTE + 1}`)
    assert.ok(wide.length >= 3 && wide.length <= 4)
    for (const [seconds, price] of wide) {
      assert.equal(seconds % (30 * MINUTE), 0)
      const last = minutes.findLast(([at]) => at < seconds + 30 * MINUTE)
      assert.equal(price, last?.[1])
    }
  })

  test('GET /index-history and /mark-history take both bounds, inclusive, in seconds, milliseconds or nanoseconds', async () => {
    const [from, to] = [start + 10 * MINUTE, start + 12 * MINUTE]
    const rows = await read(node, `/index-history?asset=ETH&start_time=${from}&end_time=${to}`)
    assert.deepEqual(
      rows.map(([seconds]) => seconds),
      [from, from + MINUTE, to],
    )
    for (const zeros of ['000', '000000000']) {
      const url = `/index-history?asset=ETH&start_time=${from}${zeros}&end_time=${to}${zeros}`
      assert.deepEqual(await read(node, url), rows)
    }
    const turned = await node.get(`/index-history?asset=ETH&start_time=${to}&end_time=${from}`)
    assert.equal(turned.status, 400)
    assert.equal((turned.body as { error: string }).error, 'INVALID_TIME_RANGE')
  })

  test('memory and the database give the same rows, whatever is asked', async () => {
    const paths = ['/index-history?asset=ETH', '/mark-history?instrument_name=ETH-PERP']
    for (const path of paths)
      for (const resolution of [60, 300, 3600])
        for (const limit of [3, 500]) {
          const query = `&resolution=${resolution}&limit=${limit}&end_time=${start + 70 * MINUTE}`
          const deep = await read(node, `${path}${query}&start_time=1`)
          const near = await read(node, `${path}${query}&start_time=${start - 1}`)
          const since = deep.filter(([seconds]) => seconds >= start - resolution)
          assert.deepEqual(near.slice(1), since.slice(since.length - near.length + 1))
        }
  })

  test('mark prices are those that the market was marked at', async () => {
    const rows = await read(node, `/mark-history?instrument_name=ETH-PERP&start_time=${start}`)
    assert.ok(rows.length > 3)
    const [, newest] = rows.at(-1) ?? []
    const { body } = await node.get('/markets/ETH-PERP')
    const { mark_price } = body as { mark_price: string }
    assert.ok(Math.abs(Number(newest) - Number(mark_price)) <= 2, `${newest} ${mark_price}`)
  })

  test('price history is empty for an unknown asset, 404 for a market, 503 without the database', async () => {
    assert.deepEqual(await read(node, '/index-history?asset=NONE'), [])
    assert.equal((await node.get('/mark-history?instrument_name=NONE')).status, 404)
    assert.equal((await node.get('/index-history')).status, 400)
    const alone = await scenarioNode(setUp(9).scenario.blocks(), undefined, {
      reader: BROKEN_READER,
    })
    const { status, body } = await alone.get('/index-history?asset=ETH&start_time=1')
    assert.deepEqual([status, (body as { error: string }).error], [503, 'HISTORY_UNAVAILABLE'])
    assert.equal((await alone.get(`/index-history?asset=ETH&start_time=${start + 60}`)).status, 200)
    await alone.close()
  })
})

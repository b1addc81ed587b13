import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { type Scenario, scenario } from '@openvenue/core/test/scenario/scenario'
import type { Reader, Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { CurrentFunding, FundingHistory, type FundingRow } from '@openvenue/wire/funding'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { windowsAt } from '../model/snapshot-windows.ts'

const HOUR = 3600
type History = { funding_history: FundingRow[] }

/** `hours` settled hours of ETH-PERP, one block each. */
function settled(hours: number) {
  const scenario = funded('ETH-USDC', 'ETH-PERP').on('ETH-PERP')
  for (let i = 0; i < hours; i++) scenario.poke().next(HOUR)
  return scenario.poke()
}
/** A feed entry with an empty block. */
const emptyEntry = async ({ model }: ScenarioNode) => {
  const { head } = model
  assert.ok(head)
  const header = { ...head, number: head.number + 1, hash: '0x01', parentHash: head.hash }
  return { seq: model.seq + 1, kind: 'apply' as const, header, changes: [] }
}
const start = (scenario: ReturnType<typeof settled>, hours: number) =>
  scenario.seconds - (scenario.seconds % HOUR) - (hours - 1) * HOUR

describe('funding history', () => {
  const HOURS = 60
  const scenario = settled(HOURS)
  const first = start(scenario, HOURS)
  const end = (hour: number) => first + hour * HOUR
  let node: ScenarioNode
  before(async () => {
    node = await scenarioNode(scenario.blocks())
  })
  after(() => node.close())

  const rows = async (url: string) => {
    const { status, body } = await node.get(url)
    assert.equal(status, 200)
    assert.ok(Value.Check(FundingHistory, body))
    return (body as History).funding_history
  }
  const times = async (query: string) =>
    (await rows(`/funding-history/ETH-PERP?${query}`)).map(([, time]) => Number(time.slice(0, -9)))
  const hours = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => end(from + i))

  test('funding history has one row per settled hour, oldest first, with nanoseconds', async () => {
    const all = await rows('/funding-history/ETH-PERP?limit=500')
    assert.equal(all.length, HOURS)
    assert.deepEqual(all[1], ['ETH-PERP', `${end(1)}000000000`, '0.0000125', '3000'])
    assert.deepEqual(await times('limit=500'), hours(0, HOURS - 1))
  })

  test('funding history gives the newest 50 by default', async () => {
    assert.deepEqual(await times(''), hours(10, 59))
  })

  for (const [limit, count] of [
    ['1', 1],
    ['0', 1],
    ['-7', 1],
    ['55', 55],
    ['501', 60],
    ['99999999999999', 60],
  ] as const)
    test(`funding history with limit=${limit} gives ${count}`, async () => {
      assert.equal((await times(`limit=${limit}`)).length, count)
    })

  for (const [unit, zeros] of [
    ['seconds', ''],
    ['milliseconds', '000'],
    ['nanoseconds', '000000000'],
  ] as const)
    test(`funding history takes bounds in ${unit}, inclusive`, async () => {
      const range = `start_time=${end(3)}${zeros}&end_time=${end(6)}${zeros}`
      assert.deepEqual(await times(range), hours(3, 6))
    })

  test('funding history takes each bound separately, in its own unit, to the nanosecond', async () => {
    assert.deepEqual(await times(`start_time=${end(58)}`), hours(58, 59))
    assert.deepEqual(await times(`end_time=${end(1)}`), hours(0, 1))
    assert.deepEqual(await times(`start_time=${end(58)}000000001`), hours(59, 59))
    assert.deepEqual(await times(`end_time=${end(1) - 1}999999999`), hours(0, 0))
    assert.deepEqual(await times(`start_time=${end(2)}000&end_time=${end(3)}`), hours(2, 3))
  })

  test('funding history with a limit gives the newest of the range, oldest first', async () => {
    assert.deepEqual(await times(`start_time=${end(3)}&end_time=${end(9)}&limit=2`), hours(8, 9))
  })

  test('funding history is empty where the range is', async () => {
    assert.deepEqual(await times(`start_time=${end(9)}&end_time=${end(3)}`), [])
    assert.deepEqual(await times('end_time=0'), [])
  })

  test('funding history is the same in both forms', async () => {
    for (const query of [
      '',
      'limit=3',
      `end_time=${end(9)}`,
      `start_time=${end(55)}`,
      `limit=2&start_time=${end(3)}000&end_time=${end(9)}`,
    ]) {
      const one = await rows(`/funding-history?instrument_name=ETH-PERP&${query}`)
      assert.ok(one.length > 0)
      assert.deepEqual(one, await rows(`/funding-history/ETH-PERP?${query}`))
    }
  })

  for (const name of ['ETH-USDC', 'eth-perp', 'nothing'])
    test(`funding history of ${name} is empty`, async () => {
      assert.deepEqual(await rows(`/funding-history/${name}`), [])
    })

  for (const [query, error] of [
    ['?limit=x', 'INVALID_PARAMETER'],
    ['?start_time=yesterday', 'INVALID_PARAMETER'],
    ['?end_time=-1', 'INVALID_PARAMETER'],
    ['?end_time=1.5', 'INVALID_PARAMETER'],
    ['?end_time=123456789012345678901', 'INVALID_PARAMETER'],
  ] as const)
    test(`funding history refuses ${query}`, async () => {
      const { status, body } = await node.get(`/funding-history/ETH-PERP${query}`)
      assert.deepEqual([status, (body as { error: string }).error], [400, error])
    })

  test('funding history without instrument_name is refused', async () => {
    const { status, body } = await node.get('/funding-history')
    assert.deepEqual([status, (body as { error: string }).error], [400, 'MISSING_PARAMETER'])
  })
})

describe('funding history of a market listed before its first price', () => {
  const early = () =>
    scenario()
      .list('ETH-PERP')
      .next(5 * HOUR + 1_234)
      .next()
  const hourOf = (seconds: number) => seconds - (seconds % HOUR)
  async function asked<T>(chain: Scenario, url: string): Promise<T> {
    const node = await scenarioNode(chain.blocks())
    const { status, body } = await node.get(url)
    await node.close()
    assert.equal(status, 200)
    return body as T
  }

  test('funding history of a market listed before its first price has no row before the price, then one an hour, each with a mark above zero', async () => {
    const chain = early()
    const before = await asked<History>(chain, '/funding-history/ETH-PERP')
    assert.deepEqual(before.funding_history, [])
    const first = hourOf(chain.seconds) + HOUR
    chain.index('ETH', 3000n * E18).poke()
    for (let i = 0; i < 4; i++) chain.next(HOUR).poke()
    const { funding_history } = await asked<History>(chain, '/funding-history/ETH-PERP')
    assert.deepEqual(
      funding_history.map(([, time, , mark]) => [time, mark]),
      [0, 1, 2, 3].map((hour) => [`${first + hour * HOUR}000000000`, '3000']),
    )
  })

  test('funding history of a market listed before its first price has a current funding of "0", and its hour ends at the full hour', async () => {
    const chain = early()
    const next = hourOf(chain.seconds) + HOUR
    const body = await asked<CurrentFunding>(chain, '/funding/ETH-PERP')
    assert.ok(Value.Check(CurrentFunding, body))
    assert.deepEqual(
      [body.funding_rate, body.estimated_rate, body.next_funding_time],
      ['0', '0', next * 1000],
    )
  })

  test('markets and statistics have no price, rate or next hour before the first price of a market', async () => {
    const chain = early()
    const market = await asked<Record<string, unknown>>(chain, '/markets/ETH-PERP')
    assert.deepEqual([market.mark_price, market.funding_rate], [null, null])
    const url = '/statistics?instrument_name=ETH-PERP'
    const facts = await asked<Record<string, unknown>>(chain, url)
    assert.deepEqual([facts.funding_rate, facts.next_funding_rate_timestamp], [null, null])
  })
})

describe('funding history older than memory', () => {
  const HOURS = 520
  const scenario = settled(HOURS)
  const end = (hour: number) => start(scenario, HOURS) + hour * HOUR
  let store: Store
  let node: ScenarioNode
  before(async () => {
    store = await openMemoryStore()
    node = await scenarioNode(scenario.blocks(), store)
  })
  after(async () => {
    await node.close()
    await store.close()
  })
  const times = async (query: string) => {
    const { body } = await node.get(`/funding-history/ETH-PERP?${query}`)
    return (body as History).funding_history.map(([, time]) => Number(time.slice(0, -9)))
  }

  test('funding history older than memory joins the database and memory without a gap, as of the block before the wait', async () => {
    const asked: unknown[] = []
    const answer = Promise.withResolvers<void>()
    const reader: Reader = {
      ...store.reader,
      settlements: async (query) => {
        asked.push(query)
        await answer.promise
        return store.reader.settlements(query)
      },
    }
    const slow = await scenarioNode([], undefined, { reader })
    slow.model.load(await store.reader.snapshot(windowsAt(scenario.seconds)))
    const number = String(slow.model.head?.number)
    const oldest = slow.model.market('ETH-PERP')?.settlements[0]?.seconds ?? 0
    const waiting = slow.get(`/funding-history/ETH-PERP?end_time=${oldest + 2 * HOUR}&limit=5`)
    while (asked.length === 0) await new Promise(setImmediate)
    slow.model.apply(await emptyEntry(slow))
    answer.resolve()
    const { body, headers } = await waiting
    await slow.close()
    const times = (body as History).funding_history.map(([, time]) => Number(time.slice(0, -9)))
    const around = [-2, -1, 0, 1, 2].map((hour) => oldest + hour * HOUR)
    assert.deepEqual(times, around)
    assert.deepEqual((asked[0] as { limit: number }).limit, 2)
    assert.equal(headers['x-block-number'], number)
  })

  test('funding history that left the memory is read from the database, by URLs that memory answered before', async () => {
    const short = settled(30)
    const one = await scenarioNode(short.blocks(), undefined, { reader: store.reader })
    const url = `/funding-history/ETH-PERP?end_time=${end(2)}`
    const count = async () => {
      const { body, status } = await one.get(url)
      return status === 200 ? (body as History).funding_history.length : status
    }
    assert.equal(await count(), 3)
    assert.equal(one.host.responseCache.size, 1)
    const known = short.blocks().length
    for (let i = 0; i < 980; i++) short.poke().next(HOUR)
    one.applyBlocks(short.poke().blocks().slice(known))
    assert.equal(one.model.market('ETH-PERP')?.hasAllSettlements, false)
    assert.equal(one.host.responseCache.size, 0)
    assert.equal(await count(), 3)
    await one.close()
  })

  test('funding history older than memory survives a restart and comes from the database', async () => {
    assert.equal((await times('limit=500')).length, 500)
    assert.deepEqual(await times(`end_time=${end(2)}`), [end(0), end(1), end(2)])
    assert.deepEqual(await times(`end_time=${end(21)}&limit=3`), [end(19), end(20), end(21)])
  })

  test('funding history older than memory is 503 with a code while the database is unavailable; memory still answers', async () => {
    const broken = await scenarioNode(scenario.blocks())
    const live = broken.model.market('ETH-PERP')
    if (live !== undefined) live.hasAllSettlements = false
    const { status, body, headers } = await broken.get(
      `/funding-history/ETH-PERP?end_time=${end(2)}`,
    )
    const kept = await broken.get('/funding-history/ETH-PERP')
    await broken.close()
    assert.deepEqual([status, (body as { error: string }).error], [503, 'HISTORY_UNAVAILABLE'])
    assert.equal(headers['retry-after'], '1')
    assert.equal(kept.status, 200)
  })
})

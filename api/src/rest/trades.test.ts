import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { TradeHistory, type TradeHistoryItem, type TradeItem, Trades } from '@openvenue/wire/trades'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { scenarioNode } from '../../test/scenario-node.ts'

const ETH = LISTINGS['ETH-USDC']
type TradePage = { count: string; trade_history: TradeHistoryItem[] }

/** Trades of 1, 2, 3 ... lots at ETH-USDC, each in its own block; bob sells to alice. */
function traded(count: number): Scenario {
  const scenario = funded('ETH-USDC', 'ETH-PERP').on('ETH-USDC')
  for (let lots = 1n; lots <= count; lots++)
    scenario.place('alice', 'buy', 300_000, lots).place('bob', 'sell', 300_000, lots).next()
  return scenario
}

async function asked(scenario: Scenario, url: string) {
  const { get, close } = await scenarioNode(scenario.blocks())
  const answer = await get(url)
  await close()
  return answer
}
const amounts = (items: readonly { amount: string }[]) => items.map(({ amount }) => amount)

describe('GET /markets/{instrument_id}/trades', () => {
  test('GET /markets/{instrument_id}/trades is an array, newest first, in human units and Unix seconds', async () => {
    const scenario = traded(2)
    const { status, body } = await asked(scenario, '/markets/ETH-USDC/trades')
    assert.equal(status, 200)
    assert.ok(Value.Check(Trades, body))
    const items = body as TradeItem[]
    assert.deepEqual(amounts(items), ['0.0002', '0.0001'])
    const { trade_id, tx_hash, ...rest } = items[0] as TradeItem
    assert.match(trade_id, /^0{11}3-\d{6}$/)
    assert.match(tx_hash, /^0x[0-9a-f]{64}$/)
    assert.deepEqual(rest, {
      instrument_name: 'ETH-USDC',
      is_buyer_taker: false,
      side: 'sell',
      trade_type: 'trade',
      created_timestamp: scenario.seconds - 1,
      price: '3000',
      amount: '0.0002',
      fees: '0',
    })
  })

  test('GET /markets/{instrument_id}/trades gives the taker as side', async () => {
    const scenario = funded('ETH-USDC').place('bob', 'sell', 300_000, 1n)
    const { body } = await asked(
      scenario.place('alice', 'buy', 300_001, 1n),
      `/markets/${ETH.id}/trades`,
    )
    const [item] = body as TradeItem[]
    assert.deepEqual([item?.is_buyer_taker, item?.side, item?.price], [true, 'buy', '3000'])
  })

  test('GET /markets/{instrument_id}/trades sorts the trades of one block by their place in it, the last first', async () => {
    const scenario = funded('ETH-USDC')
      .place('bob', 'sell', 300_000, 1n)
      .place('bob', 'sell', 300_001, 2n)
    const { body } = await asked(
      scenario.place('alice', 'buy', 300_001, 3n),
      '/markets/ETH-USDC/trades',
    )
    assert.deepEqual(amounts(body as TradeItem[]), ['0.0002', '0.0001'])
    const [newer, older] = body as [TradeItem, TradeItem]
    assert.ok(newer.trade_id > older.trade_id)
  })

  test('GET /markets/{instrument_id}/trades gives 100 by default, and at most 1000 on request', async () => {
    const { get, close } = await scenarioNode(traded(1010).blocks())
    const count = async (query: string) =>
      ((await get(`/markets/ETH-USDC/trades${query}`)).body as TradeItem[]).length
    assert.equal(await count(''), 100)
    assert.equal(await count('?limit=1'), 1)
    assert.equal(await count('?limit=1000'), 1000)
    assert.equal(await count('?limit=1001'), 1000)
    assert.equal(await count('?limit=99999999999999999999'), 1000)
    await close()
  })

  test('GET /markets/{instrument_id}/trades accepts offset, whatever it is, and ignores it', async () => {
    const scenario = traded(3)
    const plain = await asked(scenario, '/markets/ETH-USDC/trades?limit=2')
    for (const offset of ['1', '-1', 'x', '', '1&offset=2', 'a'.repeat(300)])
      assert.equal(
        (await asked(scenario, `/markets/ETH-USDC/trades?limit=2&offset=${offset}`)).text,
        plain.text,
      )
  })

  for (const limit of ['0', '-1', 'x', '1.5', '', '1e2', '%20'])
    test(`GET /markets/{instrument_id}/trades refuses limit=${limit} with the bounds`, async () => {
      const { status, body } = await asked(traded(1), `/markets/ETH-USDC/trades?limit=${limit}`)
      assert.equal(status, 400)
      const { error, message } = body as { error: string; message: string }
      assert.equal(error, 'INVALID_PARAMETER')
      const rule = `got "${decodeURIComponent(limit)}", expected an integer from 1 to 1000`
      assert.ok(message.includes(rule), message)
    })

  for (const name of ['nothing', 'eth-usdc', '0x00', 'ETH-PERP'])
    test(`GET /markets/{instrument_id}/trades is an empty array for ${name}`, async () => {
      const { status, body } = await asked(traded(1), `/markets/${name}/trades`)
      assert.deepEqual([status, body], [200, []])
    })

  test('GET /markets/{instrument_id}/trades forgets a trade whose block is undone', async () => {
    const scenario = traded(2)
    const { get, applyBlocks, undoBlock, close } = await scenarioNode(scenario.blocks())
    const before = scenario.blocks().length
    scenario.place('alice', 'buy', 300_000, 9n).place('bob', 'sell', 300_000, 9n)
    const ids = async () => amounts((await get('/markets/ETH-USDC/trades')).body as TradeItem[])
    applyBlocks(scenario.blocks().slice(before))
    assert.deepEqual(await ids(), ['0.0009', '0.0002', '0.0001'])
    undoBlock()
    assert.deepEqual(await ids(), ['0.0002', '0.0001'])
    await close()
  })
})

describe('GET /instrument/{instrument_name}/trade-history', () => {
  test('GET /instrument/{instrument_name}/trade-history wraps the trades, newest first, with nanoseconds', async () => {
    const scenario = traded(2)
    const { status, body } = await asked(scenario, '/instrument/ETH-USDC/trade-history')
    assert.equal(status, 200)
    assert.ok(Value.Check(TradeHistory, body))
    const { count, trade_history } = body as TradePage
    assert.equal(count, '2')
    const { trade_id, tx_hash, ...rest } = trade_history[0] as TradeHistoryItem
    assert.deepEqual(rest, {
      instrument_id: ETH.id,
      instrument_name: 'ETH-USDC',
      instrument_type: 'SPOT',
      side: 'sell',
      price: '3000',
      amount: '0.0002',
      created_timestamp: `${scenario.seconds - 1}000000000`,
    })
    assert.ok(trade_id && tx_hash)
  })

  test('GET /instrument/{instrument_name}/trade-history gives 100 by default, and at most 1000 on request', async () => {
    const { get, close } = await scenarioNode(traded(1010).blocks())
    const count = async (query: string) =>
      ((await get(`/instrument/${ETH.id}/trade-history${query}`)).body as TradePage).count
    assert.equal(await count(''), '100')
    assert.equal(await count('?limit=3'), '3')
    assert.equal(await count('?limit=5000'), '1000')
    await close()
  })

  test('GET /instrument/{instrument_name}/trade-history is empty for an unknown instrument', async () => {
    const { status, body } = await asked(traded(1), '/instrument/nothing/trade-history')
    assert.deepEqual([status, body], [200, { count: '0', trade_history: [] }])
  })

  test('GET /instrument/{instrument_name}/trade-history refuses a limit below 1 or not an integer', async () => {
    for (const limit of ['0', '-1', '1.5', 'x', '']) {
      const { status, body } = await asked(
        traded(1),
        `/instrument/ETH-USDC/trade-history?limit=${limit}`,
      )
      assert.equal(status, 400)
      const { message } = body as { message: string }
      const rule = `got "${decodeURIComponent(limit)}", expected an integer from 1 to 1000`
      assert.ok(message.includes(rule), message)
    }
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Statistics } from '@openvenue/wire/statistics'
import { CoingeckoStatistics, Tickers } from '@openvenue/wire/tickers'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

const DAY = 86_400

/** A day in which the mark and the book of a perpetual moved; a spot market beside it. */
const setUp = () => {
  const scenario = funded('ETH-USDC', 'ETH-PERP', 'BTC-PERP').on('ETH-PERP')
  scenario
    .index('ETH', 2n * 10n ** 21n)
    .poke()
    .next(DAY)
  scenario
    .index('ETH', 3n * 10n ** 21n)
    .poke()
    .next()
  scenario.place('alice', 'buy', 29_999, 9n).place('bob', 'sell', 29_999, 2n)
  scenario.place('bob', 'sell', 30_005, 4n).next().poke().next()
  return scenario
}

async function open() {
  const scenario = setUp()
  const node = await scenarioNode(scenario.blocks())
  return { ...node, scenario, known: scenario.blocks().length }
}

async function readTickers(node: Pick<ScenarioNode, 'get'>, query = ''): Promise<Tickers> {
  const { status, body } = await node.get(`/tickers${query}`)
  assert.equal(status, 200)
  assert.ok(Value.Check(Tickers, body), JSON.stringify(body))
  return body
}

describe('GET /tickers', () => {
  test('GET /tickers has every market with the values of its statistics', async () => {
    const node = await open()
    const { tickers, timestamp } = await readTickers(node)
    assert.equal(timestamp, `${node.model.head?.seconds}000000000`)
    assert.deepEqual(
      tickers.map(({ instrument_name }) => instrument_name),
      ['ETH-USDC', 'ETH-PERP', 'BTC-PERP'],
    )
    for (const ticker of tickers) {
      const name = ticker.instrument_name
      const { body } = await node.get(`/statistics?instrument_name=${name}`)
      const said = body as Statistics
      assert.deepEqual(
        [ticker.last_price, ticker.bid, ticker.ask, ticker.mark.price, ticker.index.price],
        [said.last_price, said.best_bid, said.best_ask, said.mark_price, said.index_price],
        name,
      )
      assert.deepEqual(
        [ticker.mark_price_24h_ago, ticker.mark_daily_change, ticker.mark_daily_change_pct],
        [said.mark_price_24h_ago, said.mark_daily_change, said.mark_daily_change_pct],
        name,
      )
      assert.deepEqual(
        [ticker.volume_24h, ticker.high_24h, ticker.low_24h, ticker.funding_rate],
        [said.daily_volume, said.high_24h, said.low_24h, said.funding_rate],
        name,
      )
      assert.equal(ticker.open_interest, said.open_interest.total, name)
    }
    assert.notEqual(tickers[1]?.mark_daily_change, null)
    await node.close()
  })

  test('GET /tickers takes type and asset as /markets does', async () => {
    const node = await open()
    const names = async (query: string) =>
      (await readTickers(node, query)).tickers.map(({ instrument_name }) => instrument_name)
    assert.deepEqual(await names('?instrument_type=PERPETUAL'), ['ETH-PERP', 'BTC-PERP'])
    assert.deepEqual(await names('?asset=eth'), ['ETH-USDC', 'ETH-PERP'])
    assert.deepEqual(await names('?asset=eth&instrument_type=SPOT'), ['ETH-USDC'])
    assert.deepEqual(await names('?instrument_type=spot'), [])
    await node.close()
  })

  test('GET /tickers follows the chain, its undone blocks, and the clock', async () => {
    const node = await open()
    const before = await readTickers(node)
    node.scenario.on('ETH-PERP').place('alice', 'buy', 30_000, 1n)
    node.applyBlocks(node.scenario.blocks().slice(node.known))
    const moved = await readTickers(node)
    assert.equal(moved.tickers[1]?.bid?.price, '3000')
    node.undoBlock()
    assert.deepEqual(await readTickers(node), before)
    node.setNow(node.nowMs() / 1000 + 2 * DAY)
    const later = await readTickers(node)
    assert.equal(later.tickers[1]?.volume_24h, '0')
    await node.close()
  })
})

describe('GET /coingecko-statistics', () => {
  test('GET /coingecko-statistics has every perpetual and nothing else, with the members of that site', async () => {
    const node = await open()
    const { status, body } = await node.get('/coingecko-statistics')
    assert.equal(status, 200)
    assert.ok(Value.Check(CoingeckoStatistics, body), JSON.stringify(body))
    assert.deepEqual(
      body.map(({ ticker_id }) => ticker_id),
      ['ETH-PERP', 'BTC-PERP'],
    )
    const { body: said } = await node.get('/statistics?instrument_name=ETH-PERP')
    const { open_interest, mark_price, ...statistics } = said as Statistics
    const [first] = body
    assert.deepEqual(
      [first?.base_volume, first?.target_volume, first?.high, first?.low, first?.funding_rate],
      [
        statistics.daily_volume_contracts,
        statistics.daily_volume,
        statistics.high_24h,
        statistics.low_24h,
        statistics.funding_rate,
      ],
    )
    assert.equal(Number(first?.open_interest), Number(open_interest.total) * Number(mark_price))
    assert.equal(first?.next_funding_rate_timestamp, statistics.next_funding_rate_timestamp)
    assert.deepEqual(
      [first?.base_currency, first?.target_currency, first?.index_price, first?.bid, first?.ask],
      ['ETH', 'USDC', '3000', '2999.9', '3000.5'],
    )
    await node.close()
  })
})

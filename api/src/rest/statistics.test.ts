import assert from 'node:assert/strict'
import { test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { Scenario, SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import { fixedText } from '@openvenue/core/units'
import { Statistics } from '@openvenue/wire/statistics'
import { Value } from 'typebox/value'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

const HOUR = 3600

/** ETH-PERP and ETH-USDC with deposits, at 00:00. */
function markets(): Scenario {
  const scenario = new Scenario().index('ETH', 3000n * E18).list('ETH-PERP')
  for (const who of ['alice', 'bob']) scenario.deposit(who, 'USDC', 10n ** 9n)
  scenario
    .list('ETH-USDC')
    .deposit('alice', 'USDC', 10n ** 9n)
    .deposit('bob', 'ETH', 10n ** 9n)
  return scenario.on('ETH-PERP')
}

function trade(scenario: Scenario, tick: number, lots: bigint, taker: 'buy' | 'sell'): Scenario {
  if (taker === 'buy')
    return scenario.place('bob', 'sell', tick, lots).place('alice', 'buy', tick, lots)
  return scenario.place('alice', 'buy', tick, lots).place('bob', 'sell', tick, lots)
}

async function readStatistics({ get }: ScenarioNode, path: string): Promise<Statistics> {
  const { status, body } = await get(path)
  assert.equal(status, 200)
  assert.ok(Value.Check(Statistics, body))
  return body
}

test('volumes count 24 clock hours in quote units, with the part that takers bought', async () => {
  const scenario = trade(markets(), 30_000, 1000n, 'buy').next(HOUR)
  trade(scenario, 30_010, 2000n, 'sell').next(23 * HOUR - 1)
  trade(scenario, 29_990, 500n, 'buy').next()
  const venue = await scenarioNode(scenario.blocks())
  const daily = async () => {
    const statistics = await readStatistics(venue, '/statistics/ETH/PERPETUAL')
    const { daily_volume: all, daily_buy_volume: bought, daily_trades: trades } = statistics
    return { all, bought, trades, contracts: statistics.daily_volume_contracts }
  }
  venue.setNow(START + 24 * HOUR - 1)
  assert.deepEqual(await daily(), { all: '10501.5', bought: '4499.5', trades: 3, contracts: '3.5' })
  venue.setNow(START + 24 * HOUR)
  assert.deepEqual(await daily(), { all: '7501.5', bought: '1499.5', trades: 2, contracts: '2.5' })
  venue.setNow(START + 48 * HOUR)
  assert.deepEqual(await daily(), { all: '0', bought: '0', trades: 0, contracts: '0' })
  const { total_volume: total } = await readStatistics(venue, '/statistics/ETH/PERPETUAL')
  assert.equal(total, '10501.5')
  await venue.close()
})

test('the price 24 hours ago is the last one of that minute; before there is one it is null', async () => {
  const scenario = markets().next(30)
  scenario.index('ETH', 3030n * E18).next(24 * HOUR - 30)
  scenario.index('ETH', 3333n * E18)
  const venue = await scenarioNode(scenario.blocks())
  venue.setNow(START + 24 * HOUR)
  const now = await readStatistics(venue, '/statistics/ETH/PERPETUAL')
  assert.equal(now.index_price, '3333')
  assert.equal(now.index_price_24h_ago, '3030')
  assert.equal(now.mark_price_24h_ago, '3030')
  assert.equal(now.mark_daily_change, '303')
  assert.equal(now.mark_daily_change_pct, '10')
  venue.setNow(START + 24 * HOUR - 60)
  const early = await readStatistics(venue, '/statistics/ETH/PERPETUAL')
  assert.equal(early.mark_price_24h_ago, null)
  assert.equal(early.mark_daily_change, null)
  await venue.close()
})

test('open interest counts a side once; the book gives best bid and ask', async () => {
  const scenario = trade(markets(), 30_000, 1500n, 'buy')
  scenario.place('alice', 'buy', 29_990, 7n).place('bob', 'sell', 30_020, 9n)
  const venue = await scenarioNode(scenario.blocks())
  const statistics = await readStatistics(venue, '/statistics/ETH/PERPETUAL')
  assert.deepEqual(statistics.open_interest, { total: '1.5', long: '1.5', short: '1.5' })
  assert.deepEqual(statistics.best_bid, { price: '2999', amount: '0.007' })
  assert.deepEqual(statistics.best_ask, { price: '3002', amount: '0.009' })
  assert.equal(statistics.last_price, '3000')
  await venue.close()
})

test('funding is per hour, settled hours are averaged, the hour ends at the next full one', async () => {
  const scenario = markets()
  scenario.place('alice', 'buy', 30_090, 10n).place('bob', 'sell', 30_110, 10n).next(61)
  for (let hour = 0; hour < 3; hour++) scenario.poke().next(HOUR)
  const venue = await scenarioNode(scenario.blocks())
  const statistics = await readStatistics(venue, '/statistics/ETH/PERPETUAL')
  const market = LISTINGS['ETH-PERP'].id
  const { rate } = venue.model.funding(market) ?? { rate: 0n }
  assert.notEqual(rate, 0n)
  const settled = venue.model.market(market)?.settlements.map((row) => row.rate) ?? []
  assert.equal(settled.length, 2)
  const mean = settled.reduce((sum, hour) => sum + hour, 0n) / 2n
  assert.equal(statistics.funding_daily_avg, fixedText(mean))
  assert.equal(statistics.funding_interval_seconds, 3600)
  const next = START + 3 * HOUR
  assert.equal(statistics.next_funding_rate_timestamp, `${next}000000000`)
  await venue.close()
})

test('both forms name the same markets; type and asset find <asset>-PERP and <asset>-USDC', async () => {
  const venue = await scenarioNode(trade(markets(), 30_000, 1n, 'buy').blocks())
  const named = async (path: string) => (await readStatistics(venue, path)).instrument_name
  assert.equal(await named('/statistics/ETH/PERPETUAL'), 'ETH-PERP')
  assert.equal(await named('/statistics/ETH/SPOT'), 'ETH-USDC')
  assert.equal(await named('/statistics?asset=ETH&instrument_type=PERPETUAL'), 'ETH-PERP')
  assert.equal(await named('/statistics?asset=ETH&instrument_type=SPOT'), 'ETH-USDC')
  assert.equal(await named('/statistics?asset=ETH'), 'ETH-PERP')
  assert.equal(await named('/statistics/eth/SPOT'), 'ETH-USDC')
  assert.equal(await named('/statistics?instrument_name=eth-usdc'), 'ETH-USDC')
  assert.equal(await named('/statistics?instrument_name=ETH-USDC'), 'ETH-USDC')
  assert.equal(await named(`/statistics?instrument_name=${LISTINGS['ETH-USDC'].id}`), 'ETH-USDC')
  assert.equal(await named('/statistics?instrument_name=ETH-USDC&asset=BTC'), 'ETH-USDC')
  const spot = await readStatistics(venue, '/statistics/ETH/SPOT')
  assert.deepEqual(spot.open_interest, { total: null, long: null, short: null })
  assert.equal(spot.funding_rate, null)
  await venue.close()
})

test('an unknown market is 200 with null prices', async () => {
  const venue = await scenarioNode(markets().blocks())
  for (const path of [
    '/statistics/NOPE/PERPETUAL',
    '/statistics/ETH/OPTION',
    '/statistics/ETH/perpetual',
    '/statistics?instrument_name=NOPE',
    '/statistics?asset=NOPE',
    '/statistics?asset=NOPE&instrument_type=SPOT',
    '/statistics?instrument_type=PERPETUAL',
    '/statistics?instrument_name=',
    '/statistics',
  ]) {
    const statistics = await readStatistics(venue, path)
    assert.deepEqual([statistics.mark_price, statistics.index_price], [null, null], path)
    assert.equal(statistics.daily_volume, '0', path)
  }
  await venue.close()
})

test('the cached answer changes with each block and with the minute', async () => {
  const scenario = trade(markets(), 30_000, 1000n, 'buy').next(HOUR)
  const venue = await scenarioNode(scenario.blocks())
  const trades = async () => (await readStatistics(venue, '/statistics/ETH/PERPETUAL')).daily_trades
  assert.equal(await trades(), 1)
  venue.setNow(START + HOUR)
  venue.applyBlocks(trade(scenario, 30_000, 1n, 'sell').blocks().slice(-1))
  assert.equal(await trades(), 2)
  venue.undoBlock()
  assert.equal(await trades(), 1)
  venue.setNow(START + 24 * HOUR)
  assert.equal(await trades(), 0)
  await venue.close()
})

import assert from 'node:assert/strict'
import test from 'node:test'
import { E18 } from '@openvenue/core/integers'
import type { Market } from '@openvenue/core/records'
import { Value } from 'typebox/value'
import {
  encodeStatistics,
  encodeUnknownStatistics,
  type MarketFacts,
  Statistics,
} from './statistics.ts'

const PERP = {
  id: '0x01',
  name: 'ETH-PERP',
  type: 'PERPETUAL',
  asset: 'ETH',
  priceStep: E18 / 10n,
  amountStep: E18 / 1000n,
  quotePerLotTick: E18 / 10_000n,
  baseDecimals: 18,
  quoteDecimals: 18,
} as Market

const facts = (more: Partial<MarketFacts> = {}): MarketFacts => ({
  market: PERP,
  day: {
    volume: 3_000n,
    units: 60_000_000n,
    takerBuyUnits: 20_000_000n,
    trades: 4,
    high: 20_010,
    low: 19_990,
  },
  totalVolume: 5_000n,
  totalUnits: 100_000_000n,
  openInterest: 1_500n,
  index: 2_000n * E18,
  indexDayAgo: 1_990n * E18,
  mark: 2_001n * E18,
  markDayAgo: 1_800n * E18,
  lastTick: 20_005,
  bestBid: { tick: 20_000, lots: 10n },
  bestAsk: { tick: 20_006, lots: 20n },
  fundingRate: -E18 / 80_000n,
  fundingDayMean: E18 / 100_000n,
  nextFundingSeconds: 1_700_006_400,
  ...more,
})

test('volumes are quote amounts, contracts are base amounts, sides add up', () => {
  const statistics = encodeStatistics(facts())
  assert.ok(Value.Check(Statistics, statistics))
  assert.equal(statistics.daily_volume, '6000')
  assert.equal(statistics.daily_buy_volume, '2000')
  assert.equal(statistics.daily_sell_volume, '4000')
  assert.equal(statistics.daily_volume_contracts, '3')
  assert.equal(statistics.total_volume, '10000')
  assert.deepEqual(statistics.open_interest, { total: '1.5', long: '1.5', short: '1.5' })
})

test('changes are exact; the percentage is truncated towards zero at 8 decimals', () => {
  const up = encodeStatistics(facts())
  assert.equal(up.mark_daily_change, '201')
  assert.equal(up.mark_daily_change_pct, '11.16666666')
  const down = encodeStatistics(facts({ mark: 1_599n * E18 }))
  assert.equal(down.mark_daily_change_pct, '-11.16666666')
})

test('rates are hourly fractions, and the next funding time is in nanoseconds', () => {
  const statistics = encodeStatistics(facts())
  assert.equal(statistics.funding_rate, '-0.0000125')
  assert.equal(statistics.funding_daily_avg, '0.00001')
  assert.equal(statistics.next_funding_rate_timestamp, '1700006400000000000')
  assert.equal(statistics.funding_interval_seconds, 3600)
})

test('a market without trades has null prices and zero volumes', () => {
  const none = {
    volume: 0n,
    units: 0n,
    takerBuyUnits: 0n,
    trades: 0,
    high: undefined,
    low: undefined,
  }
  const statistics = encodeStatistics(
    facts({
      day: none,
      index: undefined,
      mark: undefined,
      lastTick: undefined,
      bestBid: undefined,
      bestAsk: undefined,
    }),
  )
  assert.ok(Value.Check(Statistics, statistics))
  assert.equal(statistics.daily_volume, '0')
  for (const name of [
    'index_price',
    'mark_price',
    'mark_daily_change',
    'last_price',
    'best_bid',
  ] as const)
    assert.equal(statistics[name], null)
})

test('a spot market has no open interest and no funding', () => {
  const market = { ...PERP, type: 'SPOT', name: 'ETH-USDC' } as const
  const statistics = encodeStatistics(
    facts({
      market,
      fundingRate: undefined,
      fundingDayMean: undefined,
      nextFundingSeconds: undefined,
    }),
  )
  assert.deepEqual(statistics.open_interest, { total: null, long: null, short: null })
  assert.equal(statistics.funding_rate, null)
  assert.equal(statistics.funding_interval_seconds, null)
})

test('an unknown market has the same fields, with null prices and zero volumes', () => {
  const unknown = encodeUnknownStatistics('NOPE')
  assert.ok(Value.Check(Statistics, unknown))
  assert.deepEqual(Object.keys(unknown), Object.keys(encodeStatistics(facts())))
  assert.equal(unknown.asset, 'NOPE')
  assert.equal(unknown.mark_price, null)
  assert.equal(unknown.daily_volume, '0')
})

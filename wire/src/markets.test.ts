import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import type { Market } from '@openvenue/core/records'
import { Value } from 'typebox/value'
import { encodeMarket, type MarketFacts, MarketObject } from './markets.ts'

const PERP: Market = {
  id: `0x${'ab'.repeat(24)}`,
  engine: `0x${'ab'.repeat(20)}`,
  number: 1,
  name: 'ETH-PERP',
  type: 'PERPETUAL',
  asset: 'ETH',
  quoteAsset: 'USDC',
  baseToken: null,
  quoteToken: `0x${'01'.repeat(20)}`,
  priceStep: E18 / 10n,
  amountStep: E18 / 1000n,
  quotePerLotTick: E18 / 10_000n,
  baseDecimals: 18,
  quoteDecimals: 18,
  minOrderValue: E18,
  maxOrderValue: 10n ** 6n * E18,
  maxNotionalValue: 10n ** 7n * E18,
  maxOpenInterest: 10n ** 12n,
  maxLeverage: 20,
  makerFee: 100,
  takerFee: 350,
  isHalted: false,
  isEnded: false,
  lossAccount: null,
  listedSeconds: 0,
}
const facts = (market: Partial<Market>): MarketFacts => ({
  market: { ...PERP, ...market },
  ticker: undefined,
  mark: undefined,
  index: undefined,
  funding: undefined,
  units24h: 0n,
})

describe('a perpetual with unknown data', () => {
  test('a perpetual with unknown data omits its leverage', () => {
    assert.equal(encodeMarket(facts({}), 'live').max_leverage, '20')
    assert.ok(!('max_leverage' in encodeMarket(facts({ maxLeverage: null }), 'live')))
  })

  test('a perpetual with unknown data has null fees', () => {
    const { maker_fee, taker_fee } = encodeMarket(facts({ makerFee: null, takerFee: null }), 'live')
    assert.deepEqual([maker_fee, taker_fee], [null, null])
    assert.equal(encodeMarket(facts({ makerFee: null }), 'live').taker_fee, '0.00035')
  })

  test('a perpetual with unknown data has null prices and a null funding rate', () => {
    const market = encodeMarket(facts({}), 'live')
    assert.ok(Value.Check(MarketObject, market))
    const { mark_price, index_price, funding_rate } = market
    assert.deepEqual([mark_price, index_price, funding_rate], [null, null, null])
    assert.deepEqual([market.open_interest, market.volume_24h], ['0', '0'])
  })
})

test('a spot market has no leverage and no fees, and null for members of perpetuals', () => {
  const market = encodeMarket(
    facts({ type: 'SPOT', maxLeverage: null, makerFee: null, takerFee: null }),
    'live',
  )
  for (const absent of ['max_leverage', 'maker_fee', 'taker_fee'])
    assert.ok(!(absent in market), absent)
  assert.deepEqual([market.funding_rate, market.open_interest], [null, null])
})

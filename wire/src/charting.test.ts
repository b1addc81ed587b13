import assert from 'node:assert/strict'
import test from 'node:test'
import { E18 } from '@openvenue/core/integers'
import type { Market } from '@openvenue/core/records'
import { Value } from 'typebox/value'
import { CHARTING_CONFIG, ChartingConfig, ChartSymbol, encodeChartSymbol } from './charting.ts'

const market = (facts: Partial<Market>): Market =>
  ({
    name: 'ETH-PERP',
    type: 'PERPETUAL',
    asset: 'ETH',
    quoteAsset: 'USDC',
    priceStep: 5n * 10n ** 17n,
    amountStep: 10n ** 15n,
    baseDecimals: 18,
    quoteDecimals: 18,
    ...facts,
  }) as Market

test('the configuration offers search, which the stock adapter needs to become ready', () => {
  assert.ok(Value.Check(ChartingConfig, CHARTING_CONFIG))
  assert.equal(CHARTING_CONFIG.supports_search, true)
  assert.equal(CHARTING_CONFIG.supports_group_request, false)
  const names = '1 3 5 15 30 60 120 240 360 480 720 1D 3D 1W 1M'.split(' ')
  assert.deepEqual(CHARTING_CONFIG.supported_resolutions, names)
  assert.deepEqual(encodeChartSymbol(market({})).supported_resolutions, names)
})

test('a price step of 0.5 is 5 units of a tenth', () => {
  const symbol = encodeChartSymbol(market({}))
  assert.ok(Value.Check(ChartSymbol, symbol))
  assert.deepEqual([symbol.pricescale, symbol.minmov], [10, 5])
  assert.equal(symbol.volume_precision, 3)
  assert.equal(symbol.description, 'ETH perpetual / USDC')
})

test('minmov / pricescale equals the price step, whatever its size', () => {
  const cases = [
    { step: 25n * E18, decimals: 18, expected: [1, 25] },
    { step: E18, decimals: 18, expected: [1, 1] },
    { step: 1n, decimals: 6, expected: [1_000_000, 1] },
    { step: 10_000n, decimals: 6, expected: [100, 1] },
  ]
  for (const { step, decimals, expected } of cases) {
    const symbol = encodeChartSymbol(market({ priceStep: step, quoteDecimals: decimals }))
    assert.deepEqual([symbol.pricescale, symbol.minmov], expected)
  }
})

test('the intraday multipliers are the resolutions in minutes', () => {
  const { intraday_multipliers: minutes } = encodeChartSymbol(market({}))
  assert.deepEqual(minutes, ['1', '3', '5', '15', '30', '60', '120', '240', '360', '480', '720'])
})

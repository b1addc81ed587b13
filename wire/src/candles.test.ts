import assert from 'node:assert/strict'
import test from 'node:test'
import type { Candle, Market } from '@openvenue/core/records'
import { nextPeriodOpen, RESOLUTION_NAMES } from '@openvenue/core/resolutions'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { CandleItem, encodeBar, parseResolution } from './candles.ts'

const SPOT = {
  name: 'ETH-USDC',
  type: 'SPOT',
  priceStep: 10_000n,
  amountStep: 10n ** 14n,
  quotePerLotTick: 1n,
  baseDecimals: 18,
  quoteDecimals: 6,
} as Market

const candle = (facts: Partial<Candle> = {}): Candle => ({
  market: '0x00',
  resolution: '60',
  openSeconds: 1_700_002_800,
  open: 200_000,
  high: 200_150,
  low: 199_900,
  close: 200_001,
  volume: 30_000n,
  quoteUnits: 6_000_100_000n,
  takerBuyVolume: 10_000n,
  takerBuyUnits: 2_000_000_000n,
  trades: 3,
  ...facts,
})

test('a candle has times in seconds, exact decimal text and a trade count', () => {
  assert.deepEqual(JSON.parse(encodeBar(SPOT, candle()).item), {
    time: 1_700_002_800,
    close_time: 1_700_006_399,
    open: '2000',
    high: '2001.5',
    low: '1999',
    close: '2000.01',
    volume: '3',
    quote_volume: '6000.1',
    trades: 3,
    average: '2000.033333',
    taker_buy_volume: '1',
  })
})

test('close_time is one second before the next period, months and weeks included', () => {
  for (const resolution of RESOLUTION_NAMES) {
    const openSeconds =
      resolution === '1M' ? 1_698_796_800 : resolution === '1W' ? 1_699_228_800 : 0
    const item = JSON.parse(encodeBar(SPOT, candle({ resolution, openSeconds })).item)
    assert.equal(item.close_time, nextPeriodOpen(resolution, openSeconds) - 1, resolution)
  }
})

test('the average lies between low and high and is truncated to the quote decimals', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          tick: fc.integer({ min: 1, max: 2 ** 24 - 1 }),
          lots: fc.bigInt(1n, 2n ** 63n),
        }),
        {
          minLength: 1,
        },
      ),
      (trades) => {
        const ticks = trades.map(({ tick }) => tick)
        const volume = trades.reduce((sum, { lots }) => sum + lots, 0n)
        const quoteUnits = trades.reduce((sum, { tick, lots }) => sum + BigInt(tick) * lots, 0n)
        const low = Math.min(...ticks)
        const high = Math.max(...ticks)
        const bar = encodeBar(
          SPOT,
          candle({ volume, quoteUnits, low, high, open: low, close: high }),
        )
        const item = JSON.parse(bar.item) as CandleItem
        assert.ok(Value.Check(CandleItem, item))
        const average = parseRaw(item.average, 6)
        assert.equal(average, (quoteUnits * 10_000n) / volume)
        assert.ok(parseRaw(item.low, 6) <= average && average <= parseRaw(item.high, 6))
      },
    ),
  )
})

test('the fields of a bar equal those of its item', () => {
  const { item, ...texts } = encodeBar(SPOT, candle())
  const { open, high, low, close, volume } = JSON.parse(item) as CandleItem
  assert.deepEqual(texts, { open, high, low, close, volume })
})

test('the average of a bar without volume is its close', () => {
  const flat = encodeBar(SPOT, candle({ volume: 0n, quoteUnits: 0n, trades: 0 }))
  assert.equal(JSON.parse(flat.item).average, '2000.01')
})

test('D, W and M mean a day, a week and a month; 1m, 1h and object member names are rejected', () => {
  assert.deepEqual(['D', 'W', 'M'].map(parseResolution), ['1D', '1W', '1M'])
  assert.deepEqual(RESOLUTION_NAMES.map(parseResolution), RESOLUTION_NAMES)
  for (const text of ['1m', '1h', '1d', '', '2', '01', ' 1', '1 ', 'toString', '__proto__', '60.0'])
    assert.equal(parseResolution(text), undefined, text)
})

function parseRaw(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

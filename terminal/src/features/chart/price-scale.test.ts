import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ChartLine } from '../order/order-protocol.ts'
import { type PriceRange, padded, priceTicks, stretched, withOrders } from './price-scale.ts'

const order = (price: number, orderId = `order at ${price}`): ChartLine => ({
  ...{ key: `${orderId} ${price}`, orderId, price, at: String(price), text: 'buy 1', tone: 'buy' },
})
/** A line that is not an order: entry or liquidation of a position. */
const position = (price: number) => order(price, '')

describe('what the chart reaches', () => {
  test('the price range of a single price extends some steps around it', () => {
    assert.deepEqual(padded({ low: 100, high: 100 }, 0.5), { low: 95, high: 105 })
    assert.deepEqual(padded({ low: 100, high: 101 }, 0.5), { low: 100, high: 101 })
  })
})

describe('orders near the candles', () => {
  const scaled = (lines: readonly ChartLine[], range = { low: 3_000, high: 3_100 }) => {
    const { low, high } = withOrders(range, lines)
    return [low, high]
  }

  test('orders among the candles, or none, leave the price range of the chart unchanged', () => {
    assert.deepEqual(scaled([]), [3_000, 3_100])
    assert.deepEqual(scaled([order(3_000), order(3_050), order(3_100)]), [3_000, 3_100])
  })

  test('orders near the candles widen the price range of the chart, on both sides', () => {
    assert.deepEqual(scaled([order(2_950)]), [2_950, 3_100])
    assert.deepEqual(scaled([order(3_199)]), [3_000, 3_199])
    assert.deepEqual(scaled([order(2_990), order(2_901), order(3_150)]), [2_901, 3_150])
  })

  test('orders farther away than the height of the candles do not widen the price range', () => {
    assert.deepEqual(scaled([order(2_900), order(3_200)]), [3_000, 3_100])
    assert.deepEqual(scaled([order(1), order(1_000_000)]), [3_000, 3_100])
    assert.deepEqual(scaled([order(1), order(2_950), order(1_000_000)]), [2_950, 3_100])
  })

  test('an order near the candles does not bring a farther one into the price range', () => {
    assert.deepEqual(scaled([order(2_950), order(2_880)]), [2_950, 3_100])
  })

  test('entry and liquidation prices near the candles do not widen the price range', () => {
    assert.deepEqual(scaled([position(2_950), position(3_150)]), [3_000, 3_100])
  })
})

describe('the scale of prices', () => {
  /** From the bottom of the chart to its top. */
  const range: PriceRange = { low: 75, high: 212.5 }
  const HEIGHT_PX = 550

  test('the price scale is stretched around its middle', () => {
    assert.deepEqual(stretched({ low: 100, high: 200 }, 2, 1), { low: 50, high: 250 })
    assert.deepEqual(stretched({ low: 100, high: 200 }, 0.5, 1), { low: 125, high: 175 })
  })

  test('the price scale is never stretched or compressed beyond what can be read', () => {
    assert.deepEqual(stretched({ low: 100, high: 200 }, 1e-9, 0.5), { low: 145, high: 155 })
    assert.deepEqual(stretched({ low: 100, high: 200 }, 1e9, 0.5), { low: -2850, high: 3150 })
    const flat = stretched({ low: -1, high: 1 }, 1e-9, 0.5)
    assert.deepEqual(flat, { low: -5, high: 5 })
    const ticks = priceTicks({ low: -2850, high: 3150 }, HEIGHT_PX, 0.5)
    assert.ok(ticks.length > 3 && ticks.every((price) => price >= 0), String(ticks))
  })

  test('the price scale has round prices, far enough apart, also beyond the candles', () => {
    const ticks = priceTicks(range, HEIGHT_PX, 0.01)
    assert.deepEqual(ticks.slice(0, 4), [80, 100, 120, 140])
    assert.deepEqual(ticks.slice(-2), [180, 200])
    const pixels = ((ticks[1] ?? 0) - (ticks[0] ?? 0)) * (HEIGHT_PX / (range.high - range.low))
    assert.ok(pixels >= 44, String(pixels))
  })

  test('the price scale has no price between two steps', () => {
    const narrow: PriceRange = { low: 99.9, high: 101.1 }
    assert.deepEqual(priceTicks(narrow, HEIGHT_PX, 1), [100, 101])
    assert.deepEqual(priceTicks(narrow, HEIGHT_PX, 0.5), [100, 100.5, 101])
  })

  test('the price scale labels prices of any size', () => {
    for (const exponent of [-9, -4, 0, 3, 9]) {
      const unit = 10 ** exponent
      const ticks = priceTicks({ low: 3 * unit, high: 4 * unit }, HEIGHT_PX, unit / 1e6)
      assert.ok(ticks.length >= 5 && ticks.length <= 11, `${exponent}: ${ticks.length}`)
    }
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AutoscaleInfo, AutoscaleInfoProvider, ISeriesApi } from 'lightweight-charts'
import type { ChartLine } from '../worker/order/order-protocol.ts'
import { OwnDrawing } from './own-drawing.ts'

const COLORS = {
  ...{ buy: '#00aa00', sell: '#aa0000', quiet: '#888888', line: '#444444', panel: '#000000' },
  ...{ text: '#ffffff', accent: '#0000ff', mark: '#ffaa00', index: '#aa00ff' },
}
/** The candles that are on the screen are 100 high. */
const CANDLES: AutoscaleInfo = { priceRange: { minValue: 3_000, maxValue: 3_100 } }

/** A drawing into a series that only remembers how it is scaled. */
function begin() {
  let provider: AutoscaleInfoProvider | undefined
  const drawn = new Set<object>()
  const series = {
    applyOptions: (options: { autoscaleInfoProvider?: AutoscaleInfoProvider }) => {
      provider = options.autoscaleInfoProvider
    },
    attachPrimitive: () => {},
    createPriceLine: (line: object) => {
      drawn.add(line)
      return line
    },
    removePriceLine: (line: object) => drawn.delete(line),
  }
  const drawing = new OwnDrawing(series as unknown as ISeriesApi<'Candlestick'>, COLORS)
  return {
    drawn,
    mark: (lines: readonly ChartLine[]) => drawing.mark({ lines, marks: [] }),
    scale: (info: AutoscaleInfo | null = CANDLES) => provider?.(() => info) ?? null,
  }
}

const order = (price: number, orderId = `order at ${price}`): ChartLine => ({
  ...{ key: `${orderId} ${price}`, orderId, price, at: String(price), text: 'buy 1', tone: 'buy' },
})
/** Such a line is no order: entry or liquidation of a position. */
const position = (price: number) => order(price, '')

describe('the scale of the chart', () => {
  const scaled = (lines: readonly ChartLine[], info?: AutoscaleInfo) => {
    const { mark, scale } = begin()
    mark(lines)
    const { minValue, maxValue } = scale(info)?.priceRange ?? {}
    return [minValue, maxValue]
  }

  test('is that of the candles without orders, and with orders among them', () => {
    assert.deepEqual(scaled([]), [3_000, 3_100])
    assert.deepEqual(scaled([order(3_000), order(3_050), order(3_100)]), [3_000, 3_100])
  })

  test('is widened to orders that rest near the candles, on both sides', () => {
    assert.deepEqual(scaled([order(2_950)]), [2_950, 3_100])
    assert.deepEqual(scaled([order(3_199)]), [3_000, 3_199])
    assert.deepEqual(scaled([order(2_990), order(2_901), order(3_150)]), [2_901, 3_150])
  })

  test('is not widened to orders as far away as the candles are high, nor to farther ones', () => {
    assert.deepEqual(scaled([order(2_900), order(3_200)]), [3_000, 3_100])
    assert.deepEqual(scaled([order(1), order(1_000_000)]), [3_000, 3_100])
    assert.deepEqual(scaled([order(1), order(2_950), order(1_000_000)]), [2_950, 3_100])
  })

  test('grows from the candles alone: orders do not bring in others beyond them', () => {
    assert.deepEqual(scaled([order(2_950), order(2_880)]), [2_950, 3_100])
  })

  test('is not widened to what is no order: an entry or a liquidation near by', () => {
    assert.deepEqual(scaled([position(2_950), position(3_150)]), [3_000, 3_100])
  })

  test('is left alone while nothing is drawn, and by candles without any height', () => {
    const { mark, scale } = begin()
    mark([order(3_000)])
    assert.equal(scale(null), null)
    const empty = { priceRange: null }
    assert.equal(scale(empty), empty)
    const flat = { priceRange: { minValue: 3_000, maxValue: 3_000 } }
    assert.deepEqual(scaled([order(2_999), order(3_001)], flat), [3_000, 3_000])
  })

  test('keeps what else the chart says of it, and goes back when the orders end', () => {
    const { mark, scale, drawn } = begin()
    const margins = { above: 10, below: 10 }
    mark([order(2_950)])
    assert.deepEqual(scale({ ...CANDLES, margins }), {
      ...{ priceRange: { minValue: 2_950, maxValue: 3_100 }, margins },
    })
    assert.equal(drawn.size, 1)
    mark([])
    assert.deepEqual(scale(), CANDLES)
    assert.equal(drawn.size, 0)
  })
})

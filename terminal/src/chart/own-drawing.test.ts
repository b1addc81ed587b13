import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type {
  AutoscaleInfo,
  AutoscaleInfoProvider,
  ISeriesApi,
  SeriesMarker,
  Time,
} from 'lightweight-charts'
import type { ChartLine, ChartMark } from '../worker/order/order-protocol.ts'
import { OwnDrawing } from './own-drawing.ts'

const COLORS = {
  ...{ buy: '#00aa00', sell: '#aa0000', quiet: '#888888', line: '#444444', panel: '#000000' },
  ...{ text: '#ffffff', accent: '#0000ff', mark: '#ffaa00', index: '#aa00ff' },
}
/** The candles that are on the screen are 100 high. */
const CANDLES: AutoscaleInfo = { priceRange: { minValue: 3_000, maxValue: 3_100 } }

type Marker = SeriesMarker<Time>

/** Returns what the library is to draw: it keeps it in what it attached, under a mangled name. */
const markersOf = (attached: object): readonly Marker[] =>
  Object.values(attached)
    .filter((kept): kept is Marker[] => Array.isArray(kept))
    .find((kept) => kept.some((one) => 'shape' in one)) ?? []

/** A drawing into a series that only remembers how it is scaled. */
function begin() {
  let provider: AutoscaleInfoProvider | undefined
  const drawn = new Set<object>()
  let attached: object = {}
  const series = {
    applyOptions: (options: { autoscaleInfoProvider?: AutoscaleInfoProvider }) => {
      provider = options.autoscaleInfoProvider
    },
    attachPrimitive: (primitive: object) => {
      attached = primitive
    },
    createPriceLine: (line: object) => {
      drawn.add(line)
      return line
    },
    removePriceLine: (line: object) => drawn.delete(line),
  }
  const drawing = new OwnDrawing(series as unknown as ISeriesApi<'Candlestick'>, COLORS)
  return {
    drawn,
    mark: (lines: readonly ChartLine[], marks: readonly ChartMark[] = []) =>
      drawing.mark({ lines, marks }),
    draw: (times: readonly number[]) => drawing.draw(times),
    markers: () => markersOf(attached),
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

describe('own fills on the chart', () => {
  const fill = (time: number, isBuy: boolean, text: string): ChartMark => ({
    ...{ key: `${time} ${text}`, time, isBuy, text },
  })
  const seen = ({ markers }: ReturnType<typeof begin>) =>
    markers().map(({ time, position, shape, color, text }) => [time, position, shape, color, text])

  test('are arrows at the candles in which they were, with what was traded in words', () => {
    const drawing = begin()
    drawing.mark([], [fill(119, true, '1 at 3,000.00'), fill(120, false, '2 at 3,010.00')])
    drawing.draw([60, 120, 180])
    assert.deepEqual(seen(drawing), [
      [60, 'belowBar', 'arrowUp', COLORS.buy, '1 at 3,000.00'],
      [120, 'aboveBar', 'arrowDown', COLORS.sell, '2 at 3,010.00'],
    ])
  })

  test('are not drawn where no candle of theirs is, and are once older ones are read', () => {
    const drawing = begin()
    drawing.mark([], [fill(30, true, '1 at 2,990.00'), fill(130, true, '1 at 3,000.00')])
    drawing.draw([60, 120])
    assert.deepEqual(
      seen(drawing).map(([time]) => time),
      [120],
    )
    drawing.draw([0, 60, 120])
    assert.deepEqual(
      seen(drawing).map(([time]) => time),
      [0, 120],
    )
  })

  test('are joined by the next one, grow with it in its block, and go with a reorganisation', () => {
    const drawing = begin()
    const first = fill(61, true, '1 at 3,000.00')
    drawing.mark([], [first])
    drawing.draw([60])
    drawing.mark([], [first, fill(90, false, '1 at 3,001.00')])
    drawing.draw([60])
    assert.equal(drawing.markers().length, 2)
    drawing.mark([], [first, { ...fill(90, false, '3 at 3,001.50'), key: '90 1 at 3,001.00' }])
    drawing.draw([60])
    assert.equal(seen(drawing).at(-1)?.at(-1), '3 at 3,001.50')
    drawing.mark([], [first])
    drawing.draw([60])
    assert.deepEqual(
      seen(drawing).map(([, , , , text]) => text),
      ['1 at 3,000.00'],
    )
  })
})

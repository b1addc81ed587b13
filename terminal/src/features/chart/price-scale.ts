// Positions of prices, and the prices that are labelled beside the candles.
import type { ChartLine } from '../order/order-protocol.ts'
import type { DrawnCandle } from './chart-protocol.ts'

export type PriceRange = Readonly<{ low: number; high: number }>
/** The range from one pixel to the other, from the top; there is room above it and below. */
export type PriceScale = PriceRange &
  Readonly<{ topPx: number; bottomPx: number; heightPx: number }>

/** Minimum distance between price labels. Pixels. */
const TICK_PX = 44
const STEPS = [1, 2, 5, 10] as const
/** Height of the range, in price steps, if all candles have one price; they are in its middle. */
const FLAT_STEPS = 20
/** Maximum height of a range, relative to its middle. */
const PRICES_MAX = 20

/** Returns the position of a price, in pixels from the top. */
export const yOf = ({ low, high, topPx, bottomPx }: PriceScale, price: number): number =>
  bottomPx - ((price - low) * (bottomPx - topPx)) / (high - low)

/** Returns the price at a pixel. */
export const priceAt = ({ low, high, topPx, bottomPx }: PriceScale, y: number): number =>
  low + ((bottomPx - y) * (high - low)) / (bottomPx - topPx)

/** Returns what candles and their lines reach; undefined where there is none. */
export function rangeOf(candles: readonly DrawnCandle[], step: number): PriceRange | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { low: least, high: most, mark, index } of candles) {
    low = Math.min(low, least, mark ?? least, index ?? least)
    high = Math.max(high, most, mark ?? most, index ?? most)
  }
  if (low > high) return undefined
  const pad = low === high ? (FLAT_STEPS / 2) * step : 0
  return { low: low - pad, high: high + pad }
}

/**
 * Widens a range to the orders that rest near it, so that they can be dragged: no farther than the
 * candles are high.
 */
export function withOrders({ low, high }: PriceRange, lines: readonly ChartLine[]): PriceRange {
  const height = high - low
  const near = lines
    .filter(({ orderId, price }) => orderId !== '' && price > low - height && price < high + height)
    .map(({ price }) => price)
  return { low: Math.min(low, ...near), high: Math.max(high, ...near) }
}

/** Multiplies the height of a range around its middle, within the allowed limits. */
export function stretched({ low, high }: PriceRange, by: number, step: number): PriceRange {
  const middle = (low + high) / 2
  const least = (FLAT_STEPS / 2) * step
  const most = Math.max(Math.abs(middle) * PRICES_MAX, least)
  const half = Math.min(Math.max(((high - low) / 2) * by, least), most)
  return { low: middle - half, high: middle + half }
}

/** Returns the prices to write: round ones, `step` apart at least, none below zero. */
export function priceTicks(scale: PriceScale, step: number): readonly number[] {
  const { topPx, bottomPx, heightPx, low, high } = scale
  const apartMin = Math.max(((high - low) * TICK_PX) / Math.max(bottomPx - topPx, 1), step)
  const power = 10 ** Math.floor(Math.log10(apartMin))
  const apart =
    power * (STEPS.find((factor) => factor * power >= apartMin * (1 - Number.EPSILON)) ?? 10)
  const [first, last] = [Math.max(0, priceAt(scale, heightPx)), priceAt(scale, 0)]
  const count = Math.floor(last / apart) - Math.ceil(first / apart) + 1
  return Array.from(
    { length: Math.max(count, 0) },
    (_, at) => (Math.ceil(first / apart) + at) * apart,
  )
}

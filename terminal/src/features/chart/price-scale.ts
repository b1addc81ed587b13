// The range of prices that is shown.
import type { ChartLine } from '../order/order-protocol.ts'

export type PriceRange = Readonly<{ low: number; high: number }>

/** Minimum distance between price labels. Pixels. */
const TICK_PX = 44
const STEPS = [1, 2, 5, 10] as const
/** Height of the range, in price steps, if all candles have one price; they are in its middle. */
const FLAT_STEPS = 20
/** Maximum height of a range, relative to its middle. */
const PRICES_MAX = 20

/** Gives a height to the range of candles that have one price. */
export function padded({ low, high }: PriceRange, step: number): PriceRange {
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

/**
 * Returns the prices to write between the bottom and the top of the chart: round ones, `step` apart
 * at least, none below zero.
 */
export function priceTicks({ low, high }: PriceRange, heightPx: number, step: number): number[] {
  const apartMin = Math.max(((high - low) * TICK_PX) / Math.max(heightPx, 1), step)
  const power = 10 ** Math.floor(Math.log10(apartMin))
  const apart =
    power * (STEPS.find((factor) => factor * power >= apartMin * (1 - Number.EPSILON)) ?? 10)
  const first = Math.ceil(Math.max(0, low) / apart)
  const count = Math.floor(high / apart) - first + 1
  return Array.from({ length: Math.max(count, 0) }, (_, at) => (first + at) * apart)
}

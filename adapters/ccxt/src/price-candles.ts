// Builds candles from prices that are stored once per period, the last of each.
import { Precise } from 'ccxt'
import type { shapes } from 'openvenue'

/** Opening time in milliseconds, then prices as decimal text. */
type PriceCandle = [openMs: number, open: string, high: string, low: string, close: string]

const NS_PER_MS = 1_000_000n
/** Intervals of stored prices that the venue offers, in seconds. */
const SAMPLES_SECONDS = [60, 180, 300, 900, 1_800, 3_600, 14_400, 43_200, 86_400]

/** Returns the finest interval at which `limit` candles need at most `rowsMax` prices. */
export function samplesOf(candleSeconds: number, limit: number, rowsMax: number): number {
  const fit = (samples: number) =>
    candleSeconds % samples === 0 && ((limit + 1) * candleSeconds) / samples <= rowsMax
  return SAMPLES_SECONDS.find(fit) ?? candleSeconds
}

/**
 * Returns the candles of `history`, oldest first. A candle opens at the previous price, or at its
 * own first price if there is none. High and low are those of the stored prices.
 */
export function candlesOf(history: shapes.PriceHistory['history'], seconds: number): PriceCandle[] {
  const candles: PriceCandle[] = []
  let before: string | undefined
  for (const [ns, price] of history) {
    const ms = Number(BigInt(ns) / NS_PER_MS)
    const openMs = ms - (ms % (seconds * 1000))
    const last = candles.at(-1)
    if (last?.[0] === openMs) add(last, price)
    else candles.push(begin(openMs, before ?? price, price))
    before = price
  }
  return candles
}

const begin = (openMs: number, open: string, price: string): PriceCandle => [
  openMs,
  open,
  Precise.stringMax(open, price) ?? price,
  Precise.stringMin(open, price) ?? price,
  price,
]

function add(candle: PriceCandle, price: string): void {
  candle[2] = Precise.stringMax(candle[2], price) ?? price
  candle[3] = Precise.stringMin(candle[3], price) ?? price
  candle[4] = price
}

// The time-weighted average mid of a spot market, which its triggers are compared with. Formula:
// `Book.averageOf`.
import type { Price, Seconds } from './record-schema.ts'

/** A mid that lasts this long moves the average halfway to it. */
const AVERAGE_SECONDS = 60n
/** Units of the average per tick. */
const AVERAGE_UNIT = 256n
/** Best ask of an empty side, `Ticks.NONE_ABOVE`. The best bid of an empty side is 0. */
const NONE_ABOVE = 0xff_ffff

/** Book state as returned by the contract's `stateOf`. */
export type AveragedBook = Readonly<{
  bestBid: number
  bestAsk: number
  /** In 256ths of a tick; 0 before the first mid. */
  averageTick: number
  /** Second of the last write. */
  changedTime: Seconds
}>

/** Returns the average at `seconds`, in 256ths of a tick; 0 before the first mid. */
export function averageTickAt(book: AveragedBook, seconds: Seconds): bigint {
  const { bestBid, bestAsk } = book
  const average = BigInt(book.averageTick)
  const elapsed = BigInt(Math.max(0, seconds - book.changedTime))
  if (elapsed === 0n || bestBid === 0 || bestAsk === NONE_ABOVE) return average
  const mid = (BigInt(bestBid) + BigInt(bestAsk)) * (AVERAGE_UNIT / 2n)
  if (average === 0n) return mid
  return mid < average
    ? average - partUp(average - mid, elapsed)
    : average + partUp(mid - average, elapsed)
}

const partUp = (distance: bigint, elapsed: bigint) =>
  (distance * elapsed + elapsed + AVERAGE_SECONDS - 1n) / (elapsed + AVERAGE_SECONDS)

/** Returns the price that triggers of a spot market are compared with at `seconds`; 0 for none. */
export const triggerAverage = (book: AveragedBook, seconds: Seconds, priceStep: Price): bigint =>
  (averageTickAt(book, seconds) * priceStep) / AVERAGE_UNIT

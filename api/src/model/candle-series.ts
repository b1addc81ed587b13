// Holds the newest candles of one market at one resolution, and selects those that answer a query.
import { invariant } from '@openvenue/core/assert'
import type { Candle } from '@openvenue/core/records'
import { type BarCounts, CANDLES_MAX } from '@openvenue/wire/candles'

/**
 * Bars of a series kept in memory; older ones are read from the database. Up to twice as many are
 * held, so that evictions are rare.
 */
export const CANDLE_WINDOW_MAX = 1_500

/** A candle with its text once encoded. A changed candle is a new bar. */
export type Bar<T> = { readonly candle: BarCounts; text: T | undefined }

/** Bars by open time, in Unix seconds, bounds included. `toSeconds` undefined: up to now. */
export type BarsQuery = Readonly<{
  fromSeconds?: number | undefined
  toSeconds?: number | undefined
  /** Number of newest bars not after `toSeconds`; overrides `fromSeconds`. */
  countback?: number | undefined
}>

/** Bars to read from the database, before those of the window. */
export type OlderBars = Readonly<{
  fromSeconds: number
  toSeconds: number
  limit: number
  newest: boolean
}>

export type Selection<T> = Readonly<{
  /** From the window, oldest first. */
  bars: readonly Bar<T>[]
  older: OlderBars | undefined
  /** True when newer bars exist than any selected one, so that a trade cannot change the answer. */
  isSettled: boolean
}>

/** `T` is the text that the encoder keeps for a bar. */
export class CandleSeries<T> {
  /** Oldest first, without gaps: every bar of the series from the first of these on. */
  #bars: Bar<T>[]
  /** True when the window reaches back to the first bar of the series. */
  #isWhole: boolean
  #version: number
  #settledVersion: number
  readonly #nextVersion: () => number

  /**
   * `candles` are the newest of the series, oldest first; all of them if `isWhole`. `nextVersion`
   * returns rising numbers.
   */
  constructor(candles: readonly Candle[], isWhole: boolean, nextVersion = countUp()) {
    this.#bars = candles.map((candle) => makeBar<T>(candle))
    this.#isWhole = isWhole
    this.#nextVersion = nextVersion
    this.#version = nextVersion()
    this.#settledVersion = this.#version
  }

  /** Bars in memory. */
  get size(): number {
    return this.#bars.length
  }

  /** Rises whenever a bar changes. */
  get version(): number {
    return this.#version
  }

  /** Rises whenever a bar other than the newest may have changed, which takes a reorg. */
  get settledVersion(): number {
    return this.#settledVersion
  }

  get newest(): BarCounts | undefined {
    return this.#bars.at(-1)?.candle
  }

  /**
   * Applies a change of the feed. `after` is the new newest candle; it is undefined when an undo
   * removed the series' first candle. Returns whether bars left the window, so that earlier
   * selections may be incomplete.
   */
  apply(after: Candle | undefined): boolean {
    this.#version = this.#nextVersion()
    if (after === undefined) {
      this.#bars = []
      this.#isWhole = true
      this.#settledVersion = this.#version
      return true
    }
    const hasDropped = this.#dropAfter(after.openSeconds)
    if (this.newest?.openSeconds === after.openSeconds) this.#bars.pop()
    this.#bars.push(makeBar(after))
    if (this.#bars.length < 2 * CANDLE_WINDOW_MAX) return hasDropped
    this.#bars.splice(0, this.#bars.length - CANDLE_WINDOW_MAX)
    this.#isWhole = false
    return true
  }

  /** Selects bars by open time. Synchronous: `older` describes the bars that the window lacks. */
  select({ fromSeconds = 0, toSeconds = SECONDS_MAX, countback }: BarsQuery): Selection<T> {
    const end = this.#firstAfter(toSeconds)
    const isSettled = end < this.#bars.length
    const lastOlder = Math.min(toSeconds, (this.#bars[0]?.candle.openSeconds ?? SECONDS_MAX) - 1)
    if (countback === undefined) {
      const start = this.#firstAfter(fromSeconds - 1)
      const isOlderWanted = !this.#isWhole && fromSeconds <= lastOlder
      const older = { fromSeconds, toSeconds: lastOlder, limit: CANDLES_MAX, newest: false }
      return {
        bars: this.#bars.slice(start, end),
        older: isOlderWanted ? older : undefined,
        isSettled,
      }
    }
    const limit = Math.min(countback, CANDLES_MAX)
    const bars = this.#bars.slice(Math.max(0, end - limit), end)
    const isOlderWanted = !this.#isWhole && bars.length < limit
    const older = { fromSeconds: 0, toSeconds: lastOlder, limit: limit - bars.length, newest: true }
    return { bars, older: isOlderWanted ? older : undefined, isSettled }
  }

  /**
   * Returns the open time of the newest bar before `seconds`, undefined when there is none, and
   * `'older'` when only the database knows it.
   */
  openBefore(seconds: number): number | undefined | 'older' {
    const bar = this.#bars[this.#firstAfter(seconds - 1) - 1]
    if (bar !== undefined) return bar.candle.openSeconds
    return this.#isWhole ? undefined : 'older'
  }

  /** Returns the index of the first bar that opens after `seconds`. */
  #firstAfter(seconds: number): number {
    let low = 0
    let high = this.#bars.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const bar = this.#bars[middle]
      invariant(bar !== undefined, 'a middle lies between its ends', { low, high })
      if (bar.candle.openSeconds <= seconds) low = middle + 1
      else high = middle
    }
    return low
  }

  #dropAfter(openSeconds: number): boolean {
    const end = this.#firstAfter(openSeconds)
    if (end === this.#bars.length) return false
    this.#bars.length = end
    this.#settledVersion = this.#version
    return true
  }
}

/** Yields the bars of a selection with its older ones, at most the oldest 5000. */
export function* merged<T>(
  { bars }: Selection<T>,
  older: Iterable<BarCounts>,
): Generator<Bar<T>, void, undefined> {
  let left = CANDLES_MAX
  for (const candle of older) {
    if (left-- === 0) return
    // A separate literal: bars of `barOf` are long-lived (decision 0012).
    yield { candle, text: undefined }
  }
  yield* bars.slice(0, left)
}

export const makeBar = <T>(candle: BarCounts): Bar<T> => ({ candle, text: undefined })

const countUp = () => {
  let count = 0
  return () => ++count
}

/** Beyond every block time: 9999-12-31. */
export const SECONDS_MAX = 253_402_300_799

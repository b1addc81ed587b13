// Keeps the newest candles of one market at one resolution, and finds those that answer a query.
import { invariant } from '@openvenue/core/assert'
import type { Candle } from '@openvenue/core/records'
import { type BarCounts, CANDLES_MAX } from '@openvenue/wire/candles'

/**
 * Bars of a series kept in memory; older ones are read from the database. Up to twice as many are
 * held before the oldest leave, so that they leave seldom.
 */
export const CANDLE_WINDOW_MAX = 1_500

/** A candle and, once somebody asked for it, its text. A changed candle is another bar. */
export type Bar<T> = { readonly candle: BarCounts; text: T | undefined }

/** Bars wanted by open time, in Unix seconds, bounds included. `toSeconds` undefined: up to now. */
export type BarsQuery = Readonly<{
  fromSeconds?: number | undefined
  toSeconds?: number | undefined
  /** The newest so many bars not after `toSeconds`, whatever `fromSeconds` says. */
  countback?: number | undefined
}>

/** The bars that the database must put in front of those of the window. */
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
  /** Newer bars exist than any that was asked for, so a new trade cannot change the answer. */
  isSettled: boolean
}>

/** `T` is whatever text the encoder keeps for a bar. */
export class CandleSeries<T> {
  /** Oldest first, without gaps: every bar of the series from the first of these on. */
  #bars: Bar<T>[]
  /** Whether the window reaches back to the first bar of the series. */
  #isWhole: boolean
  #version: number
  #settledVersion: number
  readonly #nextVersion: () => number

  /**
   * `candles` are the newest of the series, oldest first; all of them if `isWhole`. `nextVersion`
   * gives numbers that rise.
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

  /** Rises whenever a bar that was not the newest may have changed, which takes a reorg. */
  get settledVersion(): number {
    return this.#settledVersion
  }

  get newest(): BarCounts | undefined {
    return this.#bars.at(-1)?.candle
  }

  /**
   * Puts a change of the feed into the window. `after` is the newest candle from now on; it is
   * undefined when an undo took the first candle of the series away. Returns whether bars left the
   * window, so that what was in memory may not be any more.
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

  /** Chooses bars by open time. Never waits: what the window lacks is described in `older`. */
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
   * Returns the open time of the newest bar before `seconds`, `undefined` when there is none, and
   * `'older'` when only the database knows.
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

/** Yields the bars of a selection once its older ones are read: the oldest 5000 of them at most. */
export function* merged<T>(
  { bars }: Selection<T>,
  older: Iterable<BarCounts>,
): Generator<Bar<T>, void, undefined> {
  let left = CANDLES_MAX
  for (const candle of older) {
    if (left-- === 0) return
    // A literal of its own: that of `barOf` makes bars that stay (decision 0012).
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

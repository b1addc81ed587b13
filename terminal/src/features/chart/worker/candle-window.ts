// Keeps the drawn candles, up to a maximum number, and which of them have not been posted.
import type { shapes } from 'openvenue'

/** No more are kept, and drawn: what is asked for at one end leaves at the other. */
export const WINDOW_MAX = 3_000

/** With the mark and the index at its end, as decimal text, where they are shown. */
export type WindowCandle = Pick<
  shapes.Candle,
  'time' | 'close_time' | 'open' | 'high' | 'low' | 'close' | 'volume'
> &
  Readonly<{ mark?: string | undefined; index?: string | undefined }>

type WindowNews = Readonly<{ isWhole: boolean; candles: readonly WindowCandle[] }>

export class CandleWindow {
  /** Oldest first. */
  #all: readonly WindowCandle[] = []
  #isWhole = true
  /** First candle that was not taken yet. */
  #changedFrom = Number.POSITIVE_INFINITY
  #hasNewest = true

  /** True if the newest candle is included. */
  get hasNewest(): boolean {
    return this.#hasNewest
  }

  get all(): readonly WindowCandle[] {
    return this.#all
  }

  find(time: number): WindowCandle | undefined {
    return this.#all.find((candle) => candle.time === time)
  }

  /** Replaces all candles. */
  replace(candles: readonly WindowCandle[]): void {
    this.#all = candles.slice(-WINDOW_MAX)
    this.#hasNewest = true
    this.#isWhole = true
  }

  /** Takes the newest ones, those that are known already as well; what is between is not missed. */
  putNewest(candles: readonly WindowCandle[]): void {
    const [first] = candles
    if (first === undefined || !this.#hasNewest) return
    const byTime = new Map(this.#all.map((candle) => [candle.time, candle]))
    const older = this.#all.filter(({ time }) => time < first.time)
    // Messages have no line values, so known ones are kept.
    const news = candles.map((candle) => ({ ...linesOf(byTime.get(candle.time)), ...candle }))
    this.#all = [...older, ...news]
    this.#changedFrom = Math.min(this.#changedFrom, first.time)
    if (this.#all.length > WINDOW_MAX) this.replace(this.#all)
  }

  /** Blocks were taken back: this one is the newest now. */
  cutTo(newest: WindowCandle): void {
    if (!this.#hasNewest) return
    const older = this.#all.filter(({ time }) => time < newest.time)
    this.replace([...older, { ...linesOf(this.find(newest.time)), ...newest }])
  }

  /** Takes those before the oldest; what does not fit leaves at the other end. */
  prepend(older: readonly WindowCandle[]): void {
    if (older.length === 0) return
    const all = [...older, ...this.#all]
    this.#hasNewest &&= all.length <= WINDOW_MAX
    this.#all = all.slice(0, WINDOW_MAX)
    this.#isWhole = true
  }

  /** Takes those after the last one, where the newest is not among them. */
  append(newer: readonly WindowCandle[], hasNewest: boolean): void {
    this.#all = [...this.#all, ...newer].slice(-WINDOW_MAX)
    this.#hasNewest = hasNewest
    this.#isWhole = true
  }

  /** Adds line values to candles; all of them are redrawn. */
  line(lined: (candle: WindowCandle) => WindowCandle): void {
    this.#all = this.#all.map(lined)
    this.#isWhole = true
  }

  /** Puts prices on the newest candle. */
  lineNewest(lines: Readonly<{ mark?: string; index?: string }>): void {
    const last = this.#all.at(-1)
    if (last !== undefined) this.putNewest([{ ...last, ...lines }])
  }

  /** All are to be posted, whoever has them already. */
  beginAnew(): void {
    this.#isWhole = true
  }

  /** Returns what was not taken yet. */
  take(): WindowNews {
    const isWhole = this.#isWhole
    const candles = isWhole ? this.#all : this.#all.filter(({ time }) => time >= this.#changedFrom)
    this.#isWhole = false
    this.#changedFrom = Number.POSITIVE_INFINITY
    return { isWhole, candles }
  }
}

/** Returns a candle as it is where no lines are shown. */
export const withoutLines = (candle: WindowCandle): WindowCandle => ({
  ...candle,
  mark: undefined,
  index: undefined,
})

const linesOf = (candle: WindowCandle | undefined) => {
  const { mark, index } = candle ?? {}
  return { ...(mark !== undefined && { mark }), ...(index !== undefined && { index }) }
}

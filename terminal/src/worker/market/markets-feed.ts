// Reads what the day did to all markets, and the lines of their prices while these are shown.
import type { Rest, shapes } from 'openvenue'
import { repeat } from '../repeat.ts'
import { type Spark, viewSpark } from './markets-view.ts'

const DAYS_EVERY_MS = 5_000
/** After so long without a message, a newer block says that there was nothing to publish. */
const QUIET_MS = 1_000
const SPARKS_EVERY_MS = 300_000
/** Lines that are kept, and that are asked for at the same time. */
const SPARKS_MAX = 120
const SPARKS_AT_ONCE = 3
const HOURS = 24
const NS_PER_MS = 1_000_000n

/** Of which block a reading is; its time in Unix milliseconds. */
export type DaysBlock = Readonly<{ blockNumber: number; blockMs: number }>

export class MarketsFeed {
  readonly #rest: Rest
  #days: ReadonlyMap<string, shapes.Ticker> = new Map()
  #readMs = Number.NEGATIVE_INFINITY
  readonly #sparks = new Map<string, Readonly<{ spark: Spark; readMs: number }>>()
  #wanted: string[] = []

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** The day of a market; undefined before it was read. */
  day(name: string): shapes.Ticker | undefined {
    return this.#days.get(name)
  }

  /** Reads the days from now on, sooner where nothing else comes. */
  async follow(quietMs: () => number, onDays: (block: DaysBlock) => void): Promise<void> {
    await repeat(async () => {
      if (performance.now() - this.#readMs < DAYS_EVERY_MS && quietMs() < QUIET_MS) return
      onDays(await this.readDays())
    }, QUIET_MS)
  }

  /** Reads the day of every market, and returns the block that it ends with: the venue's newest. */
  async readDays(): Promise<DaysBlock> {
    const { body, blockNumber = 0 } = await this.#rest.ask('GET /tickers')
    this.#readMs = performance.now()
    this.#days = new Map(body.tickers.map((day) => [day.instrument_name, day]))
    return { blockNumber, blockMs: Number(BigInt(body.timestamp) / NS_PER_MS) }
  }

  /**
   * Reads the lines of those markets, of each unless that was done lately, a few at a time. Those
   * of the next call take the place of what has not begun: the screen has moved on.
   */
  async readSparks(names: readonly string[], show: (sparks: readonly Spark[]) => void) {
    this.#wanted = names.filter((name) => !this.#isFresh(name))
    const read = async () => {
      for (let name = this.#wanted.shift(); name !== undefined; name = this.#wanted.shift()) {
        const readMs = performance.now()
        this.#keep(viewSpark(name, await this.#readCloses(name)), readMs)
        show([...this.#sparks.values()].map(({ spark }) => spark))
      }
    }
    await Promise.all(Array.from({ length: SPARKS_AT_ONCE }, read))
  }

  #isFresh(name: string): boolean {
    const kept = this.#sparks.get(name)
    return kept !== undefined && performance.now() - kept.readMs < SPARKS_EVERY_MS
  }

  #keep(spark: Spark, readMs: number): void {
    this.#sparks.delete(spark.name)
    this.#sparks.set(spark.name, { spark, readMs })
    // The one that was read first goes first.
    const [oldest = ''] = this.#sparks.keys()
    if (this.#sparks.size > SPARKS_MAX) this.#sparks.delete(oldest)
  }

  async #readCloses(name: string): Promise<readonly string[]> {
    const from = Math.floor(Date.now() / 1000) - HOURS * 3600
    const query = { instrument_name: name, resolution: '60', from, fill: 'previous' } as const
    const candles = await this.#rest.call('GET /candles', { query })
    const [first, ...others] = candles
    if (first === undefined) return []
    // The first hour has an opening, too: a market of one hour has a line.
    return [first.open, first.close, ...others.map(({ close }) => close)]
  }
}

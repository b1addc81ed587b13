// Reads what the day did to all markets, and the lines of their prices while these are shown.
import type { Rest, shapes } from 'openvenue'
import { repeat } from '../repeat.ts'
import { type Spark, viewSpark } from './markets-view.ts'

const DAYS_EVERY_MS = 5_000
/** After so long without a message, a newer block says that there was nothing to publish. */
const QUIET_MS = 1_000
const SPARKS_EVERY_MS = 300_000
const HOURS = 24
const NS_PER_MS = 1_000_000n

/** Of which block a reading is; its time in Unix milliseconds. */
export type DaysBlock = Readonly<{ blockNumber: number; blockMs: number }>

export class MarketsFeed {
  readonly #rest: Rest
  #days: ReadonlyMap<string, shapes.Ticker> = new Map()
  #sparksMs = Number.NEGATIVE_INFINITY

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** The day of a market; undefined before it was read. */
  day(name: string): shapes.Ticker | undefined {
    return this.#days.get(name)
  }

  /** Reads the days from now on, sooner where nothing else comes. */
  async follow(quietMs: () => number, onDays: (block: DaysBlock) => void): Promise<void> {
    let readMs = Number.NEGATIVE_INFINITY
    await repeat(async () => {
      if (performance.now() - readMs < DAYS_EVERY_MS && quietMs() < QUIET_MS) return
      const { body, blockNumber = 0 } = await this.#rest.ask('GET /tickers')
      readMs = performance.now()
      this.#days = new Map(body.tickers.map((day) => [day.instrument_name, day]))
      onDays({ blockNumber, blockMs: Number(BigInt(body.timestamp) / NS_PER_MS) })
    }, QUIET_MS)
  }

  /** Reads the lines of those markets, unless that was done lately. */
  async readSparks(names: readonly string[], show: (sparks: readonly Spark[]) => void) {
    const nowMs = performance.now()
    if (names.length === 0 || nowMs - this.#sparksMs < SPARKS_EVERY_MS) return
    this.#sparksMs = nowMs
    const sparks: Spark[] = []
    for (const name of names) {
      sparks.push(viewSpark(name, await this.#readCloses(name)))
      show([...sparks])
    }
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

// Reads the daily statistics of all markets, price lines while they are visible, and the time until
// the next funding of one market.
import type { Rest, shapes, VenueSocket } from 'openvenue'
import { repeat } from '../../../protocol/worker/retry.ts'
import { showCountdown } from '../../../text/short-texts.ts'
import type { Spark } from '../market-protocol.ts'
import { viewSpark } from './market-view.ts'

const TICK_MS = 1_000
const DAYS_EVERY_MS = 5_000
/** Time without a message after which a newer block means that there was nothing to publish. */
const QUIET_MS = 1_000
const SPARKS_EVERY_MS = 300_000
/** Number of price lines kept, and requested in parallel. */
const SPARKS_MAX = 120
const SPARKS_AT_ONCE = 3
const HOURS = 24
const NS_PER_MS = 1_000_000n

/** Block of a reading; its time in Unix milliseconds. */
export type DaysBlock = Readonly<{ blockNumber: number; blockMs: number }>

export class MarketsFeed {
  readonly #rest: Rest
  #days: ReadonlyMap<string, shapes.Ticker> = new Map()
  #readMs = Number.NEGATIVE_INFINITY
  readonly #sparks = new Map<string, Readonly<{ spark: Spark; readMs: number }>>()
  #missing: string[] = []

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Returns the daily statistics of a market; undefined before they are read. */
  day(name: string): shapes.Ticker | undefined {
    return this.#days.get(name)
  }

  /** Re-reads the statistics periodically, sooner if no message arrives. */
  async follow(quietMs: () => number, onDays: (block: DaysBlock) => void): Promise<void> {
    await repeat(async () => {
      if (performance.now() - this.#readMs < DAYS_EVERY_MS && quietMs() < QUIET_MS) return
      onDays(await this.readDays())
    }, QUIET_MS)
  }

  /** Reads the statistics of every market, and returns the venue's newest block. */
  async readDays(): Promise<DaysBlock> {
    const { body, blockNumber = 0 } = await this.#rest.ask('GET /tickers')
    this.#readMs = performance.now()
    this.#days = new Map(body.tickers.map((day) => [day.instrument_name, day]))
    return { blockNumber, blockMs: Number(BigInt(body.timestamp) / NS_PER_MS) }
  }

  /**
   * Reads the price lines of markets unless they are fresh, a few at a time. A new call replaces
   * what has not started: the screen has moved on.
   */
  async readSparks(names: readonly string[], show: (sparks: readonly Spark[]) => void) {
    this.#missing = names.filter((name) => !this.#isFresh(name))
    const read = async () => {
      for (let name = this.#missing.shift(); name !== undefined; name = this.#missing.shift()) {
        const readMs = performance.now()
        this.#storeSpark(viewSpark(name, await this.#readCloses(name)), readMs)
        show([...this.#sparks.values()].map(({ spark }) => spark))
      }
    }
    await Promise.all(Array.from({ length: SPARKS_AT_ONCE }, read))
  }

  #isFresh(name: string): boolean {
    const stored = this.#sparks.get(name)
    return stored !== undefined && performance.now() - stored.readMs < SPARKS_EVERY_MS
  }

  #storeSpark(spark: Spark, readMs: number): void {
    this.#sparks.delete(spark.name)
    this.#sparks.set(spark.name, { spark, readMs })
    // Evicts the line that was read first.
    const [oldest = ''] = this.#sparks.keys()
    if (this.#sparks.size > SPARKS_MAX) this.#sparks.delete(oldest)
  }

  async #readCloses(name: string): Promise<readonly string[]> {
    const from = Math.floor(Date.now() / 1000) - HOURS * 3600
    const query = { instrument_name: name, resolution: '60', from, fill: 'previous' } as const
    const candles = await this.#rest.call('GET /candles', { query })
    const [first, ...others] = candles
    if (first === undefined) return []
    // Starts with the opening price, so that a market of one hour has a line, too.
    return [first.open, first.close, ...others.map(({ close }) => close)]
  }
}

type FundingSource = Readonly<{
  socket: VenueSocket
  /** The venue's clock. Unix milliseconds. */
  nowMs: () => number
  show: (text: string) => void
}>

/** Reports the time until the next funding each second, until `signal` aborts. */
export async function followFunding(
  { socket, nowMs, show }: FundingSource,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  let nextMs = 0
  const tick = () => show(nextMs === 0 ? '' : showCountdown(nextMs - nowMs()))
  const timer = setInterval(tick, TICK_MS)
  try {
    for await (const { data } of socket.subscribe(`funding:${name}`, { signal })) {
      nextMs = data.next_funding_time
      tick()
    }
  } finally {
    clearInterval(timer)
  }
}

// The age of this node's data, and its distance from the chain (decision 0029). This class makes no
// requests: its callers report the feed's and the chain's answers with their times.
import { NO_LOG, Outage, type OutageLog } from '@openvenue/runtime/outage'
import type { VenueModel } from './venue-model.ts'

/** Default number of blocks that a node may be behind. */
export const LAG_MAX = 20
/** Age at which the feed counts as not read, ms: it is read every second. */
export const FEED_SILENCE_MS_MAX = 4000
/** Age at which the chain's head counts as unknown, ms: it is requested every second. */
export const CHAIN_SILENCE_MS_MAX = 5000
/** Heads that the model has yet to reach; the oldest determines the age of the data. */
const AWAITED_MAX = 64

type FreshnessDeps = Readonly<{
  model: VenueModel
  clock: Readonly<{ nowMs: () => number; monotonicMs: () => number }>
  /** INDEXER_LAG_MAX. */
  lagMax: number
}>

export class Freshness {
  readonly #deps: FreshnessDeps
  readonly #awaited: Readonly<{ number: number; askedMs: number }>[] = []
  /** Time at which the chain had nothing that the model lacked. */
  #wholeMs: number
  /** Time of the newest block: the best estimate while the chain does not answer. */
  #blockMs: number
  #chainMs = Number.NEGATIVE_INFINITY
  #chainHead: number | undefined
  #feedMs: number | undefined
  #isBehind = false

  constructor(deps: FreshnessDeps) {
    this.#deps = deps
    this.#wholeMs = deps.clock.monotonicMs()
    this.#blockMs = this.#wholeMs
    deps.model.onEntry(() => this.#moved())
    deps.model.onLoad(() => this.#moved())
  }

  get lagMax(): number {
    return this.#deps.lagMax
  }

  /** True when the model lacks more than `lagMax` known blocks, so that its data misleads. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Known blocks of the chain that the model lacks; undefined while none is known. */
  get lag(): number | undefined {
    return this.lagTo(this.#chainHead)
  }

  /** Time at which the data was current, on the monotonic clock. Idle chains stay fresh. */
  get currentMs(): number {
    const isHeard = this.#deps.clock.monotonicMs() - this.#chainMs < CHAIN_SILENCE_MS_MAX
    return isHeard ? this.#wholeMs : Math.max(this.#wholeMs, this.#blockMs)
  }

  /** Milliseconds since then, or since `currentMs`. */
  ageMs(currentMs = this.currentMs): number {
    return Math.max(0, Math.round(this.#deps.clock.monotonicMs() - currentMs))
  }

  /** Returns whether the feed has not been read for too long; it is read every second. */
  get isFeedSilent(): boolean {
    if (this.#feedMs === undefined) return false
    return this.#deps.clock.monotonicMs() - this.#feedMs > FEED_SILENCE_MS_MAX
  }

  /** Returns by how many blocks the model is behind a head. */
  lagTo(head: number | undefined): number | undefined {
    const headNumber = this.#deps.model.head?.number
    return headNumber === undefined || head === undefined
      ? undefined
      : Math.max(0, head - headNumber)
  }

  /** Called when the database has answered a feed read. */
  feedRead(): void {
    this.#feedMs = this.#deps.clock.monotonicMs()
  }

  /**
   * Called when a chain node, asked at `askedMs`, reported block `number` as its head. A node that
   * is more than `lagMax` behind the model is ignored.
   */
  chainSeen(number: number, askedMs: number): void {
    const headNumber = this.#deps.model.head?.number
    if (headNumber !== undefined && number < headNumber - this.#deps.lagMax) return
    this.#chainMs = askedMs
    this.#chainHead = number
    if (this.#awaited.length >= AWAITED_MAX) this.#awaited.pop()
    this.#awaited.push({ number, askedMs })
    this.#caughtUp()
  }

  #moved(): void {
    const { model, clock } = this.#deps
    if (model.head === undefined) return
    const blockAgeMs = Math.max(0, clock.nowMs() - model.head.seconds * 1000)
    this.#blockMs = clock.monotonicMs() - blockAgeMs
    this.#caughtUp()
  }

  #caughtUp(): void {
    const headNumber = this.#deps.model.head?.number ?? -1
    while (this.#awaited[0] !== undefined && this.#awaited[0].number <= headNumber) {
      this.#wholeMs = Math.max(this.#wholeMs, this.#awaited[0].askedMs)
      this.#awaited.shift()
    }
    this.#isBehind = (this.lag ?? 0) > this.#deps.lagMax
  }
}

/** Interval of requests for the chain's head, ms. */
const HEAD_POLL_MS = 1000

type HeadWatchDeps = Readonly<{
  freshness: Freshness
  /** Answers or fails within a second. */
  askHead: () => Promise<Readonly<{ head?: number; error?: string }>>
  log?: OutageLog
  clock: Readonly<{
    monotonicMs: () => number
    delay: (ms: number, signal: AbortSignal) => Promise<unknown>
  }>
}>

/** Requests the chain's head every second, until `signal` aborts. */
export async function watchHead(
  { freshness, askHead, clock, log = NO_LOG }: HeadWatchDeps,
  signal: AbortSignal,
): Promise<void> {
  const chain = new Outage({
    log,
    down: 'no node of the chain answers',
    up: 'a node of the chain answers again',
    nowMs: clock.monotonicMs,
  })
  while (!signal.aborted) {
    const askedMs = clock.monotonicMs()
    const { head, error } = await askHead().catch((error: unknown) => ({ head: undefined, error }))
    if (head === undefined) chain.failed(error)
    else {
      chain.recovered()
      freshness.chainSeen(head, askedMs)
    }
    await clock.delay(HEAD_POLL_MS, signal)
  }
}

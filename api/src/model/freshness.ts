// Knows how old the data of this node is, and how far it is behind the chain (decision 0029).
// Nothing here asks anybody: it is given what the feed and the chain said, and when they were
// asked.
import type { VenueModel } from './venue-model.ts'

/** Blocks that a node may be behind, where nobody says otherwise. */
export const LAG_MAX = 20
/** A feed of which nothing was heard for so long is not read: it is looked at every second. */
export const FEED_SILENCE_MS_MAX = 4000
/** A chain whose head has not come for so long is not heard: it is asked every second. */
export const CHAIN_SILENCE_MS_MAX = 5000
/** Heads that the model has yet to reach; the oldest say how old its data is. */
const AWAITED_MAX = 64

export type FreshnessDeps = Readonly<{
  model: VenueModel
  clock: Readonly<{ nowMs: () => number; monotonicMs: () => number }>
  /** INDEXER_LAG_MAX. */
  lagMax: number
}>

type Seen = Readonly<{ number: number; askedMs: number }>

export class Freshness {
  readonly #deps: FreshnessDeps
  readonly #awaited: Seen[] = []
  /** When the chain had nothing that the model has not. */
  #wholeMs: number
  /**
   * When the newest block was the head, by its own time: what is known where the chain is silent.
   */
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

  /** More than `lagMax` blocks are known that the model lacks: what it shows misleads. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Blocks that the chain is known to have and the model lacks; undefined while none is known. */
  get lag(): number | undefined {
    return this.lagTo(this.#chainHead)
  }

  /** When the data was the newest there was, on the monotonic clock. Idle chains stay fresh. */
  get currentMs(): number {
    const isHeard = this.#deps.clock.monotonicMs() - this.#chainMs < CHAIN_SILENCE_MS_MAX
    return isHeard ? this.#wholeMs : Math.max(this.#wholeMs, this.#blockMs)
  }

  /** Milliseconds since then, or since `currentMs`. */
  ageMs(currentMs = this.currentMs): number {
    return Math.max(0, Math.round(this.#deps.clock.monotonicMs() - currentMs))
  }

  /**
   * Whether the feed, which is read every second, has not been read for longer than it may take.
   */
  get isFeedSilent(): boolean {
    if (this.#feedMs === undefined) return false
    return this.#deps.clock.monotonicMs() - this.#feedMs > FEED_SILENCE_MS_MAX
  }

  /** Returns how many blocks the model is behind a head. */
  lagTo(head: number | undefined): number | undefined {
    const own = this.#deps.model.head?.number
    return own === undefined || head === undefined ? undefined : Math.max(0, head - own)
  }

  /** The database answered what the feed has after the model. */
  feedRead(): void {
    this.#feedMs = this.#deps.clock.monotonicMs()
  }

  /**
   * A node of the chain, asked at `askedMs`, said that block `number` is its head. One that is
   * further behind than the model may be says nothing about the chain.
   */
  chainSeen(number: number, askedMs: number): void {
    const own = this.#deps.model.head?.number
    if (own !== undefined && number < own - this.#deps.lagMax) return
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
    const own = this.#deps.model.head?.number ?? -1
    while (this.#awaited[0] !== undefined && this.#awaited[0].number <= own) {
      this.#wholeMs = Math.max(this.#wholeMs, this.#awaited[0].askedMs)
      this.#awaited.shift()
    }
    this.#isBehind = (this.lag ?? 0) > this.#deps.lagMax
  }
}

/** How often the chain is asked for its head. */
const HEAD_POLL_MS = 1000

export type HeadWatchDeps = Readonly<{
  freshness: Freshness
  /** Answers or fails within a second. */
  askHead: () => Promise<Readonly<{ head?: number }>>
  clock: Readonly<{
    monotonicMs: () => number
    delay: (ms: number, signal: AbortSignal) => Promise<unknown>
  }>
}>

/** Asks the chain for its head every second, until `signal` aborts. */
export async function watchHead(
  { freshness, askHead, clock }: HeadWatchDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const askedMs = clock.monotonicMs()
    const { head } = await askHead().catch(() => ({ head: undefined }))
    if (head !== undefined) freshness.chainSeen(head, askedMs)
    await clock.delay(HEAD_POLL_MS, signal)
  }
}

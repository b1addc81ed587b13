// Tracks pending intents from the log, and which of them wait for a transaction.
import { laneOf } from '@openvenue/core/relay'
import type { Outage } from '@openvenue/runtime/outage'
import { Signal } from '@openvenue/runtime/signal'
import { LISTEN_FALLBACK_MS } from '@openvenue/store/db/db'
import { entriesAfter } from '@openvenue/store/intents/intent-tail'
import {
  type Intent,
  type IntentLogEntry,
  type IntentState,
  type Intents,
  LIVE_STATES,
} from '@openvenue/store/intents/intents'
import type { Clock } from '../clock.ts'

/** An intent that has not ended, and its progress in this process. */
export type TrackedIntent = {
  intent: Intent
  readonly lane: string
  /** Its place in the lane: the log entry of its promise, or of its release if it was held. */
  arrival: number
  /** True in a window, and in a transaction whose outcome is unknown. */
  isCarried: boolean
  /** Number of its transactions without a decision. */
  tries: number
  /** Skipped while the head is below this block. */
  fromBlock: number
}

/** Maximum number of log entries per read. */
const ENTRIES_MAX = 500
const RETRY_MS = 250
/** Maximum number of remembered intents that ended without the chain. */
const GIVEN_UP_MAX = 10_000

type QueueDeps = Readonly<{
  intents: Intents
  /** Number of order lanes. */
  orderLanes: number
  clock: Clock
  /** Outage of the log. */
  outage: Pick<Outage, 'failed' | 'recovered'>
}>

export class IntentQueue {
  readonly #deps: QueueDeps
  readonly #tracked = new Map<string, TrackedIntent>()
  readonly #queued = new Map<string, Set<TrackedIntent>>()
  readonly #listeners = new Set<() => void>()
  readonly #grown = new Signal()
  /** Blocks before which intents are skipped that the log does not show as queued yet. */
  readonly #holds = new Map<string, number>()
  /** Recently given up: a transaction included again after an undone block may place them. */
  readonly #givenUp = new Set<string>()
  #seq = 0
  /** The pending read of the log; reads are sequential. */
  #reading: Promise<void> = Promise.resolve()

  constructor(deps: QueueDeps) {
    this.#deps = deps
  }

  get(id: string): TrackedIntent | undefined {
    return this.#tracked.get(id)
  }

  /** Returns whether it was refused or expired recently. */
  isGivenUp(id: string): boolean {
    return this.#givenUp.has(id)
  }

  /** Records intents as given up. */
  rememberGivenUp(ids: readonly string[]): void {
    for (const id of ids) this.#giveUp(id)
  }

  /** Returns every intent that has not ended. */
  all(): Iterable<TrackedIntent> {
    return this.#tracked.values()
  }

  /** Returns the intents of a lane that wait for a transaction and are in none, by arrival. */
  listWaiting(lane: string): TrackedIntent[] {
    return [...(this.#queued.get(lane) ?? [])]
      .filter(({ isCarried }) => !isCarried)
      .sort((a, b) => a.arrival - b.arrival)
  }

  /** Skips intents that are about to be requeued until the head reaches a block. */
  hold(ids: readonly string[], fromBlock: number): void {
    for (const id of ids) this.#holds.set(id, fromBlock)
  }

  /** Calls `listener` after steps were applied. Returns the function that stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Loads the live intents; retries until the database answers or `signal` aborts. */
  async load(signal: AbortSignal): Promise<void> {
    const { clock, outage } = this.#deps
    while (!signal.aborted) {
      try {
        return await this.#loadLive()
      } catch (error) {
        outage.failed(error)
        await clock.delay(RETRY_MS, signal)
      }
    }
  }

  /** Tracks the live intents, and no others. */
  async #loadLive(): Promise<void> {
    const { intents } = this.#deps
    const { seq, intents: live } = await intents.live()
    const released = await intents.promisesOf(live.filter(wasHeld).map(({ id }) => id))
    this.#seq = seq
    const ids = new Set(live.map(({ id }) => id))
    for (const { intent, arrival } of this.#tracked.values())
      if (!ids.has(intent.id)) this.#put({ ...intent, state: 'withdrawn' }, arrival)
    for (const intent of live) this.#put(intent, released.get(intent.id)?.seq ?? intent.seq)
  }

  /** Follows the log until `signal` aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { intents, clock, outage } = this.#deps
    const stop = intents.onLog(() => this.#grown.set())
    signal.addEventListener('abort', () => this.#grown.set(), { once: true })
    while (!signal.aborted) {
      let pauseMs = LISTEN_FALLBACK_MS
      await this.refresh().then(
        () => outage.recovered(),
        (error: unknown) => {
          pauseMs = RETRY_MS
          outage.failed(error)
        },
      )
      await this.#grown.wait((quiet) => clock.delay(pauseMs, AbortSignal.any([quiet, signal])))
    }
    stop()
  }

  /** Reads the new entries of the log. */
  refresh(): Promise<void> {
    const next = this.#reading.catch(() => {}).then(() => this.#read())
    this.#reading = next
    return next
  }

  async #read(): Promise<void> {
    const { intents } = this.#deps
    for (;;) {
      const entries = await entriesAfter(intents, this.#seq, ENTRIES_MAX)
      if (entries === 'gone') {
        await this.#loadLive()
        for (const listener of this.#listeners) listener()
        continue
      }
      if (entries.length === 0) return
      const absent = entries.filter(
        ({ id, state, intent }) => intent === undefined && !this.#tracked.has(id) && isLive(state),
      )
      for (const intent of await intents.find(absent.map(({ id }) => id)))
        this.#put(intent, intent.seq)
      for (const entry of entries) this.#take(entry)
      this.#seq = entries.at(-1)?.seq ?? this.#seq
      for (const listener of this.#listeners) listener()
    }
  }

  #take({ seq, id, state, txHash, blockNumber, reason, atNs, intent }: IntentLogEntry): void {
    const tracked = this.#tracked.get(id)
    const before = intent ?? tracked?.intent
    if (before === undefined) return
    const hash = txHash ?? before.txHash
    const isReleased = before.state === 'received' && state !== 'received'
    const arrival = isReleased ? seq : (tracked?.arrival ?? before.seq)
    this.#put({ ...before, state, txHash: hash, blockNumber, reason, updatedNs: atNs }, arrival)
  }

  #giveUp(id: string): void {
    this.#givenUp.add(id)
    if (this.#givenUp.size <= GIVEN_UP_MAX) return
    const [oldest = ''] = this.#givenUp
    this.#givenUp.delete(oldest)
  }

  #put(intent: Intent, arrival: number): void {
    const { id, payload, market, state } = intent
    const lane = laneOf(payload.kind, market, this.#deps.orderLanes)
    const tracked = this.#tracked.get(id) ?? {
      intent,
      lane,
      arrival,
      isCarried: false,
      tries: 0,
      fromBlock: 0,
    }
    tracked.intent = intent
    tracked.arrival = arrival
    tracked.fromBlock = this.#holds.get(id) ?? tracked.fromBlock
    this.#holds.delete(id)
    if (isLive(state)) this.#tracked.set(id, tracked)
    else this.#tracked.delete(id)
    if (state === 'refused' || state === 'expired') this.#giveUp(id)
    const queued = this.#queued.get(lane) ?? new Set()
    this.#queued.set(lane, queued)
    if (state === 'queued') queued.add(tracked)
    else queued.delete(tracked)
  }
}

/** A held intent is accepted without a promise, which it gets at its release. */
const wasHeld = ({ state, includeByBlock }: Intent) => state !== 'received' && includeByBlock === 0

const isLive = (state: IntentState) => (LIVE_STATES as readonly string[]).includes(state)

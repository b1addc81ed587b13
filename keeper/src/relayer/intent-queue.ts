// Keeps the intents that are on their way as the log has them, and which of them wait for a
// transaction.
import { laneOf } from '@openvenue/core/relay'
import {
  type Intent,
  type IntentLogEntry,
  type IntentState,
  type Intents,
  LIVE_STATES,
} from '@openvenue/store/intents'
import { Signal } from '@openvenue/store/signal'
import type { Clock } from '../clock.ts'

/** An intent that has not ended, and what this process does about it. */
export type Tracked = {
  intent: Intent
  readonly lane: string
  /** Its place in the lane: the entry of the log that promised it, of what was held its release. */
  arrival: number
  /** It is in a window, or in a transaction whose end is not known yet. */
  isCarried: boolean
  /** Transactions that brought no decision. */
  tries: number
  /** It is left alone below this block. */
  fromBlock: number
}

/** Entries of the log read at once. */
const ENTRIES_MAX = 500
/** A signal can be lost with a connection. */
const POLL_MS = 250
const RETRY_MS = 250
/** Of those that have ended without the chain, so many are remembered. */
const GIVEN_UP_MAX = 10_000

type QueueDeps = Readonly<{
  intents: Intents
  /** Lanes of orders. */
  orderLanes: number
  clock: Clock
  onFailure: (error: unknown) => void
}>

export class IntentQueue {
  readonly #deps: QueueDeps
  readonly #tracked = new Map<string, Tracked>()
  readonly #queued = new Map<string, Set<Tracked>>()
  readonly #listeners = new Set<() => void>()
  readonly #grown = new Signal()
  /** Blocks below which intents are left alone that the log does not show as queued yet. */
  readonly #holds = new Map<string, number>()
  /** Given up of late: a transaction that comes again after its block was undone may place them. */
  readonly #givenUp = new Set<string>()
  #seq = 0
  /** Reads of the log run one after the other. */
  #reading: Promise<void> = Promise.resolve()

  constructor(deps: QueueDeps) {
    this.#deps = deps
  }

  get(id: string): Tracked | undefined {
    return this.#tracked.get(id)
  }

  /** Whether it was refused or has expired of late. */
  isGivenUp(id: string): boolean {
    return this.#givenUp.has(id)
  }

  /** Has those be known as given up. */
  rememberGivenUp(ids: readonly string[]): void {
    for (const id of ids) this.#giveUp(id)
  }

  /** All that has not ended. */
  all(): Iterable<Tracked> {
    return this.#tracked.values()
  }

  /** Those of a lane that wait for a transaction and are in none, by arrival. */
  waiting(lane: string): Tracked[] {
    return [...(this.#queued.get(lane) ?? [])]
      .filter(({ isCarried }) => !isCarried)
      .sort((a, b) => a.arrival - b.arrival)
  }

  /** Leaves those alone below a block that are about to be queued again. */
  hold(ids: readonly string[], fromBlock: number): void {
    for (const id of ids) this.#holds.set(id, fromBlock)
  }

  /** Calls `listener` when steps were taken. Returns what stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Loads what there is; asks again until the database answers or `signal` aborts. */
  async load(signal: AbortSignal): Promise<void> {
    const { intents, clock, onFailure } = this.#deps
    while (!signal.aborted) {
      try {
        const { seq, intents: live } = await intents.live()
        this.#seq = seq
        const released = await intents.promisesOf(live.filter(wasHeld).map(({ id }) => id))
        for (const intent of live) this.#put(intent, released.get(intent.id)?.seq ?? intent.seq)
        return
      } catch (error) {
        onFailure(error)
        await clock.delay(RETRY_MS, signal)
      }
    }
  }

  /** Follows the log until `signal` aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { intents, clock, onFailure } = this.#deps
    const stop = intents.onLog(() => this.#grown.set())
    signal.addEventListener('abort', () => this.#grown.set(), { once: true })
    while (!signal.aborted) {
      await this.refresh().catch(onFailure)
      await this.#grown.wait((quiet) => clock.delay(POLL_MS, AbortSignal.any([quiet, signal])))
    }
    stop()
  }

  /** Reads what the log has by now. */
  refresh(): Promise<void> {
    const next = this.#reading.catch(() => {}).then(() => this.#read())
    this.#reading = next
    return next
  }

  async #read(): Promise<void> {
    const { intents } = this.#deps
    for (;;) {
      const entries = await intents.logAfter(this.#seq, ENTRIES_MAX)
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

/** It was accepted without a promise: that came when it was let go. */
const wasHeld = ({ state, includeByBlock }: Intent) => state !== 'received' && includeByBlock === 0

const isLive = (state: IntentState) => (LIVE_STATES as readonly string[]).includes(state)

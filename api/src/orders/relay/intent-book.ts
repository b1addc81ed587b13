// Keeps in memory what the venue has promised and not ended: the live intents, and those whose
// order rests. A node loads them and follows their log, so that any node answers for any order.
import { decodeRelayStatus, type RelayStatus } from '@openvenue/core/relay'
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
import type { VenueModel } from '../../model/venue-model.ts'
import { SaltIndex, type SaltOf } from './salts.ts'

/** Entries of the log read at once. */
const ENTRIES_MAX = 1000
/** Pause before a database that failed is asked again. */
const RETRY_MS = 250
/** Longest wait for entries that are committed already. */
const CURRENT_MS_MAX = 1000
/** Ended intents kept in memory, so that repeats need no read of the database. */
const ENDED_MAX = 10_000

declare module 'fastify' {
  interface FastifyInstance {
    intentBook: IntentBook
  }
}

const isLive = (state: IntentState) => (LIVE_STATES as readonly IntentState[]).includes(state)

type IntentBookDeps = Readonly<{
  intents: Pick<Intents, 'live' | 'logAfter' | 'find' | 'onLog' | 'readStatus'>
  model: VenueModel
  /** Resolves after that many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<unknown>
  outages: Readonly<Record<'intents' | 'status', Outage>>
}>

/** An intent after a step, and the state from which it came; undefined: it is new. */
export type IntentStep = Readonly<{ intent: Intent; from: IntentState | undefined }>

/** The last status of the relayer, and its time. */
export type RelayReport = Readonly<{ status: RelayStatus; updatedMs: number }>

const NONE: ReadonlyMap<string, Intent> = new Map()

export class IntentBook {
  readonly #deps: IntentBookDeps
  #seq = -1
  readonly #byId = new Map<string, Intent>()
  readonly #byAccount = new Map<number, Map<string, Intent>>()
  /** Ids by account and client order id. */
  readonly #byClient = new Map<string, string>()
  /** The newest ended ones, oldest first. */
  readonly #ended = new Map<string, Intent>()
  /** Included ones whose block the model does not have yet. */
  readonly #ahead = new Set<string>()
  readonly #waiting = new Map<string, number>()
  /** Live intents by account. */
  readonly #live = new Map<number, number>()
  readonly #salts = new SaltIndex()
  #held = 0
  readonly #versions = new Map<number, number>()
  #changes = 0
  readonly #onStep: ((step: IntentStep) => void)[] = []
  readonly #onLoad: (() => void)[] = []
  readonly #waiters = new Set<Readonly<{ seq: number; resolve: () => void }>>()
  #relay: RelayReport | undefined

  constructor(deps: IntentBookDeps) {
    this.#deps = deps
    deps.model.on('order', ({ after, before }) => {
      const ref = (after ?? before)?.ref
      if (ref != null && (after === undefined || after.restingLots === 0n)) this.#settle(ref)
    })
    deps.model.onEntry(() => this.#settleAhead())
    deps.model.onLoad(() => this.#settleAll())
  }

  /** The entry of the log last taken in; -1 before the first load. */
  get seq(): number {
    return this.#seq
  }

  /** Intents held: the live ones, and those whose order rests. */
  get size(): number {
    return this.#byId.size
  }

  /** The last status of the relayer; undefined: none so far. */
  get relay(): RelayReport | undefined {
    return this.#relay
  }

  /** Returns the intent with that id, if it is live, its order rests, or it ended lately. */
  find(id: string): Intent | undefined {
    return this.#byId.get(id) ?? this.#ended.get(id)
  }

  /** Returns the live intent, or the one whose order rests, that its client calls so. */
  findByClientOrderId(account: number, clientOrderId: string): Intent | undefined {
    const id = this.#byClient.get(clientKey(account, clientOrderId))
    return id === undefined ? undefined : this.#byId.get(id)
  }

  /** The intents of an account that are live or whose order rests, by id, oldest first. */
  of(account: number): ReadonlyMap<string, Intent> {
    return this.#byAccount.get(account) ?? NONE
  }

  /** Returns the newest of an account that ended lately, or was included, with which `is` holds. */
  endedWith(account: number, is: (intent: Intent) => boolean): Intent | undefined {
    const isIt = (intent: Intent) =>
      intent.account === account && intent.state === 'included' && is(intent)
    return [...this.#ended.values()].findLast(isIt)
  }

  /** Returns the orders of an account that ended since then, before they were in a block. */
  endedOrders(account: number, sinceNs: bigint): readonly Intent[] {
    const isIt = ({ state, payload, updatedNs }: Intent) =>
      state !== 'included' && payload.kind === 'order' && updatedNs >= sinceNs
    return [...this.#ended.values()].filter((intent) => intent.account === account && isIt(intent))
  }

  /** Returns the orders of an account that are on their way or held, oldest first. */
  liveOrders(account: number): readonly Intent[] {
    return [...this.of(account).values()].filter(
      ({ state, payload }) => isLive(state) && payload.kind === 'order',
    )
  }

  /** Returns how many intents of an account are live: on their way, or held. */
  liveOf(account: number): number {
    return this.#live.get(account) ?? 0
  }

  /** Returns the id of the order that is on its way or rests with that salt. */
  spenderOf(of: SaltOf, except?: string): string | undefined {
    return this.#salts.find(of, except)
  }

  /** Rises with every step of an intent of the account; 0 while it has none. Never comes again. */
  version(account: number): number {
    return this.#versions.get(account) ?? 0
  }

  /** Intents of all accounts that wait for a trigger or a parent. */
  get held(): number {
    return this.#held
  }

  /** The gas of what waits for a block in a lane, or, without a name, in all of them. */
  waitingGas(lane?: string): number {
    if (lane !== undefined) return this.#waiting.get(lane) ?? 0
    return [...this.#waiting.values()].reduce((sum, gas) => sum + gas, 0)
  }

  /** Calls `listener` after each step of an intent. */
  onStep(listener: (step: IntentStep) => void): void {
    this.#onStep.push(listener)
  }

  /** Calls `listener` after a reload: steps may have been missed. */
  onLoad(listener: () => void): void {
    this.#onLoad.push(listener)
  }

  /** Loads what is live; asks again until the database answers or `signal` aborts. */
  async load(signal: AbortSignal): Promise<void> {
    const { intents } = this.#deps
    const liveIntents = await this.#untilRead(signal, () => intents.live())
    if (liveIntents === undefined) return
    await this.#readRelay()
    for (const index of [this.#byId, this.#byAccount, this.#byClient, this.#ahead]) index.clear()
    for (const index of [this.#waiting, this.#live, this.#salts]) index.clear()
    this.#held = 0
    for (const intent of liveIntents.intents) this.#put(intent)
    this.#seq = liveIntents.seq
    this.#settleAll()
    this.#versions.clear()
    for (const account of this.#byAccount.keys()) this.#changed(account)
    for (const listener of this.#onLoad) listener()
  }

  /**
   * Resolves when the book has what was committed before, as far as this process can know; in any
   * case after a second.
   */
  async current(): Promise<void> {
    const entries = await this.#deps.intents.logAfter(this.#seq, ENTRIES_MAX).catch(() => [])
    const seq = entries.at(-1)?.seq ?? this.#seq
    if (seq <= this.#seq) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiter = { seq, resolve }
    this.#waiters.add(waiter)
    const over = new AbortController()
    await Promise.race([promise, this.#deps.delay(CURRENT_MS_MAX, over.signal)])
    over.abort()
    this.#waiters.delete(waiter)
  }

  /** Follows the log until `signal` aborts. While the database fails, all stays as it was. */
  async follow(signal: AbortSignal): Promise<void> {
    const grown = new Signal()
    const stopListening = this.#deps.intents.onLog(() => grown.set())
    const stop = () => grown.set()
    signal.addEventListener('abort', stop, { once: true })
    try {
      while (!signal.aborted) {
        await this.#drain(signal)
        await grown.wait(async (quiet) => void (await this.#deps.delay(LISTEN_FALLBACK_MS, quiet)))
      }
    } finally {
      signal.removeEventListener('abort', stop)
      stopListening()
    }
  }

  async #drain(signal: AbortSignal): Promise<void> {
    const next = () => entriesAfter(this.#deps.intents, this.#seq, ENTRIES_MAX)
    await this.#readRelay()
    while (!signal.aborted) {
      const entries = await this.#untilRead(signal, next)
      if (entries === undefined || entries.length === 0) return
      if (entries === 'gone' || !(await this.#takeAll(entries, signal))) await this.load(signal)
      for (const { seq, resolve } of this.#waiters) if (seq <= this.#seq) resolve()
    }
  }

  /** Returns whether each goes on from the one before, and is of an intent that is known. */
  async #takeAll(entries: readonly IntentLogEntry[], signal: AbortSignal): Promise<boolean> {
    const returned = await this.#findReturned(entries, signal)
    for (const entry of entries) {
      if (entry.seq !== this.#seq + 1) return false
      const prior = this.#byId.get(entry.id) ?? this.#ended.get(entry.id) ?? returned.get(entry.id)
      const begun = prior ?? entry.intent
      this.#seq = entry.seq
      // It was deleted since: it ended long ago.
      if (begun !== undefined) this.#step(begun, entry, prior?.state)
    }
    return true
  }

  /** Reads intents that were let go and are live again: a reorganisation took their block. */
  async #findReturned(
    entries: readonly IntentLogEntry[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Intent>> {
    const isUnknown = ({ id, intent }: IntentLogEntry) =>
      intent === undefined && this.find(id) === undefined
    const begun = new Set(entries.flatMap(({ id, intent }) => (intent === undefined ? [] : id)))
    const ids = entries.filter(isUnknown).flatMap(({ id }) => (begun.has(id) ? [] : id))
    if (ids.length === 0) return new Map()
    const { intents } = this.#deps
    const rows = await this.#untilRead(signal, () => intents.find([...new Set(ids)]))
    return new Map(rows?.map((intent) => [intent.id, intent]))
  }

  #step(intent: Intent, entry: IntentLogEntry, from: IntentState | undefined): void {
    const { state, atNs, blockNumber, reason } = entry
    const txHash = entry.txHash ?? intent.txHash
    const moved = { ...intent, state, updatedNs: atNs, txHash, blockNumber, reason }
    this.#remove(intent.id)
    this.#put(moved)
    if (state === 'included') {
      if ((blockNumber ?? 0) > (this.#deps.model.head?.number ?? 0)) this.#ahead.add(moved.id)
      else this.#settle(moved.id)
    }
    this.#changed(intent.account)
    for (const listener of this.#onStep) listener({ intent: moved, from })
  }

  #put(intent: Intent): void {
    const { id, account, clientOrderId, state } = intent
    if (!isLive(state) && state !== 'included') {
      this.#end(intent)
      return
    }
    this.#ended.delete(id)
    this.#byId.set(id, intent)
    const ofAccount = this.#byAccount.get(account)
    if (ofAccount === undefined) this.#byAccount.set(account, new Map([[id, intent]]))
    else ofAccount.set(id, intent)
    if (clientOrderId !== undefined) this.#takeName(intent, clientOrderId)
    this.#salts.put(intent)
    this.#weigh(intent, 1)
  }

  #remove(id: string): void {
    const intent = this.#byId.get(id)
    if (intent === undefined) return
    const { account, clientOrderId } = intent
    this.#byId.delete(id)
    this.#ahead.delete(id)
    const ofAccount = this.#byAccount.get(account)
    ofAccount?.delete(id)
    if (ofAccount?.size === 0) this.#byAccount.delete(account)
    if (clientOrderId !== undefined) this.#releaseName(intent, clientOrderId)
    this.#salts.remove(intent)
    this.#weigh(intent, -1)
  }

  /** An edit takes the name of the order that it replaces, however old the step is. */
  #takeName({ id, account, seq }: Intent, clientOrderId: string): void {
    const key = clientKey(account, clientOrderId)
    const named = this.#byId.get(this.#byClient.get(key) ?? '')
    if (named === undefined || named.seq <= seq) this.#byClient.set(key, id)
  }

  /** Where an edit comes to nothing, the order that it was to replace has its name again. */
  #releaseName({ id, account }: Intent, clientOrderId: string): void {
    const key = clientKey(account, clientOrderId)
    if (this.#byClient.get(key) !== id) return
    this.#byClient.delete(key)
    for (const other of this.of(account).values())
      if (other.clientOrderId === clientOrderId) this.#byClient.set(key, other.id)
  }

  #weigh({ account, lane, gas, state }: Intent, times: number): void {
    if (isLive(state)) this.#count(account, times)
    if (state === 'received') this.#held += times
    if (state !== 'queued' && state !== 'sent') return
    this.#waiting.set(lane, (this.#waiting.get(lane) ?? 0) + times * gas)
  }

  #count(account: number, times: number): void {
    const live = this.liveOf(account) + times
    if (live === 0) this.#live.delete(account)
    else this.#live.set(account, live)
  }

  #end(intent: Intent): void {
    this.#ended.set(intent.id, intent)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest)
  }

  #changed(account: number): void {
    this.#changes++
    if (this.#byAccount.has(account)) this.#versions.set(account, this.#changes)
    else this.#versions.delete(account)
  }

  /** Lets an included intent go unless its order rests. */
  #settle(id: string): void {
    const intent = this.#byId.get(id)
    if (intent?.state !== 'included' || this.#ahead.has(id)) return
    if (this.#deps.model.accountOrders.signed(id) !== undefined) return
    this.#remove(id)
    this.#end(intent)
    this.#changed(intent.account)
  }

  #settleAhead(): void {
    const head = this.#deps.model.head?.number ?? 0
    for (const id of this.#ahead) {
      if ((this.#byId.get(id)?.blockNumber ?? 0) > head) continue
      this.#ahead.delete(id)
      this.#settle(id)
    }
  }

  #settleAll(): void {
    const head = this.#deps.model.head?.number ?? 0
    for (const { id, state, blockNumber = 0 } of [...this.#byId.values()]) {
      if (state !== 'included') continue
      if (blockNumber > head) this.#ahead.add(id)
      else this.#settle(id)
    }
  }

  async #readRelay(): Promise<void> {
    const { intents, outages } = this.#deps
    try {
      const said = await outages.status.attempt(() => intents.readStatus())
      this.#relay = said && { status: decodeRelayStatus(said.status), updatedMs: said.updatedMs }
    } catch {} // The last status stays, with its time.
  }

  async #untilRead<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T | undefined> {
    while (!signal.aborted) {
      try {
        return await this.#deps.outages.intents.attempt(read)
      } catch {
        await this.#deps.delay(RETRY_MS, signal)
      }
    }
    return undefined
  }
}

const clientKey = (account: number, clientOrderId: string) => `${account} ${clientOrderId}`

// Follows the chain: every block becomes changes, which commit together. A start, a reorg and a
// failed commit share one path: load the state at the last committed block, locate it in the chain,
// and continue.
import { InvariantError } from '@openvenue/core/assert'
import type { BlockChanges } from '@openvenue/core/changes'
import type { Header, VenueBlock } from '@openvenue/core/events'
import type { VenueState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { RpcError } from '@openvenue/runtime/json-rpc'
import { withOrigins } from '@openvenue/store/history/order-origins'
import { UndoGone, type Writer, WriterBusy } from '@openvenue/store/store'
import { Agreements } from './agreement.ts'
import { assembleBlocks } from './assemble-blocks.ts'
import { Blooms } from './bloom.ts'
import { type ChainHeader, movedError, plainHeader, readExisting } from './chain.ts'
import type { Endpoints } from './endpoints.ts'
import type { EventReader } from './events.ts'
import { type HeadFeed, pause } from './heads.ts'
import { type GatheredNotifications, Notifier } from './notifier.ts'
import { readRanges } from './ranges.ts'
import { ChainDiverged } from './reorg.ts'
import { Rereads, undoableFrom } from './reread-depth.ts'
import { TokenReader } from './token-facts.ts'
import { Watch } from './watch.ts'

type FollowOptions = Readonly<{
  endpoints: Endpoints
  writer: Writer
  events: EventReader
  heads: HeadFeed
  /** The first block to index. */
  startBlock: number
  /** Depth at which blocks are final, so that they are never undone. */
  finalityBlocks: number
  watch: FollowWatch
  /** Monotonic clock, milliseconds. */
  nowMs: () => number
  /** Pause after the first failure; it doubles with each further one, up to 50 times this. */
  retryMs?: number
}>

/** Receives events for logs, metrics and readiness. */
export type FollowWatch = Readonly<{
  /** The stored blocks belong to other contracts: the chain is reindexed. */
  readingAnew(): void
  /** The state at the last committed block was loaded; undefined on a new database. */
  loaded(synced: Header | undefined, state: VenueState): void
  committed(commit: Commit): void
  undone(from: Header, toNumber: number): void
  /** An answer of a node was rejected or completed. */
  doubted(why: Doubt, header: ChainHeader): void
  /** Blocks were impossible as read: `depth` committed blocks are undone and re-read. */
  rereading(error: InvariantError, depth: number): void
  failed(error: unknown): void
}>

/**
 * `lagging`: a head below the committed block. `outvoted`: a head of a chain that most endpoints do
 * not have. `short`: an answer omitted logs of its block.
 */
export type Doubt = 'lagging' | 'outvoted' | 'short'

export type Commit = Readonly<{
  synced: Header
  blocks: number
  events: number
  seconds: number
  changes: readonly BlockChanges[]
}>

/** Thrown when the database failed; `cause` has the reason. */
export class StoreFailed extends Error {
  override name = 'StoreFailed'
}

/** Returns whether another process writes: this one waits until that ends, however long. */
export const isOnStandby = (error: unknown): boolean =>
  error instanceof StoreFailed && error.cause instanceof WriterBusy

/** Events per transaction of a backfill: enough to spread its cost, few enough for memory. */
const COMMIT_EVENTS = 4000
/** About half a minute of consecutive failures, after which the process ends. */
export const STORE_FAILURES_MAX = 8
const RETRY_MS = 100
const RETRY_FACTOR_MAX = 50
/** Standby poll interval. */
const STANDBY_MS = 500

/** Keeps the database at the head of the chain. Only one runs per database. */
export class Follower {
  readonly #deps: FollowOptions
  readonly #tokens: TokenReader
  /** The committed state; undefined: it is loaded before the next step. */
  #state: VenueState | undefined
  /** Notifier of the last loaded state. */
  #notifier: Notifier | undefined
  /** The last committed block. */
  #synced: Header | undefined
  /** Number of the last applied block. */
  #applied = 0
  readonly #blooms = new Blooms()
  readonly #agreements: Agreements
  readonly #rereads: Rereads
  /** Failures since the last commit. */
  readonly #failures = { inRow: 0, ofStore: 0 }

  constructor(deps: FollowOptions) {
    const { endpoints, nowMs, finalityBlocks } = deps
    this.#deps = deps
    this.#tokens = new TokenReader(endpoints.rpc)
    const readHeader = (number: number) => this.#useStore((writer) => writer.readHeader(number))
    const keepGenesis = (hash: string) => this.#useStore((writer) => writer.keepGenesis(hash))
    this.#agreements = new Agreements({ endpoints, readHeader, keepGenesis, nowMs })
    this.#rereads = new Rereads(finalityBlocks, endpoints.count)
  }

  /**
   * Follows until `signal` aborts; nothing is being written when it returns. Node and database
   * failures are retried. Throws `ChainDiverged`, `StoreFailed` when the database stays down, and
   * `InvariantError` when blocks remain impossible after all that are not final were re-read.
   */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#step(signal)
      } catch (error) {
        if (signal.aborted) return
        await this.#recover(error)
        const factor = Math.min(RETRY_FACTOR_MAX, 2 ** (this.#failures.inRow - 1))
        const retryMs = factor * (this.#deps.retryMs ?? RETRY_MS)
        await pause(isOnStandby(error) ? Math.min(STANDBY_MS, retryMs) : retryMs, signal)
      }
    }
  }

  /** Prepares another attempt. Throws errors that no retry can resolve. */
  async #recover(error: unknown): Promise<void> {
    if (!(error instanceof InvariantError)) return this.#countFailure(error)
    const depth = this.#rereads.next(this.#applied)
    if (depth === undefined) throw error
    this.#failures.inRow++
    this.#deps.watch.rereading(error, depth)
    await this.#undoNewest(depth).catch((failure: unknown) => this.#countFailure(failure))
  }

  /** Undoes the newest `depth` blocks, or as many of them as are not final. */
  async #undoNewest(depth: number): Promise<void> {
    const from = this.#synced
    this.#state = undefined
    if (from === undefined || depth === 0) return
    const isStored = (number: number) =>
      this.#useStore(async (writer) => (await writer.readHeader(number)) !== undefined)
    await this.#undoTo(from, await undoableFrom(isStored, from.number - depth, from.number))
  }

  /** Throws errors that no retry can resolve. */
  #countFailure(error: unknown): void {
    const failures = this.#failures
    const isOfStore = error instanceof StoreFailed
    if (!isOfStore && !(error instanceof RpcError)) throw error
    failures.inRow++
    if (isOfStore && !isOnStandby(error)) failures.ofStore++
    if (failures.ofStore > STORE_FAILURES_MAX) throw error
    this.#deps.watch.failed(error)
  }

  /** Waits for a head other than the stored one and follows it. */
  async #step(signal: AbortSignal): Promise<void> {
    const { heads, endpoints } = this.#deps
    const state = await this.#load()
    const head = await heads.next(state.head?.hash, signal)
    try {
      const isThere = await this.#goTo(state, head, signal)
      if (!isThere) heads.putBack(head)
      else endpoints.forgive(head.source.endpoint)
    } catch (error) {
      heads.putBack(head)
      // The endpoint reports a block that it cannot return, or that is impossible.
      if (!(error instanceof StoreFailed)) endpoints.penalise(head.source.endpoint)
      throw error
    }
  }

  async #load(): Promise<VenueState> {
    if (this.#state === undefined) {
      const { events, watch } = this.#deps
      const { address } = events.widerFilter
      if (await this.#useStore((writer) => writer.readFor(address))) watch.readingAnew()
      this.#state = await this.#useStore((writer) => writer.loadState())
      const audience = await this.#useStore((writer) => writer.readAudience())
      this.#notifier = new Notifier(this.#state, audience)
      this.#synced = this.#state.head
      watch.loaded(this.#synced, this.#state)
    }
    return this.#state
  }

  /** Brings the database to `head`. Returns false when blocks were undone and it must continue. */
  async #goTo(state: VenueState, head: ChainHeader, signal: AbortSignal): Promise<boolean> {
    const stored = state.head
    await this.#agreements.learnGenesis()
    if (head.parentHash === stored?.hash && head.number === stored.number + 1) {
      await this.#addHead(state, head)
      return true
    }
    if (stored !== undefined) {
      const agreement = await this.#agreements.agreementWith(stored, head)
      if (agreement === 'forked') {
        await this.#undoTo(stored, await this.#agreements.ancestor(stored, head))
        return false
      }
      if (agreement !== 'held') {
        this.#reportDoubt(agreement, head)
        return true
      }
    }
    const { startBlock } = this.#deps
    const first = stored === undefined ? startBlock : stored.number + 1
    const final = this.#finalAt(head)
    await this.#addRange(state, { from: first, to: final, headers: 'logged', final }, signal)
    const next = Math.max(first, final + 1)
    await this.#addRange(state, { from: next, to: head.number, headers: 'all', final }, signal)
    return true
  }

  /** Returns the newest block that is final when `head` is reached. */
  #finalAt({ number }: ChainHeader): number {
    const { endpoints, finalityBlocks } = this.#deps
    return Math.min(number, endpoints.commonHeight ?? number) - finalityBlocks
  }

  /** Adds a block at the tip with one request to the node, or none for a block without logs. */
  async #addHead(state: VenueState, head: ChainHeader): Promise<void> {
    const watch = this.#watch(state)
    const read = this.#blooms.provesNoLogs(head) ? undefined : await watch.readHead(head)
    this.#state = undefined
    if (read !== undefined) await this.#readAudience()
    const batch = new Batch()
    const blocks = assembleBlocks([head], read?.logs ?? [], watch.decodeLog)
    for (const block of await this.#withOrigins(blocks)) this.#apply(state, block, batch)
    await this.#commit(batch, this.#finalAt(head))
    this.#state = state
  }

  #watch(state: VenueState): Watch {
    const { endpoints, events, watch } = this.#deps
    const onShort = (header: ChainHeader) => watch.doubted('short', header)
    const reading = { rpc: endpoints.rpc, tokens: this.#tokens, blooms: this.#blooms }
    return new Watch({ ...reading, events, onShort }, state)
  }

  /** Lagging nodes are not reported while others are ahead. */
  #reportDoubt(agreement: 'lagging' | 'outvoted', head: ChainHeader): void {
    const { watch, endpoints } = this.#deps
    const isLast = (endpoints.head?.number ?? 0) <= head.number
    if (agreement === 'outvoted' || isLast) watch.doubted(agreement, head)
  }

  /** Undoes the blocks from `stored`, the last committed one, down to `ancestor`. */
  async #undoTo(stored: Header, ancestor: number): Promise<void> {
    this.#state = undefined
    if (ancestor >= stored.number) return
    await this.#useStore((writer) => writer.undoTo(ancestor)).catch((error: StoreFailed) => {
      throw error.cause instanceof UndoGone ? new ChainDiverged(ancestor) : error
    })
    this.#agreements.recordProgress()
    this.#deps.watch.undone(stored, ancestor)
  }

  /** Adds a range of blocks; the next one is read and applied while a transaction commits. */
  async #addRange(state: VenueState, range: BlockRange, signal: AbortSignal): Promise<void> {
    const { rpc } = this.#deps.endpoints
    const watch = this.#watch(state)
    let batch = new Batch()
    let committing: Promise<void> = Promise.resolve()
    this.#state = undefined
    // Accounts registered from now on do so after the blocks of this range.
    await this.#readAudience()
    const commit = async () => {
      await committing
      committing = this.#commit(batch, range.final)
      // The error is handled when it is awaited, before any other write.
      committing.catch(() => undefined)
      batch = new Batch()
    }
    const add = async () => {
      for await (const read of readRanges({ rpc, select: () => watch.selectLogs(), ...range })) {
        signal.throwIfAborted()
        const { headers, logs } = await watch.complete(read)
        await this.#applyRange(state, assembleBlocks(headers, logs, watch.decodeLog), batch)
        if (batch.events >= COMMIT_EVENTS) await commit()
      }
    }
    const failure: unknown = await add().catch((error: unknown) => error)
    // A block is read before it is applied, and an impossible one is not applied: after a failure
    // of the node or of a block, the applied blocks are complete.
    const isOfNode = failure === undefined || failure instanceof RpcError
    if (isOfNode || failure instanceof InvariantError) await commit()
    await committing
    if (isOfNode) this.#state = state
    if (failure !== undefined) throw failure
  }

  async #applyRange(state: VenueState, blocks: VenueBlock[], batch: Batch): Promise<void> {
    for (const block of await this.#withOrigins(blocks)) {
      for (const header of await this.#endingBetween(state, block.header)) {
        const [earliest] = state.deadlines.seconds
        if (earliest === undefined || earliest >= header.seconds) continue
        this.#apply(state, { header, events: [] }, batch)
      }
      const { number, parentHash } = block.header
      const isChild = state.head?.number !== number - 1 || state.head.hash === parentHash
      if (!isChild) throw movedError(number)
      this.#apply(state, block, batch)
    }
  }

  #withOrigins(blocks: readonly VenueBlock[]): Promise<readonly VenueBlock[]> {
    return this.#useStore((writer) => withOrigins(writer, blocks))
  }

  /**
   * Returns the headers without logs between the state and `next`, if the time of one of them may
   * end a good-til order. Always reading them would cost more than the logs of a quiet chain.
   */
  async #endingBetween(state: VenueState, next: Header): Promise<readonly Header[]> {
    const from = (state.head?.number ?? next.number) + 1
    const [earliest] = state.deadlines.seconds
    if (from >= next.number || earliest === undefined || earliest >= next.seconds) return []
    const numbers = Array.from({ length: next.number - from }, (_, step) => from + step)
    return (await readExisting(this.#deps.endpoints.rpc, numbers)).map(plainHeader)
  }

  #apply(state: VenueState, block: VenueBlock, batch: Batch): void {
    this.#applied = block.header.number
    const changes = applyBlock(state, block)
    batch.add(changes, block.events.length)
    this.#notifier?.notify(changes, batch.notificationBatch)
  }

  /** Checks for registered accounts until there is one. */
  async #readAudience(): Promise<void> {
    if (this.#notifier?.isAlone)
      this.#notifier.updateAudience(await this.#useStore((writer) => writer.readAudience()))
  }

  async #commit({ changes, events, notificationBatch }: Batch, final: number): Promise<void> {
    const synced = changes.at(-1)?.header
    if (synced === undefined) return
    const start = performance.now()
    await this.#useStore((writer) => writer.commit(changes, final, notificationBatch))
    const seconds = (performance.now() - start) / 1000
    this.#failures.inRow = this.#failures.ofStore = 0
    this.#synced = synced
    this.#agreements.recordProgress()
    this.#rereads.committed(synced.number)
    this.#deps.watch.committed({ synced, blocks: changes.length, events, seconds, changes })
  }

  async #useStore<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    try {
      return await work(this.#deps.writer)
    } catch (cause) {
      if (cause instanceof InvariantError) throw cause
      throw new StoreFailed('the database failed', { cause })
    }
  }
}

/** Blocks applied and not yet committed. */
class Batch {
  readonly changes: BlockChanges[] = []
  readonly notificationBatch: GatheredNotifications = { notifications: [], turns: [] }
  events = 0

  add(changes: BlockChanges, events: number): void {
    this.changes.push(changes)
    this.events += events
  }
}

type BlockRange = Readonly<{ from: number; to: number; headers: 'logged' | 'all'; final: number }>

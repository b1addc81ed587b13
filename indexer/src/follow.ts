// Follows the chain: every block becomes changes, and the changes of a block commit together. There
// is one way in: load the state at the last committed block, find where the chain stands, go on.
// A start, a reorg and a failed commit all take it.
import { InvariantError } from '@openvenue/core/assert'
import type { BlockChanges } from '@openvenue/core/changes'
import type { Header, VenueBlock } from '@openvenue/core/events'
import type { VenueState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { UndoGone, type Writer, WriterBusy } from '@openvenue/store/store'
import { ChainDiverged, commonAncestor } from './ancestor.ts'
import { blocksOf } from './blocks.ts'
import { type ChainHeader, moved, plainHeader, readExisting, readHeaders } from './chain.ts'
import type { EventReader } from './events.ts'
import { type HeadFeed, pause } from './heads.ts'
import { readRanges } from './ranges.ts'
import { type Rpc, RpcError } from './rpc.ts'
import { type Gathered, Teller } from './teller.ts'
import { TokenReader } from './token-facts.ts'
import { Watch } from './watch.ts'

export type FollowDeps = Readonly<{
  rpc: Rpc
  writer: Writer
  events: EventReader
  heads: HeadFeed
  /** The first block that matters. */
  startBlock: number
  /** Blocks this deep are final: they are never undone. */
  finalityBlocks: number
  watch: FollowWatch
  /** Pause after a first failure; it doubles with each that follows, up to 50 times this. */
  retryMs?: number
}>

/** Hears what happened, for logs, metrics and readiness. */
export type FollowWatch = Readonly<{
  /** What was stored had been read for other contracts: the chain is read anew. */
  readingAnew(): void
  /** The state at the last committed block was loaded; undefined on a new database. */
  loaded(synced: Header | undefined): void
  committed(commit: Commit): void
  undone(from: Header, toNumber: number): void
  failed(error: unknown): void
}>

export type Commit = Readonly<{ synced: Header; blocks: number; events: number; seconds: number }>

/** The database failed; `cause` says how. */
export class StoreFailed extends Error {
  override name = 'StoreFailed'
}

/** Another process writes: this one waits until that ends, however long. */
const isStandingBy = (error: StoreFailed) => error.cause instanceof WriterBusy

/** Events in one transaction of a backfill: enough to spread its cost, few enough to keep memory. */
const COMMIT_EVENTS = 4000
/** Half a minute of failures in a row: then the process ends and its supervisor decides. */
export const STORE_FAILURES_MAX = 8
const RETRY_MS = 100
const RETRY_FACTOR_MAX = 50
/** A head below what is stored is believed when it was seen this often: a node may just lag. */
const SHORTER_HEADS_MIN = 3

/** Keeps the database at the head of the chain. One at a time per database. */
export class Follower {
  readonly #deps: FollowDeps
  readonly #tokens: TokenReader
  /** Equal to what is committed, or undefined: then it is loaded before the next step. */
  #state: VenueState | undefined
  /** Of the state that was loaded last. */
  #teller: Teller | undefined
  #shorterHeads = 0
  /** Since something was committed last. */
  readonly #failures = { inRow: 0, ofStore: 0 }

  constructor(deps: FollowDeps) {
    this.#deps = deps
    this.#tokens = new TokenReader(deps.rpc)
  }

  /**
   * Follows until `signal` aborts; when it returns nothing is being written. Node and database
   * failures are retried. Throws `ChainDiverged`, `InvariantError`, and `StoreFailed` when the
   * database stays down.
   */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#step(signal)
      } catch (error) {
        if (signal.aborted) return
        this.#countFailure(error)
        const factor = Math.min(RETRY_FACTOR_MAX, 2 ** (this.#failures.inRow - 1))
        await pause(factor * (this.#deps.retryMs ?? RETRY_MS), signal)
      }
    }
  }

  /** Throws what trying again cannot mend. */
  #countFailure(error: unknown): void {
    const failures = this.#failures
    const isOfStore = error instanceof StoreFailed
    if (!isOfStore && !(error instanceof RpcError)) throw error
    failures.inRow++
    if (isOfStore && !isStandingBy(error)) failures.ofStore++
    if (failures.ofStore > STORE_FAILURES_MAX) throw error
    this.#deps.watch.failed(error)
  }

  /** Waits for a head other than the stored one and goes there. */
  async #step(signal: AbortSignal): Promise<void> {
    const { heads } = this.#deps
    const state = await this.#load()
    const head = await heads.next(state.head?.hash, signal)
    try {
      const isThere = await this.#goTo(state, head, signal)
      if (!isThere) heads.putBack(head)
    } catch (error) {
      heads.putBack(head)
      throw error
    }
  }

  async #load(): Promise<VenueState> {
    if (this.#state === undefined) {
      const { events, watch } = this.#deps
      const { address } = events.widerFilter
      if (await this.#stored((writer) => writer.readFor(address))) watch.readingAnew()
      this.#state = await this.#stored((writer) => writer.loadState())
      const audience = await this.#stored((writer) => writer.readAudience())
      this.#teller = new Teller(this.#state, audience)
      watch.loaded(this.#state.head)
    }
    return this.#state
  }

  /** Brings the database to `head`. Returns false when blocks were undone and it must go on. */
  async #goTo(state: VenueState, head: ChainHeader, signal: AbortSignal): Promise<boolean> {
    const stored = state.head
    if (stored !== undefined && head.parentHash === stored.hash) {
      await this.#addHead(state, head)
      return true
    }
    if (stored !== undefined) {
      const standing = await this.#standingOf(stored, head)
      if (standing === 'lagging') return true
      if (standing === 'forked') {
        await this.#undo(stored, head)
        return false
      }
    }
    const { startBlock, finalityBlocks } = this.#deps
    const first = stored === undefined ? startBlock : stored.number + 1
    const final = head.number - finalityBlocks
    await this.#addRange(state, { from: first, to: final, headers: 'logged', final }, signal)
    const next = Math.max(first, final + 1)
    await this.#addRange(state, { from: next, to: head.number, headers: 'all', final }, signal)
    return true
  }

  /** The tip: one question to the node, none for a block without logs. */
  async #addHead(state: VenueState, head: ChainHeader): Promise<void> {
    const watch = this.#watch(state)
    const read = head.isQuiet ? undefined : await watch.readHead(head)
    this.#shorterHeads = 0
    this.#state = undefined
    if (read !== undefined) await this.#learn()
    const batch = new Batch()
    for (const block of blocksOf([head], read?.logs ?? [], watch.eventOf)) {
      this.#add(batch, applyBlock(state, block), block.events.length)
    }
    await this.#commit(batch, head.number - this.#deps.finalityBlocks)
    this.#state = state
  }

  #watch(state: VenueState): Watch {
    const { rpc, events } = this.#deps
    return new Watch({ rpc, events, tokens: this.#tokens }, state)
  }

  /** Whether the chain of `head` still holds the `stored` block. */
  async #standingOf(stored: Header, head: ChainHeader): Promise<'held' | 'lagging' | 'forked'> {
    const { rpc } = this.#deps
    if (head.number < stored.number) {
      const ours = await this.#stored((writer) => writer.headerOf(head.number))
      const isBelow = ours === undefined || ours.hash === head.hash
      return isBelow && ++this.#shorterHeads < SHORTER_HEADS_MIN ? 'lagging' : 'forked'
    }
    this.#shorterHeads = 0
    const [onChain] = await readHeaders(rpc, [stored.number])
    return onChain?.hash === stored.hash ? 'held' : 'forked'
  }

  async #undo(stored: Header, head: ChainHeader): Promise<void> {
    const { rpc, watch } = this.#deps
    const headerOf = (number: number) => this.#stored((writer) => writer.headerOf(number))
    const ancestor = await commonAncestor({ rpc, headerOf }, stored, head.number)
    this.#shorterHeads = 0
    this.#state = undefined
    await this.#stored((writer) => writer.undoTo(ancestor)).catch((error: StoreFailed) => {
      throw error.cause instanceof UndoGone ? new ChainDiverged(ancestor) : error
    })
    watch.undone(stored, ancestor)
  }

  /** Adds a range of blocks; while one transaction commits, the next is read and applied. */
  async #addRange(state: VenueState, range: Range, signal: AbortSignal): Promise<void> {
    const { rpc } = this.#deps
    const watch = this.#watch(state)
    let batch = new Batch()
    let committing: Promise<void> = Promise.resolve()
    this.#state = undefined
    // Whoever registers from now on does so after the blocks of this range.
    await this.#learn()
    const commit = async () => {
      await committing
      committing = this.#commit(batch, range.final)
      // Seen when it is awaited, which is before anything else is written.
      committing.catch(() => undefined)
      batch = new Batch()
    }
    const add = async () => {
      for await (const read of readRanges({ rpc, wanted: () => watch.wanted(), ...range })) {
        signal.throwIfAborted()
        const { headers, logs } = await watch.complete(read)
        await this.#applyRange(state, blocksOf(headers, logs, watch.eventOf), batch)
        if (batch.events >= COMMIT_EVENTS) await commit()
      }
    }
    const failure: unknown = await add().catch((error: unknown) => error)
    // A block is read before it is applied: where the node failed, what was applied is whole.
    const isWhole = failure === undefined || failure instanceof RpcError
    if (isWhole) await commit()
    await committing
    if (isWhole) this.#state = state
    if (failure !== undefined) throw failure
  }

  async #applyRange(state: VenueState, blocks: VenueBlock[], batch: Batch): Promise<void> {
    for (const block of blocks) {
      for (const header of await this.#endingBetween(state, block.header)) {
        const [earliest] = state.deadlines.seconds
        if (earliest === undefined || earliest >= header.seconds) continue
        this.#add(batch, applyBlock(state, { header, events: [] }), 0)
      }
      const { number, parentHash } = block.header
      const isChild = state.head?.number !== number - 1 || state.head.hash === parentHash
      if (!isChild) throw moved(number)
      this.#add(batch, applyBlock(state, block), block.events.length)
    }
  }

  /**
   * Returns the headers between the state and `next`, which hold no logs, if the time of one of
   * them may end a good-til order. Reading them always would cost more than the logs of a quiet
   * chain.
   */
  async #endingBetween(state: VenueState, next: Header): Promise<readonly Header[]> {
    const from = (state.head?.number ?? next.number) + 1
    const [earliest] = state.deadlines.seconds
    if (from >= next.number || earliest === undefined || earliest >= next.seconds) return []
    const numbers = Array.from({ length: next.number - from }, (_, step) => from + step)
    return (await readExisting(this.#deps.rpc, numbers)).map(plainHeader)
  }

  #add(batch: Batch, changes: BlockChanges, events: number): void {
    batch.add(changes, events)
    this.#teller?.tell(changes, batch.telling)
  }

  /** Asks whether somebody has registered, until somebody has. */
  async #learn(): Promise<void> {
    if (this.#teller?.isAlone)
      this.#teller.learn(await this.#stored((writer) => writer.readAudience()))
  }

  async #commit({ changes, events, telling }: Batch, final: number): Promise<void> {
    const synced = changes.at(-1)?.header
    if (synced === undefined) return
    const start = performance.now()
    await this.#stored((writer) => writer.commit(changes, final, telling))
    const seconds = (performance.now() - start) / 1000
    this.#failures.inRow = this.#failures.ofStore = 0
    this.#deps.watch.committed({ synced, blocks: changes.length, events, seconds })
  }

  async #stored<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
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
  readonly telling: Gathered = { notices: [], turns: [] }
  events = 0

  add(changes: BlockChanges, events: number): void {
    this.changes.push(changes)
    this.events += events
  }
}

type Range = Readonly<{ from: number; to: number; headers: 'logged' | 'all'; final: number }>

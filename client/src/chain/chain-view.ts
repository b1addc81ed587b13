// Reconstructs the venue from the logs of its contracts, without the API.
import { topLevels } from '@openvenue/core/book'
import type { Header, VenueBlock } from '@openvenue/core/events'
import type { Market } from '@openvenue/core/records'
import type { Level } from '../book/order-book.ts'
import { OpenvenueError } from '../errors.ts'
import { wait } from '../wait.ts'
import { BlockReader } from './block-reader.ts'
import { FoldedState } from './folded-state.ts'
import { type ChainBalances, type ChainPosition, encodePosition, readBalances } from './holdings.ts'
import { amountText, priceText } from './market-text.ts'
import { type ChainOrder, encodeOrder } from './order-text.ts'
import { ChainError, type ChainRpc, LOG_RANGE_BLOCKS } from './rpc.ts'
import type { VenueContracts } from './venue-contracts.ts'

/** The newest blocks are read one by one, because the chain may still undo them. */
const BLOCKS_ONE_BY_ONE = 64
const POLL_MS = 1_000
/** Number of retries of a failing node before the error reaches the reader. */
const FAILURES_MAX = 5

/** The chain to read, the venue's contracts on it, and how to read them. */
export type ChainViewOptions = Readonly<{
  /** A single node: a load balancer may route a request for a block to a node that lacks it. */
  rpc: ChainRpc
  /** Contracts of the venue. Pin them: `namedContracts` of `openvenue/verify` trusts the venue. */
  contracts: Omit<VenueContracts, 'lens'>
  /** Polling interval, also after a failure. Milliseconds; 1,000 by default. */
  pollMs?: number
  /** Returns when there may be a new block; after `pollMs` by default. */
  nextHead?: (signal?: AbortSignal) => Promise<void>
  /** Number of blocks per `eth_getLogs` request; 10,000 by default. */
  logRangeBlocks?: number
  /** Called with the progress of reading the past. */
  onProgress?: (done: Readonly<{ number: number; latest: number }>) => void
  /** Stops reading the past. */
  signal?: AbortSignal
}>

/** The newest block that has been applied. */
export type FoldedBlock = Readonly<{
  number: number
  hash: string
  /** Unix time of the block. */
  seconds: number
  /** Number of blocks that the chain undid since the previous yield. */
  undone: number
}>

/** An order book in human units, best price first; `orders` is the number of resting orders. */
export type ChainBook = Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>

/**
 * State of a venue at its newest block, derived only from the logs of its contracts. Books, orders,
 * positions and balances stay up to date while the API is down.
 *
 * It holds all accounts of the venue, since accounts depend on each other: at most 1,000,000
 * records.
 */
export class ChainView {
  readonly #options: ChainViewOptions
  readonly #reader: BlockReader
  readonly #folded = new FoldedState()
  #undone = 0
  /** Counts applied and undone blocks: a reader with a lower count has something to read. */
  #version = 0
  #advancing: Promise<void> | undefined

  private constructor(options: ChainViewOptions) {
    this.#options = options
    this.#reader = new BlockReader(options.rpc, options.contracts)
  }

  /** Reads all logs of the venue in ranges and returns a view at the newest block. */
  static async open(options: ChainViewOptions): Promise<ChainView> {
    const view = new ChainView(options)
    await view.#readPast()
    while (await view.#persist(() => view.#step(), options.signal));
    return view
  }

  /** Block that the view reflects. */
  get head(): FoldedBlock {
    const { number, hash, seconds } = this.#head
    return { number, hash, seconds, undone: this.#undone }
  }

  /** Names of the markets. */
  get markets(): readonly string[] {
    return [...this.#records.market.values()].map(({ name }) => name)
  }

  /** Returns the book of a market by name or id, with at most `depth` levels per side. */
  book(market: string, depth = Number.POSITIVE_INFINITY): ChainBook {
    const record = this.#market(market)
    const book = this.#folded.state.books.get(record.id)
    const side = (isBuy: boolean): Level[] =>
      (book === undefined ? [] : topLevels(book, isBuy, depth)).map(({ tick, lots, count }) => [
        priceText(record, tick),
        amountText(record, lots),
        String(count),
      ])
    return { bids: side(true), asks: side(false) }
  }

  /** Returns the resting orders of an account (a wallet or sub-account), oldest first. */
  orders(account: string): readonly ChainOrder[] {
    const number = this.#account(account)
    return [...this.#records.order.values()]
      .filter((order) => order.account === number)
      .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
      .map((order) => encodeOrder(this.#market(order.market), order))
  }

  /** Returns the open perpetual positions of an account, ordered by market id. */
  positions(account: string): readonly ChainPosition[] {
    const number = this.#account(account)
    const { state } = this.#folded
    return [...state.records.position.values()]
      .filter((position) => position.account === number && position.lots !== 0n)
      .sort((a, b) => (a.market < b.market ? -1 : 1))
      .map((position) => encodePosition(state, { position, market: this.#market(position.market) }))
  }

  /** Returns the balances of an account at both engines; undefined for an unknown account. */
  balances(account: string): ChainBalances | undefined {
    const number = this.#account(account)
    if (number === undefined) return undefined
    const { state } = this.#folded
    const perps = this.#options.contracts.perps.toLowerCase()
    return readBalances(state, { account: number, perps, seconds: this.#head.seconds })
  }

  /**
   * Yields the newest block whenever there is a new one. Blocks that arrive while the reader is
   * busy are applied, but only the last of them is yielded. Ends without an error when `signal`
   * aborts. The view advances only while this loop runs.
   */
  async *blocks(signal?: AbortSignal): AsyncGenerator<FoldedBlock> {
    let [seen, undone] = [this.#version, this.#undone]
    while (signal?.aborted !== true) {
      if (this.#version === seen) {
        await this.#advance(signal)
        continue
      }
      const head = this.head
      yield { ...head, undone: this.#undone - undone }
      ;[seen, undone] = [this.#version, this.#undone]
    }
  }

  get #head(): Header {
    const { head } = this.#folded
    if (head === undefined) throw new ChainError('no block of the venue has been read')
    return head
  }

  get #records() {
    return this.#folded.state.records
  }

  #market(nameOrId: string): Market {
    const record =
      this.#records.market.get(nameOrId) ??
      [...this.#records.market.values()].find(({ name }) => name === nameOrId)
    if (record === undefined) throw new OpenvenueError(`there is no market ${nameOrId}`)
    return record
  }

  #account(address: string): number | undefined {
    return this.#folded.accounts.get(address.toLowerCase())
  }

  /** Readers share one poll of the chain. */
  #advance(signal: AbortSignal | undefined): Promise<void> {
    this.#advancing ??= this.#look(signal).finally(() => {
      this.#advancing = undefined
    })
    return this.#advancing
  }

  /** Applies all available blocks, then waits for a new head. */
  async #look(signal: AbortSignal | undefined): Promise<void> {
    const { pollMs = POLL_MS, nextHead = (stop) => wait(pollMs, stop) } = this.#options
    try {
      while (await this.#persist(() => this.#step(), signal));
      await nextHead(signal)
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
  }

  /** Runs a task that asks the node, and retries it after a failure. */
  async #persist<T>(task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { pollMs = POLL_MS } = this.#options
    for (let failures = 1; ; failures++) {
      signal?.throwIfAborted()
      try {
        return await task()
      } catch (error) {
        if (!(error instanceof ChainError) || failures > FAILURES_MAX) throw error
        await wait(pollMs * failures, signal)
      }
    }
  }

  async #readPast(): Promise<void> {
    const { contracts, logRangeBlocks = LOG_RANGE_BLOCKS, onProgress, signal } = this.#options
    const { number: latest } = await this.#persist(() => this.#latest(), signal)
    const end = Math.max(contracts.fromBlock, latest - BLOCKS_ONE_BY_ONE)
    for (let from = contracts.fromBlock; from <= end; from += logRangeBlocks) {
      const to = Math.min(end, from + logRangeBlocks - 1)
      const blocks = await this.#persist(() => this.#reader.range({ from, to }), signal)
      for (const block of blocks) this.#apply(block)
      onProgress?.({ number: to, latest })
    }
  }

  /** Applies the next block or undoes the newest; returns false if there was nothing to do. */
  async #step(): Promise<boolean> {
    const { number, hash } = this.#head
    const latest = await this.#latest()
    if (latest.number <= number) {
      const ourHash = this.#folded.hashOf(latest.number)
      // A node that is behind has nothing new. A different block at our height undoes ours.
      if (ourHash === undefined || ourHash === latest.hash) return false
      return this.#undo()
    }
    const next = latest.number === number + 1 ? latest : await this.#reader.header(number + 1)
    if (next === undefined) return false
    if (next.parentHash !== hash) return this.#undo()
    this.#apply(await this.#reader.block(next))
    return true
  }

  #undo(): true {
    this.#folded.undo()
    this.#undone += 1
    this.#version += 1
    return true
  }

  #apply(block: VenueBlock): void {
    this.#folded.apply(block)
    this.#version += 1
  }

  async #latest(): Promise<Header> {
    const latest = await this.#reader.header('latest')
    if (latest === undefined) throw new ChainError('the node has no block')
    return latest
  }
}

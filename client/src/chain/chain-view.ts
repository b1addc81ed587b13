// The venue by its chain alone: folds the logs of its contracts, with no API in between.
import { topLevels } from '@openvenue/core/book'
import type { Header, VenueBlock } from '@openvenue/core/events'
import type { Market } from '@openvenue/core/records'
import type { Level } from '../book/order-book.ts'
import { OpenvenueError } from '../errors.ts'
import { wait } from '../waiting.ts'
import { BlockReader } from './block-reader.ts'
import { FoldedState } from './folded-state.ts'
import { type ChainBalances, type ChainPosition, encodePosition, readBalances } from './holdings.ts'
import { amountText, priceText } from './market-text.ts'
import { type ChainOrder, encodeOrder } from './order-text.ts'
import { ChainError, type ChainRpc } from './rpc.ts'
import type { VenueContracts } from './venue-contracts.ts'

/** Blocks that one `eth_getLogs` asks for: what public nodes commonly allow. */
const LOG_RANGE_BLOCKS = 10_000
/** The newest blocks are read one by one: the chain may still undo them. */
const BLOCKS_ONE_BY_ONE = 64
const POLL_MS = 1_000
/** A node that does not answer is asked again so often before the reader hears of it. */
const FAILURES_MAX = 5

/** Which chain is read, where the venue stands on it, and how. */
export type ChainViewOptions = Readonly<{
  /** One node: a balancer in front of several may answer for a block that one of them lacks. */
  rpc: ChainRpc
  /** Where the venue stands. Pin them: `namedContracts` of `openvenue/verify` asks the venue. */
  contracts: Omit<VenueContracts, 'lens'>
  /** Milliseconds between two looks at the node, also after a failure; 1,000 by default. */
  pollMs?: number
  /** Returns when there may be a new block; after `pollMs` by default. */
  nextHead?: (signal?: AbortSignal) => Promise<void>
  /** Blocks that one `eth_getLogs` asks for; 10,000 by default. */
  logRangeBlocks?: number
  /** Hears how far reading the past is. */
  onProgress?: (done: Readonly<{ number: number; latest: number }>) => void
  /** Stops reading the past. */
  signal?: AbortSignal
}>

/** The newest block that was folded. */
export type FoldedBlock = Readonly<{
  number: number
  hash: string
  /** Its time. */
  seconds: number
  /** Blocks that the chain undid since the one before was given. */
  undone: number
}>

/** An order book in human units; `orders` is how many rest there. Best first. */
export type ChainBook = Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>

/**
 * The state of a venue at its newest block, made of nothing but the logs of its contracts. Books,
 * orders, positions and balances go on when the API is down.
 *
 * It holds all accounts of the venue, since what one of them has depends on the others: 1,000,000
 * records at most.
 */
export class ChainView {
  readonly #options: ChainViewOptions
  readonly #reader: BlockReader
  readonly #folded = new FoldedState()
  #undone = 0
  /** Counts what was folded and undone: a reader that has seen less has something to read. */
  #version = 0
  #advancing: Promise<void> | undefined

  private constructor(options: ChainViewOptions) {
    this.#options = options
    this.#reader = new BlockReader(options.rpc, options.contracts)
  }

  /** Reads all logs of the venue, range by range, and returns it at its newest block. */
  static async open(options: ChainViewOptions): Promise<ChainView> {
    const view = new ChainView(options)
    await view.#readPast()
    while (await view.#persist(() => view.#step(), options.signal));
    return view
  }

  /** The block that everything here is of. */
  get head(): FoldedBlock {
    const { number, hash, seconds } = this.#head
    return { number, hash, seconds, undone: this.#undone }
  }

  /** Names of the markets. */
  get markets(): readonly string[] {
    return [...this.#records.market.values()].map(({ name }) => name)
  }

  /** Returns the book of a market, by its name or id; at most `depth` levels a side. */
  book(market: string, depth = Number.POSITIVE_INFINITY): ChainBook {
    const found = this.#market(market)
    const book = this.#folded.state.books.get(found.id)
    const side = (isBuy: boolean): Level[] =>
      (book === undefined ? [] : topLevels(book, isBuy, depth)).map(({ tick, lots, count }) => [
        priceText(found, tick),
        amountText(found, lots),
        String(count),
      ])
    return { bids: side(true), asks: side(false) }
  }

  /** Returns the orders of an account (a wallet or sub-account) that rest, oldest first. */
  orders(account: string): readonly ChainOrder[] {
    const number = this.#account(account)
    return [...this.#records.order.values()]
      .filter((order) => order.account === number)
      .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
      .map((order) => encodeOrder(this.#market(order.market), order))
  }

  /** Returns the perpetual positions of an account that are not flat, by the ids of markets. */
  positions(account: string): readonly ChainPosition[] {
    const number = this.#account(account)
    const { state } = this.#folded
    return [...state.records.position.values()]
      .filter((position) => position.account === number && position.lots !== 0n)
      .sort((a, b) => (a.market < b.market ? -1 : 1))
      .map((position) => encodePosition(state, { position, market: this.#market(position.market) }))
  }

  /** Returns what an account holds at both engines; undefined where the chain knows no such one. */
  balances(account: string): ChainBalances | undefined {
    const number = this.#account(account)
    if (number === undefined) return undefined
    const { state } = this.#folded
    const perps = this.#options.contracts.perps.toLowerCase()
    return readBalances(state, { account: number, perps, seconds: this.#head.seconds })
  }

  /**
   * Yields the newest block each time that there is another. Blocks that came while the reader was
   * busy are folded, but only the last of them is given. Ends without an error when `signal`
   * aborts. The chain is looked at by this loop alone: without one the view stays where it is.
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
    if (head === undefined) throw new ChainError('no block of the venue was read')
    return head
  }

  get #records() {
    return this.#folded.state.records
  }

  #market(nameOrId: string): Market {
    const found =
      this.#records.market.get(nameOrId) ??
      [...this.#records.market.values()].find(({ name }) => name === nameOrId)
    if (found === undefined) throw new OpenvenueError(`there is no market ${nameOrId}`)
    return found
  }

  #account(address: string): number | undefined {
    return this.#folded.accounts.get(address.toLowerCase())
  }

  /** Readers share one look at the chain. */
  #advance(signal: AbortSignal | undefined): Promise<void> {
    this.#advancing ??= this.#look(signal).finally(() => {
      this.#advancing = undefined
    })
    return this.#advancing
  }

  /** Folds what there is, and waits for a new head. */
  async #look(signal: AbortSignal | undefined): Promise<void> {
    const { pollMs = POLL_MS, nextHead = (stop) => wait(pollMs, stop) } = this.#options
    try {
      while (await this.#persist(() => this.#step(), signal));
      await nextHead(signal)
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
  }

  /** Asks the node, and after a failure again. */
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

  /** Folds the next block, or undoes the newest; returns whether there was one. */
  async #step(): Promise<boolean> {
    const { number, hash } = this.#head
    const latest = await this.#latest()
    if (latest.number <= number) {
      const known = this.#folded.hashOf(latest.number)
      // A node that is behind says nothing new; another block in place of ours undoes ours.
      if (known === undefined || known === latest.hash) return false
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

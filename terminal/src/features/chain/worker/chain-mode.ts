// Shows the venue from its chain only, while its API is down. Each update reads one block and shows
// that block.
import { ChainError, type ChainHeader, HttpNode, readHeader } from 'openvenue/chain'
import { SigningVenue } from 'openvenue/signing'
import type { Hex } from 'viem'
import type { Show } from '../../../protocol/worker/shown-sources.ts'
import { showDecimal } from '../../../text/decimal-text.ts'
import { viewBook } from '../../book/worker/book-view.ts'
import { titleOf } from '../../market/worker/market-view.ts'
import { NO_ACCOUNT, type TableRow } from '../../tables/table-protocol.ts'
import type { Request } from '../../wallet/worker/chain-rpc.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'
import * as text from '../text.ts'
import { BlockCalls } from './block-calls.ts'
import {
  type AccountAtBlock,
  type ChainQuote,
  readAccount,
  readAccountNumber,
  readLossMarket,
  readQuotes,
} from './chain-account.ts'
import { planCancels, planClose } from './chain-actions.ts'
import { type ChainListing, type ChainMarket, readListing } from './chain-listing.ts'
import {
  chainOrderRow,
  chainPositionRow,
  levelsOf,
  ownLines,
  ownOrders,
  stepsOf,
  viewChainAccount,
  viewChainMarket,
} from './chain-views.ts'
import { OwnResting, type OwnRestingOrder } from './own-resting.ts'
import { lensAbi } from './venue-abi.ts'
import type { VenueOnChain } from './venue-place.ts'

/** Update interval; it grows while the node does not answer. */
const LOOK_MS = 1_500
const LOOK_MS_MAX = 15_000
const AGE_EVERY_MS = 1_000
/** Age at which the newest block counts as old: the node is slow, cut off or behind. */
const OLD_MS = 30_000
/** Orders per side, as many as the API reads. */
const BOOK_ORDERS_MAX = 500n
/**
 * Number of older blocks in a row that are ignored: a load balancer may pick a node that is behind.
 */
const BEHIND_MAX = 5
/** Number of updates after which units and halts of markets are re-read. */
const LISTING_LOOKS = 40

export type ChainModeParts = Readonly<{
  place: VenueOnChain
  show: Show
  /** Market and grouping shown before. */
  market: string
  group: number
  /** Empty without a wallet. */
  wallet: string
  /** Ids of resting orders last reported by the API. */
  orders: readonly string[]
}>

/** All data read at one block. */
type Picture = Readonly<{
  market: ChainMarket
  quotes: ReadonlyMap<string, ChainQuote>
  /** Market number in the perpetual engine; 0 while withdrawals are open. */
  lossMarket: number
  book: Readonly<Record<'bids' | 'asks', readonly Readonly<{ tick: number; lots: bigint }>[]>>
  account: AccountAtBlock | undefined
  orders: readonly OwnRestingOrder[]
}>

export class ChainMode {
  readonly #parts: ChainModeParts
  readonly #node: HttpNode
  readonly #stopping = new AbortController()
  #market: string
  #group: number
  #wallet: string
  #ownResting: OwnResting | undefined
  #listing: ChainListing | undefined
  #head: ChainHeader | undefined
  #picture: Picture | undefined
  #looks = 0
  #behind = 0
  #isChainKnown = false
  #problem = ''
  #hurry: () => void = () => {}

  constructor(parts: ChainModeParts) {
    this.#parts = parts
    this.#node = new HttpNode(parts.place.rpcUrls[0] ?? '')
    this.#market = parts.market
    this.#group = parts.group
    this.#wallet = parts.wallet
  }

  /** Runs until it is stopped. */
  async run(): Promise<void> {
    const { signal } = this.#stopping
    const timer = setInterval(() => this.#showAge(), AGE_EVERY_MS)
    this.#showAge()
    let pauseMs = LOOK_MS
    while (!signal.aborted) {
      const isRead = await this.#tryLook()
      pauseMs = isRead ? LOOK_MS : Math.min(pauseMs * 2, LOOK_MS_MAX)
      if (!signal.aborted) await this.#pause(pauseMs)
    }
    clearInterval(timer)
  }

  stop(): void {
    this.#stopping.abort()
    this.#hurry()
  }

  choose(market: string): void {
    this.#market = market
    this.look()
  }

  group(at: number): void {
    this.#group = at
    if (this.#picture !== undefined) this.#showBook(this.#picture)
  }

  /** Follows the account of a wallet; no account if empty. */
  use(wallet: string): void {
    if (wallet.toLowerCase() === this.#wallet.toLowerCase()) return
    this.#wallet = wallet
    this.#ownResting = undefined
    this.look()
  }

  /** Updates now, even at a block that is already shown. */
  look(): void {
    this.#head = undefined
    this.#hurry()
  }

  /** The newest displayed block; 0 while the node cannot be read. */
  get block(): number {
    return this.#problem === '' ? (this.#shownHead?.number ?? 0) : 0
  }

  /** Returns the calls that cancel the account's orders selected by id and market. */
  planCancels(isMeant: (id: string, market: string) => boolean): readonly PlannedCall[] {
    const orders = this.#picture?.orders ?? []
    return planCancels(orders.filter(({ id, market }) => isMeant(id, market.name)))
  }

  /** Returns the calls that close the positions of a market, or all positions if it is empty. */
  planCloses(market: string): readonly PlannedCall[] {
    const positions = this.#picture?.account?.positions ?? []
    return positions
      .filter(({ market: { name } }) => market === '' || name === market)
      .map(planClose)
  }

  /** Returns the rows of a table that can be read from the chain. */
  rows(tab: 'orders' | 'positions'): readonly TableRow[] {
    if (tab === 'orders') return (this.#picture?.orders ?? []).map(chainOrderRow)
    return (this.#picture?.account?.positions ?? []).map(chainPositionRow)
  }

  /** The chain connection that wallets use. */
  get ask(): Request {
    return (method, params) => this.#node.request({ method, params })
  }

  /** Returns the venue data needed for deposits and withdrawals; undefined before it was read. */
  venue(): SigningVenue | undefined {
    const listing = this.#listing
    return listing && awayVenue(this.#parts.place, listing.tokens)
  }

  #shownHead: ChainHeader | undefined
  #newestMs = performance.now()

  async #tryLook(): Promise<boolean> {
    try {
      await this.#look()
      this.#problem = ''
      return true
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      this.#problem = error.message
      // The next answer may come from another node.
      this.#isChainKnown = false
      return false
    } finally {
      this.#showAge()
    }
  }

  async #look(): Promise<void> {
    if (!this.#isChainKnown) await this.#node.expectChain(this.#parts.place.chainId)
    this.#isChainKnown = true
    const head = await readHeader(this.#node, 'latest')
    if (head === undefined) throw new ChainError(text.noBlock)
    if (head.hash === this.#head?.hash || this.#isBehind(head)) return
    const calls = new BlockCalls(this.#node, head)
    const picture = await this.#read(calls)
    if (this.#stopping.signal.aborted || picture === undefined) return
    if (head.hash !== this.#shownHead?.hash) this.#newestMs = performance.now()
    this.#head = head
    this.#shownHead = head
    this.#picture = picture
    this.#showAll(picture)
  }

  #isBehind({ number }: ChainHeader): boolean {
    const isBehind = number < (this.#shownHead?.number ?? 0)
    this.#behind = isBehind ? this.#behind + 1 : 0
    return isBehind && this.#behind <= BEHIND_MAX
  }

  async #read(calls: BlockCalls): Promise<Picture | undefined> {
    const { contracts } = this.#parts.place
    if (this.#looks % LISTING_LOOKS === 0) this.#listing = await readListing(calls, contracts)
    this.#looks += 1
    const listing = this.#listing
    const market = this.#chosen()
    if (listing === undefined || market === undefined) throw new ChainError(text.noMarkets)
    const [quotes, lossMarket, [bids, asks]] = await Promise.all([
      readQuotes(calls, listing.markets),
      readLossMarket(calls, contracts),
      calls.read({
        ...{ address: contracts.lens as Hex, abi: lensAbi, functionName: 'books' },
        args: [market.engine, market.number, BOOK_ORDERS_MAX],
      }),
    ])
    const read = { market, quotes, lossMarket, book: { bids, asks } }
    const wallet = this.#wallet
    const holdings = await this.#readHoldings(calls, quotes)
    // The user chose another market or account meanwhile: the next update shows that one.
    return wallet === this.#wallet && market === this.#chosen()
      ? { ...read, ...holdings }
      : undefined
  }

  /** The chosen market, or the first one if the choice does not exist. */
  #chosen(): ChainMarket | undefined {
    const markets = this.#listing?.markets ?? []
    return markets.find(({ name }) => name === this.#market) ?? markets[0]
  }

  async #readHoldings(calls: BlockCalls, quotes: Picture['quotes']) {
    const nothing = { account: undefined, orders: [] }
    const { listing, contracts } = { listing: this.#listing, ...this.#parts.place }
    if (this.#wallet === '' || listing === undefined) return nothing
    const account = await readAccountNumber(calls, contracts, this.#wallet)
    if (account === 0) return nothing
    this.#ownResting ??= this.#createResting(account)
    const [atBlock, orders] = await Promise.all([
      readAccount(calls, { contracts, listing, account }, quotes),
      this.#ownResting.read(calls, listing.markets),
    ])
    return { account: atBlock, orders }
  }

  #createResting(account: number): OwnResting {
    const resting = new OwnResting(this.#parts.place.contracts, account)
    // The API's orders belonged to this wallet; for another one the contract reports them as
    // foreign.
    resting.add(this.#parts.orders)
    return resting
  }

  #showAll(picture: Picture): void {
    const { show } = this.#parts
    const { markets, collateral } = this.#listing ?? { markets: [], collateral: '' }
    const { market, quotes, lossMarket, account, orders } = picture
    const rows = markets.map((listed) =>
      viewChainMarket(listed, quotes.get(listed.id), { collateral, lossMarket }),
    )
    show('title', titleOf(rows, market.name))
    show('market', market.name)
    show('markets', rows)
    this.#showBook(picture)
    show('ownMarks', ownLines(orders, market))
    show('orders', this.rows('orders'))
    show('positions', this.rows('positions'))
    show('account', account === undefined ? NO_ACCOUNT : viewChainAccount(account, collateral))
  }

  #showBook({ market, book, orders }: Picture): void {
    const { bids, asks } = book
    const sides = { bids: levelsOf(market, bids), asks: levelsOf(market, asks) }
    const whole = { ...sides, blockNumber: this.#shownHead?.number ?? 0 }
    this.#parts.show(
      'book',
      viewBook(whole, stepsOf(market), this.#group, ownOrders(orders, market)),
    )
  }

  #showAge(): void {
    if (this.#stopping.signal.aborted) return
    const head = this.#shownHead
    const ageSeconds = head === undefined ? 0 : Math.floor(Date.now() / 1_000) - head.seconds
    this.#parts.show('chain', {
      isOn: true,
      isOld: head === undefined || performance.now() - this.#newestMs > OLD_MS,
      block: head === undefined ? '' : showDecimal(String(head.number)),
      age: head === undefined ? '' : showAge(ageSeconds),
      problem: this.#problem,
    })
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const MINUTE = 60
const HOUR = 3_600

/** Returns an age as text: `12 s`, `5 min`, `3 h`. A clock that is behind counts as age 0. */
export function showAge(seconds: number): string {
  if (seconds < 2 * MINUTE) return text.ageSeconds(Math.max(seconds, 0))
  if (seconds < 2 * HOUR) return text.ageMinutes(Math.floor(seconds / MINUTE))
  return text.ageHours(Math.floor(seconds / HOUR))
}

type Tokens = readonly Readonly<{ address: string; symbol: string; decimals: number }>[]

/**
 * Returns the venue data that wallets need while the API is down: contracts and terms of deposits
 * and withdrawals only.
 */
export function awayVenue(place: VenueOnChain, tokens: Tokens): SigningVenue {
  const { contracts, network: name, chainId, rpcUrls, gas } = place
  const { accounts, spot, perps } = contracts
  // Whatever the API reported last, no orders are accepted while it is down.
  const trading = 'cancel_only'
  const network = { name, chain_id: chainId, rpc_urls: rpcUrls, trading, ...gas }
  const addresses = Object.entries({ accounts, spot, perps }).map(([key, address]) => [
    key,
    { address },
  ])
  const info = { network, contracts: Object.fromEntries(addresses), tokens }
  return new SigningVenue(info as unknown as SigningVenue['info'], [])
}

// Finds the resting orders of an account: logs list the placed orders, and the contract shows which
// of them still rest.
import { type Hex, numberToHex, toEventSelector } from 'viem'
import { type BlockCalls, pagesBack } from './block-calls.ts'
import type { ChainMarket } from './chain-listing.ts'
import { engineAbi } from './venue-abi.ts'
import type { VenueContracts } from './venue-config.ts'

/** Maximum number of newest orders to check; each costs a request. */
const ORDERS_MAX = 200
/** Pages to search back: 200,000 blocks. */
const PAGES_MAX = 20
/** Number of blocks during which an ended order is re-checked: a reorg may undo its end. */
const BLOCKS_UNDONE = 64
const ID_DIGITS = 66
const BUY = 1
const REDUCE_ONLY = 2

export const PLACED_TOPIC = toEventSelector(
  'Placed(uint32,uint40,uint40,bool,uint24,uint64,uint8,bool,uint40,bytes32)',
)

/** A resting order. Its id is engine, market and number, as in the API. */
export type OwnRestingOrder = Readonly<{
  id: string
  market: ChainMarket
  number: number
  isBuy: boolean
  isReduceOnly: boolean
  tick: number
  lots: bigint
}>

export class OwnResting {
  readonly #contracts: VenueContracts
  readonly #account: number
  /** Order ids with the block at which they had ended; undefined while resting or unknown. */
  readonly #candidates = new Map<string, number | undefined>()
  #readTo: number | undefined
  /** True once all blocks since the venue's deployment have been searched. */
  isWhole = false

  constructor(contracts: VenueContracts, account: number) {
    this.#contracts = contracts
    this.#account = account
  }

  /** Adds orders known from elsewhere, oldest first. */
  add(ids: readonly string[]): void {
    for (const id of ids) if (isOrderId(id) && !this.#candidates.has(id)) this.#addCandidate(id)
  }

  /** Returns the orders of these markets that rest at a block. */
  async read(
    calls: BlockCalls,
    markets: readonly ChainMarket[],
  ): Promise<readonly OwnRestingOrder[]> {
    await this.#readLogs(calls)
    const byId = new Map(markets.map((market) => [market.id, market]))
    const { number: block } = calls.head
    const reads = [...this.#candidates].flatMap(([id, endedAt]) => {
      if (endedAt !== undefined && block - endedAt > BLOCKS_UNDONE) {
        this.#candidates.delete(id)
        return []
      }
      const market = byId.get(id.slice(0, 50))
      return market === undefined ? [] : [this.#readOrder(calls, id, market)]
    })
    const orders = await Promise.all(reads)
    return orders.filter((order) => order !== undefined)
  }

  async #readOrder(calls: BlockCalls, id: string, market: ChainMarket) {
    const number = Number(BigInt(`0x${id.slice(50)}`))
    const order = await calls.read({
      ...{ address: market.engine, abi: engineAbi, functionName: 'orderAt' },
      args: [market.number, number],
    })
    const hasExpired = order.goodTil !== 0 && order.goodTil < calls.head.seconds
    if (order.account !== this.#account || order.lots === 0n || hasExpired) {
      this.#candidates.set(id, this.#candidates.get(id) ?? calls.head.number)
      return undefined
    }
    this.#candidates.set(id, undefined)
    return {
      ...{ id, market, number, tick: order.tick, lots: order.lots },
      isBuy: (order.flags & BUY) !== 0,
      isReduceOnly: (order.flags & REDUCE_ONLY) !== 0,
    }
  }

  /** Reads the logs of placed orders: all the way back at first, then only new blocks. */
  async #readLogs(calls: BlockCalls): Promise<void> {
    const { spot, perps, fromBlock } = this.#contracts
    const account = numberToHex(this.#account, { size: 32 })
    const filter = { address: [spot, perps], topics: [[PLACED_TOPIC], null, [account]] }
    const isFirst = this.#readTo === undefined
    const from = isFirst ? fromBlock : Math.max(fromBlock, (this.#readTo ?? 0) - BLOCKS_UNDONE)
    const pages = pagesBack(from, calls.head.number, PAGES_MAX)
    const placed: string[] = []
    for (const page of pages) {
      const logs = await calls.logs(filter, page)
      placed.unshift(...logs.map(({ address, topics, data }) => idOf(address, topics, data)))
      if (placed.length >= ORDERS_MAX) break
    }
    if (isFirst) this.isWhole = (pages.at(-1)?.from ?? 0) <= from && placed.length < ORDERS_MAX
    this.add(placed.slice(-ORDERS_MAX))
    this.#readTo = calls.head.number
  }

  #addCandidate(id: string): void {
    this.#candidates.set(id, undefined)
    const [oldest] = this.#candidates.keys()
    if (this.#candidates.size > ORDERS_MAX && oldest !== undefined) this.#candidates.delete(oldest)
  }
}

/** An order number has eight bytes in an id; it is the first word of the log's data. */
const idOf = (engine: string, topics: readonly string[], data: string): string => {
  const market = (topics[1] ?? '').slice(-8)
  return `${engine}${market}${data.slice(2, 66).slice(-16)}`
}

const isOrderId = (id: string): id is Hex => id.length === ID_DIGITS && /^0x[0-9a-f]+$/.test(id)

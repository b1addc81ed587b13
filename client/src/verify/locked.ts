// Sums the tokens that the resting orders of an account lock at the spot engine.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { Hex } from 'viem'
import { ChainError } from '../chain/rpc.ts'
import type { VenueContracts } from '../chain/venue-contracts.ts'
import type { BlockView } from './block-view.ts'
import { type ChainMarket, readListed } from './contracts.ts'
import { type RestingOrder, readResting } from './verify-book.ts'

/** Maximum number of levels per side that are read one by one. */
const LEVELS_MAX = 2_000
const NONE_BELOW = 0
const NONE_ABOVE = 2 ** 24 - 1

/** Account of the orders, and whether expired orders that have not been swept count. */
type LockOptions = Readonly<{ account: number; isExpiredCounted: boolean }>

/**
 * Returns the raw units of each token (lower case) that resting orders of an account lock. Expired
 * orders lock theirs until they are swept; finding these takes a read of every level of every book.
 */
export async function readLocked(
  view: BlockView,
  contracts: VenueContracts,
  { account, isExpiredCounted }: LockOptions,
): Promise<ReadonlyMap<string, bigint>> {
  const engine = contracts.spot.toLowerCase()
  const count = await view.read({
    address: engine as Hex,
    abi: spotAbi,
    functionName: 'marketCount',
  })
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const sums = await Promise.all(
    numbers.map(async (number) => {
      const market = await readListed(view, 'SPOT', { engine, number })
      return lockedIn(view, market, { contracts, account, isExpiredCounted })
    }),
  )
  const locked = new Map<string, bigint>()
  for (const [token, sum] of sums.flat()) locked.set(token, (locked.get(token) ?? 0n) + sum)
  return locked
}

type Sum = readonly [token: string, raw: bigint]

/** Returns the amounts that orders in one market lock, by token. */
async function lockedIn(
  view: BlockView,
  market: ChainMarket,
  { contracts, account, isExpiredCounted }: LockOptions & { contracts: VenueContracts },
): Promise<readonly Sum[]> {
  const { bids, asks } = await readResting(view, contracts, market)
  const sides: readonly BookSide[] = [
    { isBuy: true, shown: bids },
    { isBuy: false, shown: asks },
  ]
  return Promise.all(
    sides.map(async (side): Promise<Sum> => {
      const orders = isExpiredCounted ? await readSide(view, market, side) : side.shown
      const ownOrders = orders.filter((order) => order.account === account)
      const sum = ownOrders.reduce((total, order) => total + heldBy(market, order, side.isBuy), 0n)
      return [(side.isBuy ? market.quote : market.base) ?? '', sum]
    }),
  )
}

const heldBy = (market: ChainMarket, { tick, lots }: RestingOrder, isBuy: boolean): bigint =>
  isBuy ? BigInt(tick) * lots * market.quotePerLotTick : lots * market.amountStep

type BookSide = Readonly<{ isBuy: boolean; shown: readonly RestingOrder[] }>

/**
 * Returns all orders of a side, including expired ones. `shown` are the orders that the lens
 * returns: only levels with more orders are read one by one.
 */
async function readSide(
  view: BlockView,
  market: ChainMarket,
  { isBuy, shown }: BookSide,
): Promise<RestingOrder[]> {
  const at = { address: market.engine as Hex, abi: spotAbi } as const
  const state = await view.read({ ...at, functionName: 'stateOf', args: [market.number] })
  const orders: RestingOrder[] = []
  let tick = isBuy ? state.bestBid : state.bestAsk
  for (let read = 0; tick !== NONE_BELOW && tick !== NONE_ABOVE; read++) {
    if (read === LEVELS_MAX) throw new ChainError(`a side has more than ${LEVELS_MAX} levels`)
    const args = [market.number, tick] as const
    const [level, next] = await Promise.all([
      view.read({ ...at, functionName: 'levelAt', args }),
      view.read({ ...at, functionName: isBuy ? 'tickBelow' : 'tickAbove', args }),
    ])
    const here = shown.filter((order) => order.tick === tick)
    const isWhole = here.length === level.count
    orders.push(...(isWhole ? here : await readLevel(view, market, level)))
    tick = next
  }
  return orders
}

async function readLevel(
  view: BlockView,
  market: ChainMarket,
  { head, count }: Readonly<{ head: number; count: number }>,
): Promise<RestingOrder[]> {
  const orders: RestingOrder[] = []
  for (let order = head; orders.length < count; ) {
    const entry = await view.read({
      address: market.engine as Hex,
      abi: spotAbi,
      functionName: 'orderAt',
      args: [market.number, order],
    })
    orders.push({ order, account: entry.account, tick: entry.tick, lots: entry.lots })
    order = entry.next
  }
  return orders
}

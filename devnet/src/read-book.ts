// Reads the resting orders of markets from the contracts.
import { lensAbi } from '@openvenue/contracts/abi/lens'
import { readViews } from '@openvenue/runtime/views'
import type { BookOrder } from './resting.ts'
import type { ChainRpc } from './rpc.ts'

/** Maximum number of orders per side; the traders keep far fewer. */
const ORDERS_PER_SIDE_MAX = 500n

/** A market: its engine and its number there. */
type MarketKey = Readonly<{ engine: string; number: number }>

type SideOrders = readonly Readonly<{
  order: number
  account: number
  tick: number
  lots: bigint
}>[]

/**
 * Returns the resting orders of each of `places` at `block`, in their order: bids from the best
 * down, then asks from the best up, and the oldest first within a level.
 */
export async function readBooks(
  rpc: ChainRpc,
  lens: string,
  markets: readonly MarketKey[],
  block = 'latest',
): Promise<BookOrder[][]> {
  const views = markets.map(({ engine, number }) => ({
    to: lens,
    abi: lensAbi,
    functionName: 'books',
    args: [engine, number, ORDERS_PER_SIDE_MAX],
  }))
  const books = (await readViews(rpc, views, block)) as [SideOrders, SideOrders][]
  return books.map(([bids, asks]) => [...restingSide(bids, true), ...restingSide(asks, false)])
}

const restingSide = (side: SideOrders, isBuy: boolean) =>
  side.map(
    ({ order: number, account, tick, lots }): BookOrder => ({
      number,
      account,
      isBuy,
      tick,
      lots: Number(lots),
    }),
  )

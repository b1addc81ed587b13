// Reads exchanges from the logs: matches on the book, and positions closed off it.
import type { EventOf } from '@openvenue/core/events'
import { placeId } from '@openvenue/core/ids'
import { ChainError, type ChainLog } from '../chain/rpc.ts'
import type { VenueContracts } from '../chain/venue-contracts.ts'
import type { BlockView } from './block-view.ts'
import { readEvents } from './contracts.ts'

/** Members known to the chain, by the id of their row, with the names of the API. */
export type LoggedMembers = Map<string, Record<string, unknown>>

export type Exchange = EventOf<'Filled'> | EventOf<'Absorbed'> | EventOf<'Deleveraged'>
/** Orders placed since the start of the range, by market and number. */
export type PlacedOrders = ReadonlyMap<string, EventOf<'Placed'>>
type ReadExchange = Readonly<{
  event: Exchange
  log: ChainLog
  id: string
  placed: PlacedOrders
}>

const BLOCK_DIGITS = 12

/**
 * Yields the exchanges at `engines` since the block of `first`, the id of a trade; without `first`,
 * since the venue began.
 */
export async function* readExchanges(
  view: BlockView,
  contracts: VenueContracts,
  {
    first,
    ...where
  }: Readonly<{ first: string | undefined; engines: readonly string[]; market?: number }>,
): AsyncGenerator<ReadExchange> {
  const from = first === undefined ? contracts.fromBlock : Number(first.slice(0, BLOCK_DIGITS))
  const placed = new Map<string, EventOf<'Placed'>>()
  for await (const events of readEvents(view, contracts, { from, ...where }))
    for (const { event, log } of events) {
      if (event.type === 'Placed') placed.set(`${event.market}|${event.order}`, event)
      if (isExchange(event))
        yield { event, log, id: placeId(log.blockNumber, log.logIndex), placed }
    }
}

const isExchange = (event: { type: string }): event is Exchange =>
  event.type === 'Filled' || event.type === 'Absorbed' || event.type === 'Deleveraged'

/** Returns whether the taker of a match bought. It was placed in the transaction of its fills. */
export function takerBuys(event: EventOf<'Filled'>, placed: PlacedOrders): boolean {
  const taker = placed.get(`${event.market}|${event.takerOrder}`)
  if (taker === undefined) throw new ChainError('the node left out the log of an order')
  return taker.buy
}

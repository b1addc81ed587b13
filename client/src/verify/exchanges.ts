// Reads from the logs what changed hands: matches on the book, and positions closed off it.
import type { EventOf } from '@openvenue/core/events'
import { placeId } from '@openvenue/core/ids'
import { ChainError, type ChainLog } from '../chain/rpc.ts'
import type { VenueContracts } from '../chain/venue-contracts.ts'
import type { BlockView } from './block-view.ts'
import { readEvents } from './contracts.ts'

/** Members that the chain knows, by the id of what they belong to, in the words of the API. */
export type Logged = Map<string, Record<string, unknown>>

export type Exchange = EventOf<'Filled'> | EventOf<'Absorbed'> | EventOf<'Deleveraged'>
/** Orders that were placed since the range began, by market and number. */
export type Placed = ReadonlyMap<string, EventOf<'Placed'>>
export type ReadExchange = Readonly<{ event: Exchange; log: ChainLog; id: string; placed: Placed }>

const BLOCK_DIGITS = 12

/**
 * Yields what changed hands at `engines` since the block of `first`, the id of a trade; without one
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

/** Returns whether the taker of a match bought: it was placed in the transaction of its fills. */
export function takerBuys(event: EventOf<'Filled'>, placed: Placed): boolean {
  const taker = placed.get(`${event.market}|${event.takerOrder}`)
  if (taker === undefined) throw new ChainError('the node left out the log of an order')
  return taker.buy
}

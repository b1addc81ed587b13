// Lists an account's holdings from the model's memory, all at the model's head. Interface 4.4.
import { invariant } from '@openvenue/core/assert'
import { fundingIndexAt } from '@openvenue/core/funding'
import { accountLiquidationPrice } from '@openvenue/core/liquidation'
import type { CursorPosition } from '@openvenue/store/history/account-history'
import type { MarketFilter } from '@openvenue/wire/account-query'
import {
  encodePerpPosition,
  encodeSpotPosition,
  type PerpPositionFacts,
  type PositionItem,
  type PositionsQuery,
  type SpotPositionFacts,
} from '@openvenue/wire/positions'
import { pageFromMemory } from '../http/memory-page.ts'
import { comparePositions, type ListName, type Page } from '../http/page.ts'
import type { LiveMarket } from '../model/live-market.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { filterMarkets, marketsPrint } from './account-filter.ts'
import type { Owner } from './owner.ts'

/** The facts of an account's position in one market. */
export type AccountPosition =
  | Readonly<{ type: 'PERPETUAL'; facts: PerpPositionFacts }>
  | Readonly<{ type: 'SPOT'; facts: SpotPositionFacts }>

/**
 * Returns the holdings of `owner` in the markets that `filter` selects, in order of listing:
 * perpetual positions that are not flat, and base tokens of spot markets.
 */
export function heldBy(
  model: VenueModel,
  { account }: Owner,
  filter: MarketFilter = {},
): AccountPosition[] {
  const markets = filterMarkets(model, filter)
  if (account === undefined) return []
  const positions: AccountPosition[] = []
  for (const live of markets) {
    const position = heldIn(model, live, account)
    if (position !== undefined) positions.push(position)
  }
  // The markets of one block can reach nodes in either order.
  return positions.sort((a, b) => comparePositions(heldPosition(a), heldPosition(b)))
}

/** Returns an account's holding in one market, or undefined without one. */
export function heldIn(
  model: VenueModel,
  live: LiveMarket,
  account: number,
): AccountPosition | undefined {
  if (live.market.type === 'SPOT') {
    const facts = spotFacts(model, live, account)
    return facts && { type: 'SPOT', facts }
  }
  const facts = perpFacts(model, live, account)
  return facts && { type: 'PERPETUAL', facts }
}

/** Returns a holding as JSON. */
export const encodePositionItem = (position: AccountPosition): PositionItem =>
  position.type === 'SPOT' ? encodeSpotPosition(position.facts) : encodePerpPosition(position.facts)

/** Returns a page of the holdings of `owner`. */
export function positionsPage(
  model: VenueModel,
  owner: Owner,
  query: PositionsQuery,
): Page<AccountPosition> {
  const list: ListName = {
    list: 'positions',
    isAscending: true,
    filter: [owner.wallet, marketsPrint(model, query)],
  }
  const rows = heldBy(model, owner, query)
  return pageFromMemory(query, list, { rows, cursorPosition: heldPosition })
}

/** The sort key: order of listing, then market id. */
const heldPosition = ({ facts }: AccountPosition): CursorPosition => ({
  seconds: facts.market.listedSeconds,
  id: facts.market.id,
})

function spotFacts(
  model: VenueModel,
  { market }: LiveMarket,
  account: number,
): SpotPositionFacts | undefined {
  const { balance, holding } = model.state.records
  const tokenBalance = balance.get(`${account}|${market.baseToken}`)
  if (tokenBalance === undefined) return undefined
  return {
    market,
    balance: tokenBalance,
    holding: holding.get(`${market.id}|${account}`),
    mark: model.mark(market.id),
    index: model.indexPrice(market.asset),
  }
}

function perpFacts(
  model: VenueModel,
  { market }: LiveMarket,
  account: number,
): PerpPositionFacts | undefined {
  const key = `${market.id}|${account}`
  const position = model.state.records.position.get(key)
  if (position === undefined || position.lots === 0n) return undefined
  const cycle = model.state.records.cycle.get(key)
  const funding = model.funding(market.id)
  if (cycle === undefined || funding === undefined)
    invariant(false, 'an open position has a cycle, and its market funding', position)
  const seconds = model.head?.seconds ?? funding.settledSeconds
  return {
    market,
    position,
    cycle,
    mark: model.mark(market.id),
    index: model.indexPrice(market.asset),
    fundingIndex: fundingIndexAt(funding, seconds),
    liquidationPrice: accountLiquidationPrice(model.state, { market, account, seconds }),
  }
}

// Who is deleveraged first: the one whose profit, for what was put in, and whose leverage are the
// highest. The usual measure of venues: profit over entry value, times position over equity.
import { fundingIndexAt } from '@openvenue/core/funding'
import { markPerLotDown, positionEquity } from '@openvenue/core/margin'
import type { Market, Position } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import { INSURANCE_ACCOUNT, marginOf } from './risks.ts'

export type Winner = Readonly<{ account: number; lots: bigint }>

/** Scores have so many decimals. */
const SCORE = 10n ** 18n
const magnitude = (x: bigint) => (x < 0n ? -x : x)

/**
 * Returns the accounts in profit whose positions are opposite to one of `lots` (signed), the first
 * to be deleveraged first. `lots` of a winner are a magnitude.
 */
export function winnersOf(state: VenueState, market: Market, lots: bigint): Winner[] {
  const mark = state.records.mark.get(market.id)
  const funding = state.records.funding.get(market.id)
  const { head } = state
  if (mark === undefined || funding === undefined || head === undefined) return []
  const perLot = markPerLotDown(market, mark.price)
  const index = fundingIndexAt(funding, head.seconds)
  const scored: (Winner & { score: bigint })[] = []
  for (const position of state.records.position.values()) {
    if (position.market !== market.id || position.account === INSURANCE_ACCOUNT) continue
    const isOpposite = lots > 0n ? position.lots < 0n : position.lots > 0n
    const profit = positionEquity(position, perLot, index)
    if (!isOpposite || profit <= 0n) continue
    const equity = marginOf(state, market.engine, position.account)?.equity ?? 0n
    const score = scoreOf(position, { profit, equity, perLot })
    scored.push({ account: position.account, lots: magnitude(position.lots), score })
  }
  return scored
    .sort((a, b) => (a.score === b.score ? a.account - b.account : a.score < b.score ? 1 : -1))
    .map(({ account, lots: size }) => ({ account, lots: size }))
}

type Worth = Readonly<{ profit: bigint; equity: bigint; perLot: bigint }>

/** Who is worth nothing but for this profit has the highest leverage that there is. */
function scoreOf({ lots, quote }: Position, { profit, equity, perLot }: Worth): bigint {
  const entry = magnitude(quote) || 1n
  const worth = equity > 0n ? equity : 1n
  return (profit * magnitude(lots) * perLot * SCORE) / (entry * worth)
}

// Ranks accounts for deleveraging by the contract's score (`Deleveraging.sol`): profit over entry
// value, times the leverage of the account. The contract refuses an account that ranks lower than
// one already nominated.

import { fundingIndexAt } from '@openvenue/core/funding'
import { abs, E18, min } from '@openvenue/core/integers'
import { type AccountMargin, markPerLotDown, positionEquity } from '@openvenue/core/margin'
import { markAt } from '@openvenue/core/marks'
import type { Market, Position } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import { INSURANCE_ACCOUNT, nextMargin, nextSeconds } from './risks.ts'

export type Winner = Readonly<{ account: number; lots: bigint }>

/** Cap of a ratio in the contract. */
const RATIO_MAX = 2n ** 120n - 1n
/** A winner with at least this share of the loser's lots ranks above all with less. */
const SHARE_DIVISOR = 20n
const LARGE = 2n ** 250n

/**
 * Returns the accounts with a profit and their margin whose positions are opposite to one of `lots`
 * (signed), highest rank first. `lots` of a winner are unsigned.
 */
export function rankWinners(state: VenueState, market: Market, lots: bigint): Winner[] {
  const mark = state.records.mark.get(market.id)
  const funding = state.records.funding.get(market.id)
  if (mark === undefined || funding === undefined || state.head === undefined) return []
  const seconds = nextSeconds(state)
  const perLot = markPerLotDown(market, markAt(mark, seconds).price)
  const index = fundingIndexAt(funding, seconds)
  const scored: (Winner & { score: bigint })[] = []
  for (const position of state.records.position.values()) {
    if (position.market !== market.id || position.account === INSURANCE_ACCOUNT) continue
    const isOpposite = lots > 0n ? position.lots < 0n : position.lots > 0n
    const profit = positionEquity(position, perLot, index)
    if (!isOpposite || profit <= 0n) continue
    const margin = nextMargin(state, market.engine, position.account)
    if (margin === undefined || margin.equity <= 0n || margin.equity < margin.maintenance) continue
    const score = scoreDown(position, profit, margin) + rankBySize(position, lots)
    scored.push({ account: position.account, lots: abs(position.lots), score })
  }
  return scored
    .sort((a, b) => (a.score === b.score ? a.account - b.account : a.score < b.score ? 1 : -1))
    .map(({ account, lots: size }) => ({ account, lots: size }))
}

/** An account with a profit and its maintenance margin has a score of at least 1. */
const scoreDown = ({ quote }: Position, profit: bigint, margin: AccountMargin): bigint =>
  1n + (ratioDown(profit, abs(quote)) * ratioDown(margin.notional, margin.equity)) / E18

const rankBySize = (position: Position, lots: bigint): bigint =>
  abs(position.lots) * SHARE_DIVISOR >= abs(lots) ? LARGE : 0n

function ratioDown(part: bigint, whole: bigint): bigint {
  const ratio = (part * E18) / (whole || 1n)
  return min(ratio, RATIO_MAX)
}

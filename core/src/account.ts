// Answers what readers of an account ask of its positions and holdings, beyond its margin.

import { abs } from './integers.ts'
import { markPerLotDown, unrealised } from './margin.ts'
import type { Base, Price, Quote, Raw } from './record-schema.ts'
import type { Balance, Holding, Market, Position } from './records.ts'
import { wholeRaw } from './units.ts'

/**
 * Returns the average price of `base` raw that cost `quote` raw, quote raw, cut down; 0 for none.
 */
export function averageCostDown(market: Market, quote: Quote, base: Base): Price {
  if (base === 0n) return 0n
  return (abs(quote) * wholeRaw(market.baseDecimals)) / abs(base)
}

/** Returns the average entry price of a perpetual position, quote raw, cut down; 0 while flat. */
export const averageEntryDown = (
  market: Market,
  { lots, quote }: Pick<Position, 'lots' | 'quote'>,
): Price => averageCostDown(market, quote, lots * market.amountStep)

/** Returns what a perpetual position is worth at `mark`, quote raw, above zero on either side. */
export const notionalDown = (
  market: Market,
  { lots }: Pick<Position, 'lots'>,
  mark: Price,
): Quote => abs(lots) * markPerLotDown(market, mark)

/** Returns the profit or loss of a perpetual position at `mark` before funding, quote raw. */
export const unrealisedAt = (market: Market, position: Position, mark: Price): Quote =>
  unrealised(position, markPerLotDown(market, mark))

/** Returns what a spot balance holds, locked tokens included, base raw. */
export const heldAmount = (balance: Balance | undefined): Raw =>
  balance === undefined ? 0n : balance.free + balance.locked

/** Returns what `amount` of a spot market's base is worth at `mark`, quote raw, cut down. */
export const spotValueDown = (market: Market, amount: Base | Raw, mark: Price): Quote =>
  (amount * mark) / wholeRaw(market.baseDecimals)

/**
 * Returns the holding when its cost is that of the whole balance; undefined when tokens came or
 * went otherwise than by trades in this market.
 */
export const knownHolding = (
  holding: Holding | undefined,
  balance: Balance | undefined,
): Holding | undefined => (holding?.amount === heldAmount(balance) ? holding : undefined)

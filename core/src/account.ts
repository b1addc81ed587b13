// Values the positions and holdings of an account. Margin is in margin.ts.

import { abs } from './integers.ts'
import { markPerLotDown, unrealised } from './margin.ts'
import type { Base, Price, Quote, Raw } from './record-schema.ts'
import type { Balance, Holding, Market, Position } from './records.ts'
import { wholeRaw } from './units.ts'

/**
 * Returns the average price of `base` raw bought for `quote` raw, in quote raw, rounded down; 0
 * when `base` is 0.
 */
export function averageCostDown(market: Market, quote: Quote, base: Base): Price {
  if (base === 0n) return 0n
  return (abs(quote) * wholeRaw(market.baseDecimals)) / abs(base)
}

/** Returns the average entry price of a perpetual position, quote raw, rounded down; 0 if flat. */
export const averageEntryDown = (
  market: Market,
  { lots, quote }: Pick<Position, 'lots' | 'quote'>,
): Price => averageCostDown(market, quote, lots * market.amountStep)

/** Returns the value of a perpetual position at `mark`, quote raw, rounded down, never negative. */
export const notionalDown = (
  market: Market,
  { lots }: Pick<Position, 'lots'>,
  mark: Price,
): Quote => abs(lots) * markPerLotDown(market, mark)

/** Returns the profit or loss of a perpetual position at `mark` before funding, quote raw. */
export const unrealisedAt = (market: Market, position: Position, mark: Price): Quote =>
  unrealised(position, markPerLotDown(market, mark))

/** Returns the total of a spot balance, locked tokens included, base raw. */
export const heldAmount = (balance: Balance | undefined): Raw =>
  balance === undefined ? 0n : balance.free + balance.locked

/** Returns the value of `amount` of a spot market's base at `mark`, quote raw, rounded down. */
export const spotValueDown = (market: Market, amount: Base | Raw, mark: Price): Quote =>
  (amount * mark) / wholeRaw(market.baseDecimals)

/**
 * Returns the holding if it covers the whole balance, so that the cost of the balance is known;
 * undefined when the balance also changed other than by trades in this market.
 */
export const knownHolding = (
  holding: Holding | undefined,
  balance: Balance | undefined,
): Holding | undefined => (holding?.amount === heldAmount(balance) ? holding : undefined)

// Computes the liquidation price: the mark at which a position reduces its account to the
// maintenance margin.

import { ceilDiv, E18 } from './integers.ts'
import { type AccountMargin, accountMargin, maintenanceMarginUp, markPerLotDown } from './margin.ts'
import { markAt } from './marks.ts'
import type { AccountNumber, Lots, PerLot, Price, Seconds } from './record-schema.ts'
import type { Market, Position } from './records.ts'
import type { VenueState } from './state.ts'

/** A position, the margin of its account, and the mark (18 decimals) used for that margin. */
type ExposedPosition = Readonly<{
  market: Market
  position: Position
  mark: Price
  margin: Pick<AccountMargin, 'equity' | 'maintenance'>
}>

/**
 * Returns the mark of the market, quote raw, at which the equity of the account would equal its
 * maintenance margin, with all other marks unchanged: the highest such price for a long, the lowest
 * for a short; exact. Undefined for a flat position and if no positive price would do so.
 */
export function liquidationPrice({
  market,
  position,
  mark,
  margin,
}: ExposedPosition): bigint | undefined {
  const { lots } = position
  if (lots === 0n || market.maxLeverage === null) return undefined
  const perLot = markPerLotDown(market, mark)
  const maintenance = margin.maintenance - maintenanceMarginUp(market, position, perLot)
  // `rest` is the equity above maintenance margin without the position. At a mark of m per lot the
  // total is rest + lots * m - ceil(|lots| * m / divisor).
  const rest = margin.equity - lots * perLot - maintenance
  const divisor = 2n * BigInt(market.maxLeverage)
  const price =
    lots > 0n
      ? highestPrice(market, highestPerLot(rest, lots, divisor))
      : lowestPrice(market, lowestPerLot(rest, -lots, divisor))
  return price > 0n ? price : undefined
}

/**
 * Returns the liquidation price of an account's position in `state`; undefined if there is none or
 * the mark of any of its positions is unknown.
 */
export function accountLiquidationPrice(
  state: VenueState,
  at: Readonly<{ market: Market; account: AccountNumber; seconds: Seconds }>,
): bigint | undefined {
  const { market, account, seconds } = at
  const position = state.records.position.get(`${market.id}|${account}`)
  const mark = state.records.mark.get(market.id)
  const margin = accountMargin(state, { engine: market.engine, account, seconds })
  if (position === undefined || mark === undefined || margin === undefined) return undefined
  return liquidationPrice({ market, position, mark: markAt(mark, seconds).price, margin })
}

/** The greatest m with rest + floor(lots * m * (divisor - 1) / divisor) <= 0; -1 for none. */
const highestPerLot = (rest: bigint, lots: Lots, divisor: bigint): bigint =>
  rest > 0n ? -1n : (divisor * (1n - rest) - 1n) / (lots * (divisor - 1n))

/** The least m with rest <= ceil(lots * m * (divisor + 1) / divisor); 0 for none. */
const lowestPerLot = (rest: bigint, lots: Lots, divisor: bigint): bigint =>
  rest <= 0n ? 0n : (divisor * (rest - 1n)) / (lots * (divisor + 1n)) + 1n

/** The highest price at which a lot costs at most `perLot`; none above zero for -1. */
const highestPrice = ({ amountStep }: Market, perLot: PerLot): bigint =>
  ((perLot + 1n) * E18 - 1n) / amountStep

/** The lowest price at which a lot costs at least `perLot`. */
const lowestPrice = ({ amountStep }: Market, perLot: PerLot): bigint =>
  ceilDiv(perLot * E18, amountStep)

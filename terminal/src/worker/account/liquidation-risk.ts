// When a liquidation counts as near: of an account and of a position, both here alone.
import { type shapes, toRaw } from 'openvenue'

export const BASIS_POINTS = 10_000n
/** Of the equity, taken by the maintenance margin: from there on the venue warns, too. */
export const NEAR_MARGIN_BASIS_POINTS = 8_000n
/** Of the mark, between it and the price that would liquidate. */
const NEAR_PRICE_BASIS_POINTS = 500n
const DECIMALS = 18

type Position = Pick<shapes.PerpetualPosition, 'mark_price' | 'liquidation_price'>

/** Whether the mark is close to the price that liquidates a position, or beyond it. */
export function isPositionNear({ mark_price, liquidation_price }: Position): boolean {
  if (mark_price === null || liquidation_price === null) return false
  const [mark, end] = [toRaw(mark_price, DECIMALS), toRaw(liquidation_price, DECIMALS)]
  const apart = mark > end ? mark - end : end - mark
  return apart * BASIS_POINTS <= mark * NEAR_PRICE_BASIS_POINTS
}

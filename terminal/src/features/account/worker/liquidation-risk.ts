// Defines when a liquidation counts as near, for an account and for a position.
import { type shapes, toRaw } from 'openvenue'

export const BASIS_POINTS = 10_000n
/** Share of equity used by maintenance margin, from which the venue warns, too. Basis points. */
export const NEAR_MARGIN_BASIS_POINTS = 8_000n
/** Distance between the mark and the liquidation price, relative to the mark. Basis points. */
const NEAR_PRICE_BASIS_POINTS = 500n
const DECIMALS = 18

type RiskPosition = Pick<shapes.PerpetualPosition, 'mark_price' | 'liquidation_price'>

/** Returns true if the mark is close to the liquidation price of a position, or beyond it. */
export function isPositionNear({ mark_price, liquidation_price }: RiskPosition): boolean {
  if (mark_price === null || liquidation_price === null) return false
  const [mark, end] = [toRaw(mark_price, DECIMALS), toRaw(liquidation_price, DECIMALS)]
  const apart = mark > end ? mark - end : end - mark
  return apart * BASIS_POINTS <= mark * NEAR_PRICE_BASIS_POINTS
}

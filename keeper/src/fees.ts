// Computes fee offers (EIP-1559), in wei per unit of gas.
import { max, min } from '@openvenue/core/integers'

export type Fee = Readonly<{ max: bigint; tip: bigint }>

/** The base fee can double within six full blocks, for which an offer remains valid. */
const BASE_FEE_ROOM = 2n
/** Nodes require a tenth more for a replacement; a quarter reaches any price in few steps. */
const RAISE_NUMERATOR = 5n
const RAISE_DENOMINATOR = 4n
/** Chains without a gas price still require an offer above zero. */
const LEAST_WEI = 1n

/** Cap of an offer, and the minimum that the chain accepts; wei per unit of gas. */
export type FeeBounds = Readonly<{ feeCap: bigint; feeFloor: bigint }>

/** Returns the offer for the next blocks, within its bounds. */
export const offerFee = (baseFee: bigint, tip: bigint, { feeCap, feeFloor }: FeeBounds): Fee =>
  capped({ max: max(baseFee * BASE_FEE_ROOM, feeFloor) + tip, tip }, feeCap)

/** Returns an offer above `fee` and not below `floor`, at most `cap`. */
export const raised = (fee: Fee, floor: Fee, cap: bigint): Fee =>
  capped({ max: max(more(fee.max), floor.max), tip: max(more(fee.tip), floor.tip) }, cap)

/** Returns whether `fee` exceeds `before` by enough for a node to accept the replacement. */
export const replaces = (fee: Fee, before: Fee): boolean =>
  fee.max * 10n >= before.max * 11n && fee.tip * 10n >= before.tip * 11n

const more = (wei: bigint) => (wei * RAISE_NUMERATOR) / RAISE_DENOMINATOR + 1n

function capped(fee: Fee, cap: bigint): Fee {
  const most = min(max(fee.max, LEAST_WEI), cap)
  return { max: most, tip: min(fee.tip, most) }
}

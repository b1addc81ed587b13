// Computes what a transaction offers for its gas (EIP-1559), in wei per unit of gas.
import { max, min } from '@openvenue/core/integers'

export type Fee = Readonly<{ max: bigint; tip: bigint }>

/** A base fee can double in six full blocks; that long an offer stays good. */
const BASE_FEE_ROOM = 2n
/** Nodes take a replacement that offers a tenth more; a quarter reaches any price in few steps. */
const RAISE_NUMERATOR = 5n
const RAISE_DENOMINATOR = 4n
/** Chains without a price still want an offer above zero. */
const LEAST_WEI = 1n

/** What an offer is at most, and below what the chain takes none; wei per unit of gas. */
export type FeeBounds = Readonly<{ feeCap: bigint; feeFloor: bigint }>

/** Returns the offer for the next blocks, within its bounds. */
export const offerFee = (baseFee: bigint, tip: bigint, { feeCap, feeFloor }: FeeBounds): Fee =>
  capped({ max: max(baseFee * BASE_FEE_ROOM, feeFloor) + tip, tip }, feeCap)

/** Returns an offer above `fee` and not below `wanted`, at most `cap`. */
export const raised = (fee: Fee, wanted: Fee, cap: bigint): Fee =>
  capped({ max: max(more(fee.max), wanted.max), tip: max(more(fee.tip), wanted.tip) }, cap)

/** Whether `fee` offers enough more than `before` for a node to take it in its place. */
export const replaces = (fee: Fee, before: Fee): boolean =>
  fee.max * 10n >= before.max * 11n && fee.tip * 10n >= before.tip * 11n

const more = (wei: bigint) => (wei * RAISE_NUMERATOR) / RAISE_DENOMINATOR + 1n

function capped(fee: Fee, cap: bigint): Fee {
  const most = min(max(fee.max, LEAST_WEI), cap)
  return { max: most, tip: min(fee.tip, most) }
}

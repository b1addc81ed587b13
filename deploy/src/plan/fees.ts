// Computes fee offers from the block's base fee. Nodes are not asked, since their gas prices are
// wrong on some chains.
import { max, min } from '@openvenue/core/integers'

export type Fee = Readonly<{ max: bigint; tip: bigint }>

export type FeeTerms = Readonly<{
  feeFloorWei: bigint
  tipWei: bigint
  /** Maximum offer, wei per unit of gas. */
  capWei: bigint
}>

/** The base fee can double within six full blocks. */
const BASE_FEE_ROOM = 2n
/** Nodes accept a replacement that offers a tenth more in both members. */
const RAISED = { numerator: 9n, denominator: 8n } as const

/** Thrown when the base fee exceeds the cap. */
export class FeeAboveCap extends Error {
  override name = 'FeeAboveCap'
}

export function offerFee(baseFee: bigint, terms: FeeTerms): Fee {
  const { feeFloorWei, tipWei, capWei } = terms
  if (baseFee + tipWei > capWei)
    throw new FeeAboveCap(
      `the base fee of ${baseFee} wei plus the tip exceeds the cap of ${capWei}: wait, or raise the cap`,
    )
  const most = max(baseFee * BASE_FEE_ROOM, feeFloorWei) + tipWei
  return { max: min(most, capWei), tip: tipWei }
}

/** Returns an offer that can replace `before`; undefined when none within the cap can. */
export function raiseFee(before: Fee, offered: Fee, capWei: bigint): Fee | undefined {
  const more = (wei: bigint) => (wei * RAISED.numerator) / RAISED.denominator + 1n
  const fee = { max: max(more(before.max), offered.max), tip: max(more(before.tip), offered.tip) }
  return fee.max > capWei ? undefined : fee
}

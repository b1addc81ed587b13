// Computes what a transaction offers for gas from the block's base fee: nodes are not asked, since
// what they say of prices is wrong on some chains.
import { max, min } from '@openvenue/core/integers'

export type Fee = Readonly<{ max: bigint; tip: bigint }>

export type FeeTerms = Readonly<{
  feeFloorWei: bigint
  tipWei: bigint
  /** Never offered more, wei per unit of gas. */
  capWei: bigint
}>

/** A base fee can double in six full blocks. */
const BASE_FEE_ROOM = 2n
/** Nodes take a replacement that offers a tenth more in both members. */
const RAISED = { numerator: 9n, denominator: 8n } as const

/** The base fee is more than what may be offered. */
export class FeeAboveCap extends Error {
  override name = 'FeeAboveCap'
}

export function offerFee(baseFee: bigint, terms: FeeTerms): Fee {
  const { feeFloorWei, tipWei, capWei } = terms
  if (baseFee + tipWei > capWei)
    throw new FeeAboveCap(
      `the base fee is ${baseFee} wei: with the tip more than the cap, ${capWei}; wait, or raise it`,
    )
  const most = max(baseFee * BASE_FEE_ROOM, feeFloorWei) + tipWei
  return { max: min(most, capWei), tip: tipWei }
}

/** Returns an offer that takes the place of `before`; undefined where none within the cap does. */
export function raiseFee(before: Fee, offered: Fee, capWei: bigint): Fee | undefined {
  const more = (wei: bigint) => (wei * RAISED.numerator) / RAISED.denominator + 1n
  const fee = { max: max(more(before.max), offered.max), tip: max(more(before.tip), offered.tip) }
  return fee.max > capWei ? undefined : fee
}

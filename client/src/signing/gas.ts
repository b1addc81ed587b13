// Sets gas limits and fees of the wallet's own transactions without asking nodes, which on some
// chains return wrong values or none. Unused gas costs nothing.
import type { VenueInfo } from '../../generated/shapes.ts'
import { ask, type ChainRpc } from '../chain/rpc.ts'
import { type Check, checkValue, withFunctions } from '../input.ts'
import { isWord } from './checks.ts'

/**
 * Gas limits by call: at least twice the measured gas. The last four depend on the number of
 * perpetual positions of an account, which may be 64.
 */
export const GAS_LIMITS = {
  approve: 150_000n,
  deposit: 500_000n,
  depositWithPermit: 600_000n,
  openSub: 400_000n,
  revoke: 200_000n,
  burnSigned: 200_000n,
  withdraw: 1_200_000n,
  transfer: 1_200_000n,
  collect: 1_200_000n,
  setLeverage: 1_200_000n,
} as const

/** Fees of a type 2 transaction, in wei per unit of gas. */
export type GasFees = Readonly<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }>

/** Fee terms of a network, as `GET /info` has them. Wei per unit of gas. */
export type FeeTerms = Pick<VenueInfo['network'], 'fee_floor_wei' | 'tip_wei'>

/** Keeps an offer valid while the base fee doubles, which takes at least six full blocks. */
const BASE_FEE_ROOM = 2n

/** Returns the fees to offer for a base fee, at least the floor of the chain. */
export function offerFees(baseFee: bigint, terms: FeeTerms): GasFees {
  checkValue('baseFee', baseFee, isWord)
  const { fee_floor_wei, tip_wei } = checkTerms(terms)
  const [floor, tip] = [BigInt(fee_floor_wei), BigInt(tip_wei)]
  const room = baseFee * BASE_FEE_ROOM
  return { maxFeePerGas: (room > floor ? room : floor) + tip, maxPriorityFeePerGas: tip }
}

const isWei: Check = (value) =>
  typeof value === 'string' && /^\d+$/.test(value) ? undefined : 'digits, as in GET /info'
/** Accepts an object with which a node of the chain can be asked. */
export const isNode: Check = /* @__PURE__ */ withFunctions(
  'a node: an object with request',
  'request',
)

function checkTerms(terms: FeeTerms): FeeTerms {
  checkValue('fee_floor_wei', terms?.fee_floor_wei, isWei)
  checkValue('tip_wei', terms.tip_wei, isWei)
  return terms
}

/** Returns the fees to offer now, from the base fee of the newest block. */
export async function readFees(rpc: ChainRpc, terms: FeeTerms): Promise<GasFees> {
  checkValue('rpc', rpc, isNode)
  checkTerms(terms)
  const block = await ask(rpc, 'eth_getBlockByNumber', ['latest', false])
  const { baseFeePerGas = '0x0' } = (block ?? {}) as Readonly<{ baseFeePerGas?: string }>
  return offerFees(BigInt(baseFeePerGas), terms)
}

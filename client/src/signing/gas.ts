// Says what the wallet's own transactions are given and offer for gas. Nodes are not asked for
// either: on some chains what they say of it is wrong, or nothing. What is not used costs nothing.
import type { VenueInfo } from '../../generated/shapes.ts'
import { ask, type ChainRpc } from '../chain/rpc.ts'
import { type Check, checkValue, withFunctions } from '../input.ts'
import { isWord } from './checks.ts'

/**
 * Gas limits, by call: twice what each was measured to take and more. The four last look at every
 * perpetual position of an account, of which there may be 64.
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

/** As transactions of type 2 have them, in wei per unit of gas. */
export type GasFees = Readonly<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }>

/** What a network asks of an offer, as `GET /info` says it. Wei per unit of gas. */
export type FeeTerms = Pick<VenueInfo['network'], 'fee_floor_wei' | 'tip_wei'>

/** A base fee can double in six full blocks; that long an offer stays good. */
const BASE_FEE_ROOM = 2n

/** Returns what to offer above a base fee: no less than the chain takes. */
export function offerFees(baseFee: bigint, terms: FeeTerms): GasFees {
  checkValue('baseFee', baseFee, isWord)
  const { fee_floor_wei, tip_wei } = checkTerms(terms)
  const [floor, tip] = [BigInt(fee_floor_wei), BigInt(tip_wei)]
  const room = baseFee * BASE_FEE_ROOM
  return { maxFeePerGas: (room > floor ? room : floor) + tip, maxPriorityFeePerGas: tip }
}

const isWei: Check = (value) =>
  typeof value === 'string' && /^\d+$/.test(value) ? undefined : 'digits, as GET /info has them'
const isNode: Check = /* @__PURE__ */ withFunctions('a node: anything with request', 'request')

function checkTerms(terms: FeeTerms): FeeTerms {
  checkValue('fee_floor_wei', terms?.fee_floor_wei, isWei)
  checkValue('tip_wei', terms.tip_wei, isWei)
  return terms
}

/** Returns what to offer now, of the newest block's base fee. */
export async function readFees(rpc: ChainRpc, terms: FeeTerms): Promise<GasFees> {
  checkValue('rpc', rpc, isNode)
  checkTerms(terms)
  const block = await ask(rpc, 'eth_getBlockByNumber', ['latest', false])
  const { baseFeePerGas = '0x0' } = (block ?? {}) as Readonly<{ baseFeePerGas?: string }>
  return offerFees(BigInt(baseFeePerGas), terms)
}

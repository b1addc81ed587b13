// Reads the parameters of a perpetual market. Its caps and fees have no view: they are read from
// the engine's storage, whose layout the contract tests fix.
import { type Hex, hexToBigInt, keccak256, toHex } from 'viem'
import { encodeAbiParameters } from 'viem/utils'
import type { Chain } from '../chain/chain.ts'
import type { PerpParameters } from '../config/venue-terms.ts'
import type { Contract } from './contracts.ts'

/** The slot of `_limits` in `Perps`. A test lists a market and reads it back. */
const LIMITS_SLOT = 10n

type Bounds = Readonly<{ minOrderValue: bigint; maxOrderValue: bigint }>
type Funding = readonly [Readonly<{ maxLeverage: number }>, unknown]

export async function readPerpParameters(
  chain: Chain,
  engine: Contract,
  number: number,
): Promise<PerpParameters> {
  const { abi, address } = engine
  const args = [number]
  const [bounds, funding, limits] = await Promise.all([
    chain.read<Bounds>({ abi, address, functionName: 'stateOf', args }),
    chain.read<Funding>({ abi, address, functionName: 'fundingOf', args }),
    chain.slot(address, limitsSlot(number)),
  ])
  if (bounds === undefined || funding === undefined || limits === undefined)
    throw new Error(`cannot read market ${number} of perps`)
  const { minOrderValue, maxOrderValue } = bounds
  const caps = unpackLimits(limits)
  return {
    minOrderValue,
    maxOrderValue,
    maxNotionalValue: caps.maxNotionalValue,
    maxOpenInterest: caps.maxOpenInterest,
    maxLeverage: funding[0].maxLeverage,
    makerFee: caps.makerFee,
    takerFee: caps.takerFee,
  }
}

/** Slot of a mapping's entry: the hash of its key and the mapping's slot. */
export const limitsSlot = (number: number): Hex =>
  keccak256(
    encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [BigInt(number), LIMITS_SLOT]),
  )

/** Members fill a slot from its lowest bits: 96, 64, 32 and 32 bits. */
function unpackLimits(slot: Hex) {
  const word = hexToBigInt(slot === '0x' ? toHex(0) : slot)
  const bits = (from: bigint, count: number) => BigInt.asUintN(count, word >> from)
  return {
    maxNotionalValue: bits(0n, 96),
    maxOpenInterest: bits(96n, 64),
    makerFee: Number(BigInt.asIntN(32, word >> 160n)),
    takerFee: Number(BigInt.asIntN(32, word >> 192n)),
  }
}

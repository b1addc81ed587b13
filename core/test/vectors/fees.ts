// Computes the fee of a fill as the contract does. The venue takes fees from the events; this is
// held equal to the contract by the vectors. Formula: the head of `Perps.sol`, section 5.
import { ceilDiv } from '../../src/integers.ts'

/** Returns the fee of a fill of `value`: `rate` in millionths, rounded up against the payer. */
export const feeUp = (value: bigint, rate: number): bigint =>
  ceilDiv(value * BigInt(rate), 1_000_000n)

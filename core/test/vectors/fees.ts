// Computes the fee of a fill like the contract. The venue takes fees from events; the vectors check
// this against the contract. Formula: the head of `Perps.sol`, section 5.
import { ceilDiv } from '../../src/integers.ts'

/** Returns the fee of a fill of `value`: `rate` in millionths, rounded up against the payer. */
export const feeUp = (value: bigint, rate: number): bigint =>
  ceilDiv(value * BigInt(rate), 1_000_000n)

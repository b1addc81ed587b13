// Integer arithmetic shared by all packages, identical to the contracts'.

/** 1.0 with 18 decimals. */
export const E18 = 10n ** 18n

export const abs = (x: bigint): bigint => (x < 0n ? -x : x)
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Returns `a / b` rounded up, for `b` above zero. */
export const ceilDiv = (a: bigint, b: bigint): bigint => (a > 0n ? (a + b - 1n) / b : a / b)

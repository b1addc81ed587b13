// Chooses the salts of orders.

import { checkValue, isFunction } from '../input.ts'

const BYTES = 16
/** Leaves 2^64 consecutive salts after each random start before another program's could follow. */
const BITS_COUNTED = 64n

/** Returns a salt generator: a random start, since digests are public, then consecutive. */
export function makeSalts(random: () => bigint = randomNumber): () => bigint {
  checkValue('random', random, isFunction)
  let next: bigint | undefined
  return () => {
    next = next === undefined ? random() << BITS_COUNTED : next + 1n
    return next
  }
}

/** Returns the next salt of this process. Consecutive salts share a storage word and save gas. */
export const nextSalt: () => bigint = /* @__PURE__ */ makeSalts()

function randomNumber(): bigint {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
}

// Chooses the salts of orders.

import { checkValue, isFunction } from '../input.ts'

const BYTES = 16
/** So many orders follow a random number before they could meet those of another. */
const BITS_COUNTED = 64n

/** Returns what chooses salts: a random number first, since digests are public, then one by one. */
export function makeSalts(random: () => bigint = randomNumber): () => bigint {
  checkValue('random', random, isFunction)
  let next: bigint | undefined
  return () => {
    next = next === undefined ? random() << BITS_COUNTED : next + 1n
    return next
  }
}

/** Returns a salt of the program's run. Neighbours lie in one storage word and cost less gas. */
export const nextSalt: () => bigint = /* @__PURE__ */ makeSalts()

function randomNumber(): bigint {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
}

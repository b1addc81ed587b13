// The form of signatures and hex, the same for bodies, parameters and messages.

export type Hex = `0x${string}`

/**
 * Half of the order of the curve. The contracts refuse a signature with s above it, since anyone
 * can derive it from the one with a low s.
 */
const LOW_S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ECDSA = /^([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)$/
/** Hardware wallets end a signature with its recovery id; contracts want 27 or 28. */
const LAST_BYTES: Readonly<Record<string, string>> = { '00': '1b', '01': '1c' }

/** A signature of 65 bytes that ends in 1b or 1c; of two equivalent ones, one has a high s. */
type EcdsaSignature = Readonly<{ signature: Hex; isHighS: boolean }>

/** Returns bytes as lower-case hex, given with or without 0x; undefined when invalid. */
export function parseHex(value: unknown, bytesMax: number): Hex | undefined {
  if (typeof value !== 'string' || value.length > 2 + 2 * bytesMax) return undefined
  const digits = value.replace(/^0x/i, '').toLowerCase()
  return /^([0-9a-f]{2})+$/.test(digits) ? `0x${digits}` : undefined
}

/** Returns a signature by a private key, with any v; undefined when invalid. */
export function parseEcdsa(value: unknown): EcdsaSignature | undefined {
  const digits = parseHex(value, ECDSA_BYTES)?.slice(2) ?? ''
  const [, r = '', s = '', last = ''] = ECDSA.exec(digits) ?? []
  if (r === '') return undefined
  return {
    signature: `0x${r}${s}${LAST_BYTES[last] ?? last}`,
    isHighS: BigInt(`0x${s}`) > LOW_S_MAX,
  }
}

const ECDSA_BYTES = 65

/** The rule of an ECDSA signature, for messages. */
export const ECDSA_RULE = '65 bytes of hex that end in 00, 01, 1b or 1c'

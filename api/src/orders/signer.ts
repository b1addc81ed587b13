// Recovers who signed an order from the digest and the signature, and signs for the venue itself.
import { type RecoveryIdType, recover, signRecoverable } from 'tiny-secp256k1'
import { type Hex, keccak256 } from './keccak.ts'

/**
 * Half of the order of the curve. The contract refuses a signature with s above it, since everybody
 * can make that of the other.
 */
const LOW_S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const SIGNATURE = /^(?:0x)?([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)$/i
const LAST_BYTES: Readonly<Record<string, string>> = { '00': '1b', '01': '1c' }

/** Returns a signature as the contract takes it, or what it is instead. */
export function parseSignature(
  value: unknown,
): Readonly<{ signature: string }> | Readonly<{ found: string }> {
  const [, r = '', s = '', last = ''] = SIGNATURE.exec(typeof value === 'string' ? value : '') ?? []
  if (r === '') return { found: 'it is not 65 bytes of hex that end in 1b or 1c' }
  if (BigInt(`0x${s}`) > LOW_S_MAX) return { found: 'its s is high' }
  return { signature: `0x${r}${s}${LAST_BYTES[last] ?? last}`.toLowerCase() }
}

/** 27 and 28 stand for the recovery ids 0 and 1. */
const RECOVERY_BASE = 27
const SIGNED_DIGITS = 128
const ADDRESS_DIGITS = 40

/**
 * Returns the address that made a signature of 65 bytes (`0x` hex, as `parseOrder` gives it) over
 * `digest`, in lower case; undefined when its numbers are on no curve, so that nobody signed.
 */
export function recoverSigner(digest: string, signature: string): string | undefined {
  const numbers = Buffer.from(signature.slice(2, 2 + SIGNED_DIGITS), 'hex')
  const recovery = Number.parseInt(signature.slice(2 + SIGNED_DIGITS), 16) - RECOVERY_BASE
  try {
    const key = recover(bytesOf(digest), numbers, recovery as RecoveryIdType, false)
    if (key === null) return undefined
    const digits = Buffer.from(key.buffer, key.byteOffset + 1, key.length - 1).toString('hex')
    return `0x${keccak256(`0x${digits}`).slice(-ADDRESS_DIGITS)}`
  } catch {
    return undefined
  }
}

/** Returns the signature of 65 bytes over `digest`: the same one each time (RFC 6979). */
export function signDigest(digest: Hex, privateKey: Hex): Hex {
  const { signature, recoveryId } = signRecoverable(bytesOf(digest), bytesOf(privateKey))
  const numbers = Buffer.from(signature).toString('hex')
  return `0x${numbers}${(RECOVERY_BASE + recoveryId).toString(16)}`
}

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex')

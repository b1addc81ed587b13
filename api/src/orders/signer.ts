// Recovers who signed an order from the digest and the signature, and signs for the venue itself.
import { type RecoveryIdType, recover, signRecoverable } from 'tiny-secp256k1'
import { ECDSA_RULE, parseEcdsa } from '../http/signature-hex.ts'
import { type Hex, keccak256 } from './keccak.ts'

/** Returns a signature as the contract takes it, or what it is instead. */
export function parseSignature(
  value: unknown,
): Readonly<{ signature: string }> | Readonly<{ found: string }> {
  const parsed = parseEcdsa(value)
  if (parsed === undefined) return { found: `it is not ${ECDSA_RULE}` }
  return parsed.isHighS ? { found: 'its s is high' } : { signature: parsed.signature }
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

// Recovers who signed an order from the digest and the signature.
import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak256 } from './keccak.ts'

/** 27 and 28 stand for the recovery ids 0 and 1. */
const RECOVERY_BASE = 27
const SIGNED_DIGITS = 128
const ADDRESS_DIGITS = 40

/**
 * Returns the address that made a signature of 65 bytes (`0x` hex, as `parseOrder` gives it) over
 * `digest`, in lower case; undefined when its numbers are on no curve, so that nobody signed.
 */
export function recoverSigner(digest: string, signature: string): string | undefined {
  const recovery = Number.parseInt(signature.slice(2 + SIGNED_DIGITS), 16) - RECOVERY_BASE
  try {
    const key = secp256k1.Signature.fromCompact(signature.slice(2, 2 + SIGNED_DIGITS))
      .addRecoveryBit(recovery)
      .recoverPublicKey(digest.slice(2))
      .toHex(false)
    return `0x${keccak256(`0x${key.slice(2)}`).slice(-ADDRESS_DIGITS)}`
  } catch {
    return undefined
  }
}

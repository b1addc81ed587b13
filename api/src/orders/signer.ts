// Recovers who signed an order from the digest and the signature.
import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak_256 as keccak } from '@noble/hashes/sha3'

/** 27 and 28 stand for the recovery ids 0 and 1. */
const RECOVERY_BASE = 27
const SIGNED_DIGITS = 128
const ADDRESS_BYTES = 20

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
      .toRawBytes(false)
    return `0x${Buffer.from(keccak(key.subarray(1)).subarray(-ADDRESS_BYTES)).toString('hex')}`
  } catch {
    return undefined
  }
}

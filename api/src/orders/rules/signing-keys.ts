// Signatures of orders: recovers the signer, keeps the registered signing keys (read once from the
// database, then updated by the feed), and signs for the venue.
import type { AccountHistory, SigningKey } from '@openvenue/store/history/account-history'
import { LRUCache } from 'lru-cache'
import { type RecoveryIdType, recover, signRecoverable } from 'tiny-secp256k1'
import { upTo } from '../../http/cached-body.ts'
import { historyUnavailable } from '../../http/refusals.ts'
import type { Hex } from '../../http/signature-hex.ts'
import { ECDSA_RULE, parseEcdsa } from '../../http/signature-hex.ts'
import type { FreshReads } from '../../model/fresh-reads.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import { keccak256 } from './signed-order.ts'

/** Keys remembered; the one used longest ago is forgotten. */
const KEYS_MAX = 10_000

type SignerDeps = Readonly<{
  model: Pick<VenueModel, 'on' | 'onLoad'>
  history: Pick<AccountHistory, 'signingKey'>
  fresh: Pick<FreshReads, 'read'>
}>

export class Signers {
  readonly #deps: SignerDeps
  readonly #keys = new LRUCache<string, SigningKey>(upTo(KEYS_MAX))
  /** Changes of keys so far: a read that began before the last one is repeated. */
  #changes = 0

  constructor(deps: SignerDeps) {
    this.#deps = deps
    deps.model.on('key', ({ before, after }) => {
      this.#changes += 1
      if (after !== undefined) this.#keys.set(after.key, after)
      else if (before !== undefined) this.#keys.delete(before.key)
    })
    deps.model.onLoad(() => {
      this.#changes += 1
      this.#keys.clear()
    })
  }

  /** Returns a signing key by its address, lower case; undefined: the chain has none. */
  async find(key: string): Promise<SigningKey | undefined> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const cached = this.#keys.get(key)
      if (cached !== undefined) return cached
      const changes = this.#changes
      const { rows } = await this.#deps.fresh
        .read((from) => this.#deps.history.signingKey(key, from))
        .catch((cause: unknown) => {
          throw historyUnavailable(cause)
        })
      if (changes !== this.#changes) continue
      if (rows !== undefined) this.#keys.set(key, rows)
      return rows
    }
    throw historyUnavailable()
  }
}

/** Reads of a key that changes meanwhile, before the refusal. */
const TRIES_MAX = 10

/** Returns a signature in the form of the contract, or what is wrong with it. */
export function parseSignature(
  value: unknown,
): Readonly<{ signature: string }> | Readonly<{ fault: string }> {
  const parsed = parseEcdsa(value)
  if (parsed === undefined) return { fault: `is not ${ECDSA_RULE}` }
  return parsed.isHighS ? { fault: 'has a high s' } : { signature: parsed.signature }
}

/** 27 and 28 are the recovery ids 0 and 1. */
const RECOVERY_BASE = 27
const SIGNED_DIGITS = 128
const ADDRESS_DIGITS = 40

/**
 * Returns the address that made a signature of 65 bytes (`0x` hex, as `parseOrder` gives it) over
 * `digest`, in lower case; undefined when its numbers are on no curve, so that no key signed.
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

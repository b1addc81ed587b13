// The signed text of a request, and the check of its signature. Interface 5; section 8 of the order
// entry.
import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Maximum difference of a request's timestamp from this node's clock, either way. */
export const CLOCK_SKEW_MS_MAX = 30_000
/** Maximum difference of two nodes' clocks: signatures are remembered that much longer. */
const NODE_SKEW_MS_MAX = 30_000
const NS_PER_MS = 1_000_000n
const DIGEST_BYTES = 32

/** A signed request. */
export type SignedRequest = Readonly<{
  key: string
  /** Nanoseconds, digits as sent. */
  timestamp: string
  signature: string
  /** Texts between timestamp and body, with commas: any of them may have been signed. */
  forms: readonly string[]
  /** The bytes of the body as received; read after all other checks. */
  body: () => Promise<Buffer>
  /** True when a repeat must be refused. */
  isOnce: boolean
}>

/** Returns the milliseconds of a timestamp that is close enough to `nowMs`, else undefined. */
export function timestampMs(timestamp: string, nowMs: number): number | undefined {
  if (!/^\d{1,20}$/.test(timestamp)) return undefined
  const ms = Number(BigInt(timestamp) / NS_PER_MS)
  return Math.abs(ms - nowMs) <= CLOCK_SKEW_MS_MAX ? ms : undefined
}

/** Returns until when a signature must be remembered, so that no node accepts it again. */
export const rememberedUntilMs = (signedMs: number): number =>
  signedMs + CLOCK_SKEW_MS_MAX + NODE_SKEW_MS_MAX

/**
 * Returns whether `secret` signed the request, in constant time. Without a secret the result is
 * false, after the same work.
 */
export function isSigned(
  { key, timestamp, signature, forms }: SignedRequest,
  body: Buffer,
  secret: KeyObject | undefined,
): boolean {
  const isHex = /^[0-9a-fA-F]{64}$/.test(signature)
  const given = isHex ? Buffer.from(signature, 'hex') : NO_DIGEST
  let isGood = false
  for (const form of forms) {
    const hmac = createHmac('sha256', secret ?? NO_SECRET).update(`${key},${timestamp},${form},`)
    const isEqual = timingSafeEqual(hmac.update(body).digest(), given)
    isGood ||= isEqual
  }
  return isGood && isHex && secret !== undefined
}

const NO_DIGEST = Buffer.alloc(DIGEST_BYTES)
const NO_SECRET = createSecretKey(randomBytes(DIGEST_BYTES))

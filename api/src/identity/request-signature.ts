// Says what is signed of a request, and whether a signature is good. Interface 5; section 8 of the
// order entry.
import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** How far the timestamp of a request may be from this node's clock, either way. */
export const CLOCK_SKEW_MS_MAX = 30_000
/** Clocks of two nodes are no further apart: signatures are remembered so much longer. */
const NODE_SKEW_MS_MAX = 30_000
const NS_PER_MS = 1_000_000n
const DIGEST_BYTES = 32

/** A request as it was signed. */
export type SignedRequest = Readonly<{
  key: string
  /** Nanoseconds, digits as they were sent. */
  timestamp: string
  signature: string
  /** What stands between timestamp and body, with commas: any of these may have been signed. */
  forms: readonly string[]
  /** The bytes of the body as they came; read once the rest is good. */
  body: () => Promise<Buffer>
  /** A repeat of it is refused. */
  isOnce: boolean
}>

/** Returns the milliseconds of a timestamp that is near enough to `nowMs`, else undefined. */
export function timestampMs(timestamp: string, nowMs: number): number | undefined {
  if (!/^\d{1,20}$/.test(timestamp)) return undefined
  const ms = Number(BigInt(timestamp) / NS_PER_MS)
  return Math.abs(ms - nowMs) <= CLOCK_SKEW_MS_MAX ? ms : undefined
}

/** Returns until when a signature must be remembered, so that no node takes it again. */
export const rememberedUntilMs = (signedMs: number): number =>
  signedMs + CLOCK_SKEW_MS_MAX + NODE_SKEW_MS_MAX

/**
 * Returns whether `secret` signed the request, in a time that does not say how much of it is right.
 * Without a secret the answer is no, after the same work.
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

// How many requests a client may make, and the headers that say so.
import { Refusal } from './refusals.ts'

/** What a bucket says after a request of `weight` was counted. */
export type Verdict = Readonly<{
  allowed: boolean
  limit: number
  remaining: number
  resetMs: number
}>

/** Counts `weight` against `key`. Undefined: this bucket has no limit. */
export type Consume = (
  bucket: string,
  key: string,
  weight: number,
) => Verdict | undefined | Promise<Verdict | undefined>

/** Bucket of public reads, counted by client address. Shapes 6.4. */
export const PUBLIC_BUCKET = 'public'
/** Weight of reads of history. */
export const HEAVY_WEIGHT = 5

/** Returns the value of the header RateLimit. Whole seconds, rounded up. */
export const rateLimitText = (bucket: string, { remaining, resetMs }: Verdict) =>
  `"${bucket}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`

/** Returns the refusal of a request over the limit. */
export const overLimit = ({ resetMs }: Verdict) =>
  new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterMs: resetMs })

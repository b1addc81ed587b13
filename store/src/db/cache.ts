// State shared by API nodes outside of the database, currently rate limits. Uses memory in a single
// process, Redis on several machines, and memory while Redis is down.
import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'

/** Timeout after which Redis counts as down: requests do not wait for it. */
const REDIS_MS_MAX = 250
/** Maximum pause before a reconnection to Redis. */
const RECONNECT_MS_MAX = 2000

/** Windows between two uses of the burst, so that a steady rate above the points is refused. */
const BURST_WINDOWS = 10

/** Points per window of seconds and key, and additional points of an occasional burst. */
type Bucket = Readonly<{ points: number; seconds: number; burst?: number }>

type BucketState = Readonly<{
  allowed: boolean
  /** Points of the bucket. */
  limit: number
  /** Points left until the bucket is full again, excluding the burst. */
  remaining: number
  /** Time at which the bucket is full again. */
  resetMs: number
}>

export type Cache<B extends string = string> = Readonly<{
  /** Resolves within `REDIS_MS_MAX` when the cache answers; throws otherwise. */
  ping(): Promise<void>
  /**
   * Takes `weight` points of `key` from `bucket`. Never throws while Redis is down: each process
   * then counts on its own.
   */
  consume(bucket: B, key: string, weight: number): Promise<BucketState>
  close(): Promise<void>
}>

type CacheOptions<B extends string> = Readonly<{
  /** Absent: in process. */
  redisUrl?: string | undefined
  buckets: Readonly<Record<B, Bucket>>
}>

/** Opens the cache. Redis may still be down. */
export async function openCache<B extends string>(options: CacheOptions<B>): Promise<Cache<B>> {
  const { redisUrl, buckets } = options
  const redis = redisUrl === undefined ? undefined : await connect(redisUrl)
  const limiters = new Map<string, Limiters>()
  for (const [name, bucket] of Object.entries<Bucket>(buckets)) {
    limiters.set(name, createLimiters(redis, name, bucket))
  }
  return {
    async ping() {
      await redis?.ping()
    },
    consume(bucket, key, weight) {
      const limiter = limiters.get(bucket)
      if (limiter === undefined) throw new Error(`a bucket is declared before use (${bucket})`)
      return consume(limiter, key, weight)
    },
    async close() {
      redis?.disconnect()
    },
  }
}

/** Returns a client that fails at once while Redis is down, and reconnects. */
async function connect(url: string): Promise<Redis> {
  // Loaded only when configured, which saves memory otherwise.
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: REDIS_MS_MAX,
    commandTimeout: REDIS_MS_MAX,
    disconnectTimeout: REDIS_MS_MAX,
    retryStrategy: (tries) => Math.min(tries * 100, RECONNECT_MS_MAX),
  })
  // Commands and `ping` report the same errors; an unhandled event would end the process.
  redis.on('error', () => {})
  await redis.connect().catch(() => {})
  return redis
}

type Limiters = Readonly<{ steady: RateLimiterAbstract; burst: RateLimiterAbstract | undefined }>

function createLimiters(redis: Redis | undefined, name: string, bucket: Bucket): Limiters {
  const { burst: points = 0, seconds } = bucket
  const burst = { points, seconds: seconds * BURST_WINDOWS }
  return {
    steady: createLimiter(redis, name, bucket),
    burst: points > 0 ? createLimiter(redis, `${name}:burst`, burst) : undefined,
  }
}

function createLimiter(redis: Redis | undefined, name: string, { points, seconds }: Bucket) {
  const options = { keyPrefix: `openvenue:rate:${name}`, points, duration: seconds }
  const memory = new RateLimiterMemory(options)
  if (redis === undefined) return memory
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    insuranceLimiter: memory,
    rejectIfRedisNotReady: true,
  })
}

/**
 * The burst is only used once the points are used up. This path runs for every request, and the
 * promise per step of an async function would cost as much as the rest of a quick answer.
 */
const consume = (limiters: Limiters, key: string, weight: number): Promise<BucketState> =>
  limiters.steady.consume(key, weight).then(
    (result) => consumedResult(true, limiters.steady, result),
    (refusal: unknown) => consumeBurst(limiters, { key, weight, refusal }),
  )

type CachedRefusal = Readonly<{ key: string; weight: number; refusal: unknown }>

async function consumeBurst({ steady, burst }: Limiters, { key, weight, refusal }: CachedRefusal) {
  if (!(refusal instanceof RateLimiterRes)) throw refusal
  if (burst === undefined) return consumedResult(false, steady, refusal)
  const isAllowed = await burst.consume(key, weight).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RateLimiterRes) return false
      throw error
    },
  )
  return consumedResult(isAllowed, steady, refusal)
}

const consumedResult = (
  allowed: boolean,
  { points }: RateLimiterAbstract,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): BucketState => ({
  allowed,
  limit: points,
  remaining: Math.max(0, remainingPoints),
  resetMs: msBeforeNext,
})

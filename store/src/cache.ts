// Shares between api nodes, without the database: so far, how often a client may still ask.
// In one process it is memory; on many machines Redis, and memory for as long as Redis is down.
import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'

/** A Redis that takes longer to answer is down: a request does not wait for it. */
const REDIS_MS_MAX = 250
/** Longest pause before another try to reach Redis. */
const RECONNECT_MS_MAX = 2000

/**
 * A burst may be used once in so many windows, so that a steady rate above the points is refused.
 */
const BURST_WINDOWS = 10

/** So many points in so many seconds, per key; `burst` more for those who seldom need them. */
export type Bucket = Readonly<{ points: number; seconds: number; burst?: number }>

export type Consumed = Readonly<{
  allowed: boolean
  /** Points of the bucket. */
  limit: number
  /** Points left until the bucket is full again, those of a burst not counted. */
  remaining: number
  /** When it is. */
  resetMs: number
}>

export type Cache<B extends string = string> = Readonly<{
  /** Answers within `REDIS_MS_MAX` when the cache does; throws when it does not. */
  ping(): Promise<void>
  /**
   * Takes `weight` points of `key` from `bucket`. Never throws for want of Redis: then each process
   * counts alone.
   */
  consume(bucket: B, key: string, weight: number): Promise<Consumed>
  close(): Promise<void>
}>

export type CacheOptions<B extends string> = Readonly<{
  /** Absent: in process. */
  redisUrl?: string | undefined
  buckets: Readonly<Record<B, Bucket>>
}>

/** Opens the cache. Redis need not be there yet. */
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
      const found = limiters.get(bucket)
      if (found === undefined) throw new Error(`a bucket is declared before use (${bucket})`)
      return consume(found, key, weight)
    },
    async close() {
      redis?.disconnect()
    },
  }
}

/** Returns a client that refuses at once while Redis is away, and comes back when Redis does. */
async function connect(url: string): Promise<Redis> {
  // Loaded only where there is one to reach: a process without it saves the memory.
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
  // Commands and `ping` report the same: an event that nobody hears would end the process.
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
 * The burst is touched only once the points are used up. Every request comes this way: a promise
 * for each step, as async functions make, would cost as much as the rest of a quick answer.
 */
const consume = (limiters: Limiters, key: string, weight: number): Promise<Consumed> =>
  limiters.steady.consume(key, weight).then(
    (result) => consumedResult(true, limiters.steady, result),
    (refusal: unknown) => consumeBurst(limiters, { key, weight, refusal }),
  )

type Refused = Readonly<{ key: string; weight: number; refusal: unknown }>

async function consumeBurst({ steady, burst }: Limiters, { key, weight, refusal }: Refused) {
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
): Consumed => ({
  allowed,
  limit: points,
  remaining: Math.max(0, remainingPoints),
  resetMs: msBeforeNext,
})

// State shared by API nodes outside of the database, currently rate limits. Uses memory in a single
// process, Redis on several machines, and memory while Redis is down.
import { NO_LOG, Outage, type OutageLog } from '@openvenue/runtime/outage'
import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'

/** Timeout after which Redis counts as down: requests do not wait for it. */
const REDIS_MS_MAX = 250
/** Time without a failure after which Redis counts as answering. */
const QUIET_MS = 1000
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
  /** Returns whether each process counts on its own because Redis does not answer. */
  isFallback(): boolean
  close(): Promise<void>
}>

type CacheOptions<B extends string> = Readonly<{
  /** Absent: in process. */
  redisUrl?: string | undefined
  buckets: Readonly<Record<B, Bucket>>
  log?: OutageLog
}>

/** Opens the cache. Redis may still be down. */
export async function openCache<B extends string>(options: CacheOptions<B>): Promise<Cache<B>> {
  const { redisUrl, buckets, log = NO_LOG } = options
  const outage = new Outage({
    log,
    down: 'Redis does not answer: this process counts on its own',
    up: 'Redis answers again',
    quietMs: QUIET_MS,
  })
  const redis = redisUrl === undefined ? undefined : await connect(redisUrl)
  const limiters = new Map<string, Limiters>()
  for (const [name, bucket] of Object.entries<Bucket>(buckets)) {
    limiters.set(name, createLimiters({ redis, outage }, name, bucket))
  }
  return {
    async ping() {
      if (redis === undefined) return
      try {
        await redis.ping()
        outage.recovered()
      } catch (error) {
        outage.failed(messageOf(error))
        throw error
      }
    },
    consume(bucket, key, weight) {
      const limiter = limiters.get(bucket)
      if (limiter === undefined) throw new Error(`a bucket is declared before use (${bucket})`)
      return consume(limiter, key, weight)
    },
    isFallback: () => outage.isDown,
    async close() {
      redis?.disconnect()
    },
  }
}

/** Returns the text of an error. The driver's errors hold the arguments of their commands. */
const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown')

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

type Limiter = Pick<RateLimiterAbstract, 'points' | 'consume'>

type Limiters = Readonly<{ steady: Limiter; burst: Limiter | undefined }>

type Shared = Readonly<{ redis: Redis | undefined; outage: Outage }>

function createLimiters(redis: Shared, name: string, bucket: Bucket): Limiters {
  const { burst: points = 0, seconds } = bucket
  const burst = { points, seconds: seconds * BURST_WINDOWS }
  return {
    steady: createLimiter(redis, name, bucket),
    burst: points > 0 ? createLimiter(redis, `${name}:burst`, burst) : undefined,
  }
}

function createLimiter(
  { redis, outage }: Shared,
  name: string,
  { points, seconds }: Bucket,
): Limiter {
  const options = { keyPrefix: `openvenue:rate:${name}`, points, duration: seconds }
  const memory = new RateLimiterMemory(options)
  if (redis === undefined) return memory
  const shared = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
  })
  return {
    points,
    consume: (key, weight) =>
      shared.consume(key, weight).then(
        (result) => {
          outage.recovered()
          return result
        },
        (error: unknown) => {
          if (!(error instanceof RateLimiterRes)) {
            outage.failed(messageOf(error))
            return memory.consume(key, weight)
          }
          outage.recovered()
          throw error
        },
      ),
  }
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
  { points }: Limiter,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): BucketState => ({
  allowed,
  limit: points,
  remaining: Math.max(0, remainingPoints),
  resetMs: msBeforeNext,
})

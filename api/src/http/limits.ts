// Rate limits of clients, and the headers that report them.

import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { upTo } from './cached-body.ts'
import { clientAddress, exactClientAddress } from './client-address.ts'
import type { Host } from './host-type.ts'
import { Refusal } from './refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True when an old answer misleads: it is refused while the node is known to be far behind. */
    isLive?: boolean
    /** Not counted and without headers: /ready, /health, /metrics. Sections 4.1 and 8. */
    isUnlimited?: boolean
    /** Points that a request takes; 1 by default. */
    weight?: number | ((query: Readonly<Record<string, unknown>>) => number)
    /**
     * The bucket of the route, `public` by default. Routes that need a key are `private` unless
     * they place or cancel orders: `authenticate` counts them once it knows the account.
     */
    bucket?: AccountBucket | 'register'
  }

  interface FastifyInstance {
    limits: RateLimits
  }
}

/** Weight of reads of history. */
export const HEAVY_WEIGHT = 5
/** Bucket of public reads, counted by client address. */
const PUBLIC_BUCKET = 'public'
/** Bucket of the second host's public reads, with limits of its own. Interface 4.7. */
export const INTEGRATED_BUCKET = 'integrated'
type OpenBucket = typeof PUBLIC_BUCKET | typeof INTEGRATED_BUCKET
const ACCOUNT_BUCKETS = ['private', 'orders', 'cancels'] as const
/** Counted by account: reads, orders and cancels, so that none of them blocks another. */
export type AccountBucket = (typeof ACCOUNT_BUCKETS)[number]
/** `register` and `socket-auth` are counted by client address. */
export type BucketName = OpenBucket | AccountBucket | 'register' | 'socket-auth'

/** Returns whether a route's bucket is one that `authenticate` counts. */
export const isOfAccount = (bucket: string | undefined): bucket is AccountBucket =>
  (ACCOUNT_BUCKETS as readonly (string | undefined)[]).includes(bucket)

/** `points` per client in `seconds`, and at times `burst` more. */
export type Rate = Readonly<{ points: number; seconds: number; burst?: number }>
/** Default rates of a client. */
export const PUBLIC_RATE: Rate = { points: 600, seconds: 60, burst: 100 }

export const PRIVATE_RATE: Rate = { points: 600, seconds: 60 }
export const REGISTER_RATE: Rate = { points: 10, seconds: 60 }
/** Orders of an account. A list counts as many times as it has orders. */
export const ORDERS_RATE: Rate = { points: 200, seconds: 1, burst: 400 }
/** An account that may place orders at a rate must be able to cancel them, and more. */
const CANCELS_PER_ORDER = 2

/** Returns the rate of cancels for a rate of orders. */
const cancelsRate = (orders: Rate | undefined): Rate | undefined =>
  orders && {
    ...orders,
    points: orders.points * CANCELS_PER_ORDER,
    burst: (orders.burst ?? 0) * CANCELS_PER_ORDER,
  }

type RateSettings = Readonly<{
  publicRate: Rate | undefined
  integratedRate?: Rate | undefined
  privateRate: Rate | undefined
  ordersRate?: Rate | undefined
  registerRate: Rate | undefined
  settings: Readonly<{ sockets: Readonly<{ authPerAddress: Rate }> }>
}>

/** A bucket that no request is counted in. */
const UNUSED: Rate = { points: 1, seconds: 1 }

/** Returns the rates by bucket. */
export const rateBuckets = (rates: RateSettings): Readonly<Record<BucketName, Rate>> => ({
  [PUBLIC_BUCKET]: rates.publicRate ?? UNUSED,
  [INTEGRATED_BUCKET]: rates.integratedRate ?? UNUSED,
  private: rates.privateRate ?? UNUSED,
  orders: rates.ordersRate ?? UNUSED,
  cancels: cancelsRate(rates.ordersRate) ?? UNUSED,
  register: rates.registerRate ?? UNUSED,
  'socket-auth': rates.settings.sockets.authPerAddress,
})

/** Addresses that guess keys; the one refused longest ago is dropped. */
const GUESSING_MAX = 10_000

/** The state of a bucket after a request was counted. */
export type BucketState = Readonly<{ allowed: boolean; remaining: number; resetMs: number }>

/** Takes `weight` points of `key` from `bucket`. */
export type Consume = (bucket: BucketName, key: string, weight: number) => Promise<BucketState>

export type RateOptions = Readonly<{
  consume: Consume
  /** Rate of public reads; undefined: no limit. */
  publicRate: Rate | undefined
  /** Bucket of this host's public reads, PUBLIC_BUCKET by default. */
  publicBucket?: OpenBucket
  /** Rate of an account's requests; undefined or absent: no limit. */
  privateRate?: Rate | undefined
  /** Rate of an account's orders, and half that of its cancels; undefined or absent: no limit. */
  ordersRate?: Rate | undefined
  /** Rate of registrations by client address; undefined or absent: no limit. */
  registerRate?: Rate | undefined
  /** Trusted proxies in front of the host, for X-Forwarded-For. */
  proxyHops: number
}>

/** Takes points of an account from one of its buckets. Refuses above the limit. */
export type TakePoints = (bucket: AccountBucket, account: string, weight?: number) => Promise<void>

type AccountRates = Pick<RateOptions, 'privateRate' | 'ordersRate'>

const accountRates = ({ privateRate, ordersRate }: AccountRates) => ({
  private: privateRate,
  orders: ordersRate,
  cancels: cancelsRate(ordersRate),
})

/** Returns a function that counts an account without a request, in the same buckets. */
export function accountPoints(options: AccountRates & Pick<RateOptions, 'consume'>): TakePoints {
  const rates = accountRates(options)
  return async (bucket, account, weight = 1) => {
    if (rates[bucket] === undefined) return
    const verdict = await options.consume(bucket, account, weight)
    if (!verdict.allowed) throw overLimit(verdict)
  }
}

type BucketReading = Readonly<{ rate: Rate; remaining: number; resetMs: number }>
type RequestBucket = Exclude<BucketName, 'socket-auth'>

/** The bucket and key of a count; the weight is the route's unless given. */
type LimitCharge = Readonly<{ bucket: RequestBucket; key: string; weight?: number }>

export class RateLimits {
  readonly #options: RateOptions
  readonly #rates: Readonly<Record<RequestBucket, Rate | undefined>>
  readonly #policy: string
  /** The bucket of routes that name none. */
  readonly publicBucket: OpenBucket
  readonly #guessingUntilMs = new LRUCache<string, number>(upTo(GUESSING_MAX))

  constructor(options: RateOptions) {
    const { publicRate, publicBucket = PUBLIC_BUCKET } = options
    this.#options = options
    this.publicBucket = publicBucket
    this.#rates = {
      [PUBLIC_BUCKET]: publicRate,
      [INTEGRATED_BUCKET]: publicRate,
      ...accountRates(options),
      register: options.registerRate,
    }
    this.#policy = policyHeader(publicBucket, publicRate)
  }

  /** True when public reads have no limit. */
  get isOff(): boolean {
    return this.#options.publicRate === undefined
  }

  /** Counts a request against the client that sent it. */
  take(request: IncomingMessage, weight: number): Promise<BucketState> {
    return this.#options.consume(this.publicBucket, this.addressOf(request), weight)
  }

  /** Returns the rate headers, alternating names and values. Whole seconds, rounded up. */
  headersOf(verdict: BucketState): [string, string, string, string] {
    return ['ratelimit-policy', this.#policy, 'ratelimit', limitHeader(this.publicBucket, verdict)]
  }

  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.#options.proxyHops)
  }

  /** Returns the unshortened address, for the address lists of keys. */
  exactAddressOf(request: IncomingMessage): string {
    return exactClientAddress(request, this.#options.proxyHops)
  }

  /** Counts a request in `bucket` by `key`, and adds the headers. Refuses above the limit. */
  async count(
    request: FastifyRequest,
    reply: FastifyReply,
    { bucket, key, weight = requestWeight(request) }: LimitCharge,
  ): Promise<void> {
    const rate = this.#rates[bucket]
    if (rate === undefined) return
    const verdict = await this.#options.consume(bucket, key, weight)
    reply.header('ratelimit-policy', policyHeader(bucket, rate))
    reply.header('ratelimit', limitHeader(bucket, verdict))
    if (!verdict.allowed) throw overLimit(verdict)
  }

  /** Returns the rest of a bucket without taking anything; undefined: no limit. */
  async look(bucket: AccountBucket, key: string): Promise<BucketReading | undefined> {
    const rate = this.#rates[bucket]
    if (rate === undefined) return undefined
    const { remaining, resetMs } = await this.#options.consume(bucket, key, 0)
    return { rate, remaining, resetMs }
  }

  /** Counts a request without a route as a public read. Refuses above the limit. */
  async countRaw(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.isOff) return
    const verdict = await this.take(request.raw, 1)
    const [policy, policyText, left, leftText] = this.headersOf(verdict)
    reply.header(policy, policyText).header(left, leftText)
    if (!verdict.allowed) throw overLimit(verdict)
  }

  /** Counts a request with an invalid key against its address. Refuses above the limit. */
  async countGuess(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const key = this.addressOf(request.raw)
    try {
      await this.count(request, reply, { bucket: this.publicBucket, key })
    } catch (error) {
      const waitMs = error instanceof Refusal ? (error.options.retryAfterMs ?? 0) : 0
      this.#guessingUntilMs.set(key, performance.now() + waitMs)
      throw error
    }
  }

  /** True after one guess too many, until the address has waited long enough. */
  isGuessing(request: FastifyRequest): boolean {
    return performance.now() < (this.#guessingUntilMs.peek(this.addressOf(request.raw)) ?? 0)
  }
}

const policyHeader = (bucket: RequestBucket, { points, seconds }: Rate = UNUSED) =>
  `"${bucket}";q=${points};w=${seconds}`

const limitHeader = (bucket: RequestBucket, { remaining, resetMs }: BucketState) =>
  `"${bucket}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`

/** Returns the refusal of a request over the limit. */
export const overLimit = ({ resetMs }: BucketState) =>
  new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterMs: resetMs })

/** Counts every request before it is processed, so that refused ones count too. */
export function limitRates(host: Host, limits: RateLimits): void {
  host.decorate('limits', limits)
  host.addHook('onRequest', async (request, reply) => {
    const { isUnlimited, bucket = limits.publicBucket } = request.routeOptions.config
    if (isUnlimited || isOfAccount(bucket)) return
    await limits.count(request, reply, { bucket, key: limits.addressOf(request.raw) })
  })
}

/** Returns the weight of a request. */
export function requestWeight({ routeOptions, query }: FastifyRequest): number {
  const { weight } = routeOptions.config
  if (typeof weight === 'function') return weight(query as Readonly<Record<string, unknown>>)
  return weight ?? 1
}

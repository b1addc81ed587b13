// How many requests a client may make, and the headers that say so.

import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { upTo } from './cached-body.ts'
import { clientAddress, exactClientAddress } from './client-address.ts'
import type { Host } from './host-type.ts'
import { Refusal } from './refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It misleads when it is old: refused while the node knows that it is far behind the chain. */
    isLive?: boolean
    /** Not counted and without headers: /ready, /health, /metrics. Sections 4.1 and 8. */
    isUnlimited?: boolean
    /** Points that a request takes; 1 by default. */
    weight?: number | ((query: Readonly<Record<string, unknown>>) => number)
    /**
     * Where it takes them from, `public` by default. Routes that need a key are `private` unless
     * they place or cancel orders: `authenticate` counts them, once it knows the account.
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
export const PUBLIC_BUCKET = 'public'
/** Of public reads of the second host, which has limits of its own. Interface 4.7. */
export const INTEGRATED_BUCKET = 'integrated'
type OpenBucket = typeof PUBLIC_BUCKET | typeof INTEGRATED_BUCKET
const ACCOUNT_BUCKETS = ['private', 'orders', 'cancels'] as const
/** Counted by account: what is read, orders, and cancels, so that none of them stops another. */
export type AccountBucket = (typeof ACCOUNT_BUCKETS)[number]
/** `register` and `socket-auth` are counted by client address. */
export type BucketName = OpenBucket | AccountBucket | 'register' | 'socket-auth'

/** Whether a route's bucket is one that `authenticate` counts. */
export const isOfAccount = (bucket: string | undefined): bucket is AccountBucket =>
  (ACCOUNT_BUCKETS as readonly (string | undefined)[]).includes(bucket)

/** So many points in so many seconds, per client, and now and then `burst` more. */
export type Rate = Readonly<{ points: number; seconds: number; burst?: number }>
/** Rates of a client unless the operator sets others. */
export const PUBLIC_RATE: Rate = { points: 600, seconds: 60, burst: 100 }

export const PRIVATE_RATE: Rate = { points: 600, seconds: 60 }
export const REGISTER_RATE: Rate = { points: 10, seconds: 60 }
/** Orders of an account. A list counts for as many as it has. */
export const ORDERS_RATE: Rate = { points: 200, seconds: 1, burst: 400 }
/** Whoever may place so many must be able to take them back, and more. */
const CANCELS_PER_ORDER = 2

/** Returns the rate of cancels that goes with a rate of orders. */
export const cancelsRate = (orders: Rate | undefined): Rate | undefined =>
  orders && {
    ...orders,
    points: orders.points * CANCELS_PER_ORDER,
    burst: (orders.burst ?? 0) * CANCELS_PER_ORDER,
  }

type Rated = Readonly<{
  publicRate: Rate | undefined
  integratedRate?: Rate | undefined
  privateRate: Rate | undefined
  ordersRate?: Rate | undefined
  registerRate: Rate | undefined
  settings: Readonly<{ sockets: Readonly<{ authPerAddress: Rate }> }>
}>

/** A bucket that no request is counted in. */
const UNUSED: Rate = { points: 1, seconds: 1 }

/** Returns the buckets that the cache counts in. */
export const rateBuckets = (rates: Rated): Readonly<Record<BucketName, Rate>> => ({
  [PUBLIC_BUCKET]: rates.publicRate ?? UNUSED,
  [INTEGRATED_BUCKET]: rates.integratedRate ?? UNUSED,
  private: rates.privateRate ?? UNUSED,
  orders: rates.ordersRate ?? UNUSED,
  cancels: cancelsRate(rates.ordersRate) ?? UNUSED,
  register: rates.registerRate ?? UNUSED,
  'socket-auth': rates.settings.sockets.authPerAddress,
})

/** Addresses remembered that guess keys; the one refused longest ago is forgotten. */
const GUESSING_MAX = 10_000

/** The state of a bucket after a request was counted. */
export type Verdict = Readonly<{ allowed: boolean; remaining: number; resetMs: number }>

/** Takes `weight` points of `key` from `bucket`. */
export type Consume = (bucket: BucketName, key: string, weight: number) => Promise<Verdict>

export type RateOptions = Readonly<{
  consume: Consume
  /** Rate of public reads; undefined: they have no limit. */
  publicRate: Rate | undefined
  /** Where public reads of this host are counted, PUBLIC_BUCKET by default. */
  publicBucket?: OpenBucket
  /** Rate of an account's requests; undefined or absent: they have no limit. */
  privateRate?: Rate | undefined
  /** Rate of an account's orders, and half that of its cancels; as above. */
  ordersRate?: Rate | undefined
  /** Rate of registrations by client address; undefined or absent: they have no limit. */
  registerRate?: Rate | undefined
  /** Proxies in front of the host whose X-Forwarded-For is believed. */
  proxyHops: number
}>

/** Takes points of an account from one of its buckets. Refuses one too many. */
export type TakePoints = (bucket: AccountBucket, account: string, weight?: number) => Promise<void>

type AccountRates = Pick<RateOptions, 'privateRate' | 'ordersRate'>

const accountRates = ({ privateRate, ordersRate }: AccountRates) => ({
  private: privateRate,
  orders: ordersRate,
  cancels: cancelsRate(ordersRate),
})

/** Returns what counts an account where there is no request: the same buckets. */
export function accountPoints(options: AccountRates & Pick<RateOptions, 'consume'>): TakePoints {
  const rates = accountRates(options)
  return async (bucket, account, weight = 1) => {
    if (rates[bucket] === undefined) return
    const verdict = await options.consume(bucket, account, weight)
    if (!verdict.allowed) throw overLimit(verdict)
  }
}

type BucketLook = Readonly<{ rate: Rate; remaining: number; resetMs: number }>
type RequestBucket = Exclude<BucketName, 'socket-auth'>

/** What is taken from which bucket; of a request what its route says, unless given. */
type Counted = Readonly<{ bucket: RequestBucket; key: string; weight?: number }>

export class RateLimits {
  readonly #options: RateOptions
  readonly #rates: Readonly<Record<RequestBucket, Rate | undefined>>
  readonly #policy: string
  /** Where a request is counted whose route says nothing. */
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

  /** Public reads have no limit. */
  get isOff(): boolean {
    return this.#options.publicRate === undefined
  }

  /** Counts a request against the client that sent it. */
  take(request: IncomingMessage, weight: number): Promise<Verdict> {
    return this.#options.consume(this.publicBucket, this.addressOf(request), weight)
  }

  /** Returns the headers of an answer, names and values in turn. Whole seconds, rounded up. */
  headersOf(verdict: Verdict): [string, string, string, string] {
    return ['ratelimit-policy', this.#policy, 'ratelimit', limitHeader(this.publicBucket, verdict)]
  }

  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.#options.proxyHops)
  }

  /** Returns the whole address, for the lists of keys. */
  exactAddressOf(request: IncomingMessage): string {
    return exactClientAddress(request, this.#options.proxyHops)
  }

  /** Counts a request in `bucket`, by `key`, and says it in headers. Refuses one too many. */
  async count(
    request: FastifyRequest,
    reply: FastifyReply,
    { bucket, key, weight = requestWeight(request) }: Counted,
  ): Promise<void> {
    const rate = this.#rates[bucket]
    if (rate === undefined) return
    const verdict = await this.#options.consume(bucket, key, weight)
    reply.header('ratelimit-policy', policyHeader(bucket, rate))
    reply.header('ratelimit', limitHeader(bucket, verdict))
    if (!verdict.allowed) throw overLimit(verdict)
  }

  /** Returns what is left of a bucket, and takes nothing; undefined: it has no limit. */
  async look(bucket: AccountBucket, key: string): Promise<BucketLook | undefined> {
    const rate = this.#rates[bucket]
    if (rate === undefined) return undefined
    const { remaining, resetMs } = await this.#options.consume(bucket, key, 0)
    return { rate, remaining, resetMs }
  }

  /** Counts a request that has no route as a public read. Refuses one too many. */
  async countRaw(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.isOff) return
    const verdict = await this.take(request.raw, 1)
    const [policy, policyText, left, leftText] = this.headersOf(verdict)
    reply.header(policy, policyText).header(left, leftText)
    if (!verdict.allowed) throw overLimit(verdict)
  }

  /** Counts a request whose key is not good, against its address. Refuses one too many. */
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

const limitHeader = (bucket: RequestBucket, { remaining, resetMs }: Verdict) =>
  `"${bucket}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`

/** Returns the refusal of a request over the limit. */
export const overLimit = ({ resetMs }: Verdict) =>
  new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterMs: resetMs })

/** Counts every request before it is looked at, so that refused ones count too. */
export function limitRates(host: Host, limits: RateLimits): void {
  host.decorate('limits', limits)
  host.addHook('onRequest', async (request, reply) => {
    const { isUnlimited, bucket = limits.publicBucket } = request.routeOptions.config
    if (isUnlimited || isOfAccount(bucket)) return
    await limits.count(request, reply, { bucket, key: limits.addressOf(request.raw) })
  })
}

/** Returns what a request counts for. */
export function requestWeight({ routeOptions, query }: FastifyRequest): number {
  const { weight } = routeOptions.config
  if (typeof weight === 'function') return weight(query as Readonly<Record<string, unknown>>)
  return weight ?? 1
}

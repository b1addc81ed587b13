// Answers URLs that were routed and validated before from memory, with the same headers as the
// routes. All others go through Fastify.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { acceptedCoding } from './accept-encoding.ts'
import type { Encoder } from './encoder.ts'
import { writeRefusal } from './errors.ts'
import { type BodySource, type DataAge, JSON_TYPE } from './host-type.ts'
import { type BucketState, overLimit, type RateLimits } from './limits.ts'
import { cacheFor, encodeFor, NO_STORE, type PreparedBody, VARY_CODING } from './negotiation.ts'
import { dataStale, Refusal } from './refusals.ts'
import { isUnchanged, Representation } from './representation.ts'
import { readRequestId } from './request-id.ts'
import type { LogRequest } from './request-log.ts'
import type { RouteCount, RouteMeter } from './route-meter.ts'

/** Bounds of the cache: URLs, and bytes of their bodies in all codings. */
const CACHED_URLS_MAX = 512
const CACHED_BYTES_MAX = 64 * 1024 * 1024
/** Real clients use shorter URLs. */
const CACHED_URL_LENGTH_MAX = 512

/** Up to this size one write beats two buffers without a copy, measured on 30 to 16,000 bytes. */
const TEXT_BYTES_MAX = 2048

/**
 * The source of a URL, its route, and the weight of a request. `isLive`: an old answer misleads.
 */
type CachedResponse = Readonly<{
  source: BodySource
  route: string
  weight: number
  isLive: boolean
}>

type CacheEntry = CachedResponse &
  Readonly<{
    url: string
    count: RouteCount
    /** The body read last; for a timed one, its stable part. */
    held: { representation: Representation | undefined; bytes: number }
  }>

type ResponseCacheOptions = Readonly<{
  limits: RateLimits
  meter: RouteMeter
  encoder: Encoder
  freshness: DataAge
  /** Headers of every answer, alternating names and values. */
  headers: readonly string[]
  /** False when answers depend on the Origin; such requests go through Fastify. */
  isAnyOrigin: boolean
  logRequest?: LogRequest | undefined
}>

/** A request and its pending answer. `headers` are alternating names and values. */
type CachedExchange = Readonly<{
  request: IncomingMessage
  response: ServerResponse
  entry: CacheEntry
  startMs: number
  headers: string[]
}>

export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #vary: string
  readonly #byUrl = new LRUCache<string, CacheEntry>({
    max: CACHED_URLS_MAX,
    maxSize: CACHED_BYTES_MAX,
    sizeCalculation: ({ held }) => Math.max(held.bytes, 1),
  })
  #hits = 0

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#vary = options.isAnyOrigin ? VARY_CODING : `Origin, ${VARY_CODING}`
  }

  /** Requests answered from memory. */
  get hits(): number {
    return this.#hits
  }

  /** Number of cached URLs. */
  get size(): number {
    return this.#byUrl.size
  }

  /** Bytes of the cached bodies, in all codings. */
  get bytes(): number {
    return this.#byUrl.calculatedSize
  }

  /** Caches the source of `url`, and returns the entry; undefined when it is not cached. */
  remember(url: string, answer: CachedResponse): CacheEntry | undefined {
    if (url.length > CACHED_URL_LENGTH_MAX) return undefined
    const cached = this.#byUrl.get(url)
    if (cached !== undefined) return cached
    const held = { representation: undefined, bytes: answer.source.read().length }
    const count = this.#options.meter.of(answer.route, 200)
    this.#byUrl.set(url, { ...answer, url, count, held })
    return this.#byUrl.peek(url)
  }

  /** Returns the prepared form of `body`, which the source has just returned. */
  prepare(source: BodySource, body: Buffer, entry?: CacheEntry): PreparedBody {
    const stable = source.isTimed ? source.stable?.() : body
    // A timed body without a stable part is different each time.
    if (stable === undefined) return { representation: this.#represented(body, source) }
    const cached = entry?.held.representation
    const representation =
      cached?.body === stable ? cached : this.#represented(stable, source, entry)
    return source.isTimed
      ? { representation, tail: body.subarray(stable.length) }
      : { representation }
  }

  #represented(body: Buffer, { stable }: BodySource, entry?: CacheEntry): Representation {
    const representation: Representation = new Representation(body, {
      encoder: this.#options.encoder,
      compression: stable === undefined ? 'live' : 'open',
      onGrown: () => entry?.held.representation === representation && this.#resize(entry),
    })
    if (entry !== undefined) {
      entry.held.representation = representation
      this.#resize(entry)
    }
    return representation
  }

  /** Updates the size of an entry, unless it was evicted. */
  #resize({ url, held }: CacheEntry): void {
    const entry = this.#byUrl.peek(url)
    if (entry?.held !== held || held.representation?.bytes === held.bytes) return
    held.bytes = held.representation?.bytes ?? 0
    // A copy, because the cache would keep the size of the same object.
    this.#byUrl.set(url, { ...entry })
  }

  /** Drops all entries: the meaning of a URL may have changed. */
  clear(): void {
    this.#byUrl.clear()
  }

  /** Answers the request and returns true; returns false when the cache cannot answer it. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const entry = request.method === 'GET' ? this.#byUrl.get(request.url ?? '') : undefined
    if (entry === undefined) return false
    const { headers } = request
    if (!this.#options.isAnyOrigin && headers.origin !== undefined) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
      return false
    const { limits } = this.#options
    const startMs = performance.now()
    const always = ['x-request-id', readRequestId(request), ...this.#options.headers]
    const exchange = { request, response, entry, startMs, headers: always }
    if (limits.isOff) this.#answer(exchange)
    else
      limits.take(request, entry.weight).then(
        (verdict) => this.#answerCounted(exchange, verdict),
        (error: Error) => response.destroy(error),
      )
    return true
  }

  #answerCounted(exchange: CachedExchange, verdict: BucketState): void {
    exchange.headers.push(...this.#options.limits.headersOf(verdict))
    if (verdict.allowed) this.#answer(exchange)
    else this.#refuse(exchange, overLimit(verdict))
  }

  #answer(exchange: CachedExchange): void {
    const { entry, headers } = exchange
    const { source } = entry
    const { freshness } = this.#options
    const body = entry.isLive && freshness.isBehind ? dataStale() : readBody(source)
    if (body instanceof Refusal) {
      this.#refuse(exchange, body)
      return
    }
    const head = source.head?.()
    if (head !== undefined)
      headers.push(
        'x-block-number',
        String(head.number),
        'x-block-hash',
        head.hash,
        'x-data-age-ms',
        String(freshness.ageMs(source.currentMs?.())),
      )
    const rule = source.isTimed ? NO_STORE : cacheFor(source.maxAgeSeconds?.())
    headers.push('vary', this.#vary, 'cache-control', rule)
    if (source.isTimed) this.#answerTimed(exchange, body)
    else this.#answerKept(exchange, body)
  }

  #answerTimed(exchange: CachedExchange, body: Buffer): void {
    const { entry, request } = exchange
    if (request.headers['accept-encoding'] === undefined) this.#write(exchange, body)
    else this.#negotiate(exchange, body, this.prepare(entry.source, body, entry))
  }

  /** Answers with a cacheable body, or with 304 when the client has it. */
  #answerKept(exchange: CachedExchange, body: Buffer): void {
    const { entry, request, headers } = exchange
    const prepared = this.prepare(entry.source, body, entry)
    const { etag } = prepared.representation
    headers.push('etag', etag)
    if (isUnchanged(request.headers['if-none-match'], etag)) this.#unchanged(exchange)
    else this.#negotiate(exchange, body, prepared)
  }

  /** Sends `body` in the coding that the client prefers. */
  #negotiate(exchange: CachedExchange, body: Buffer, prepared: PreparedBody): void {
    const accepts = exchange.request.headers['accept-encoding']
    const encoded = encodeFor(accepts, prepared)
    if (encoded === undefined) {
      this.#write(exchange, body)
      return
    }
    const { coding } = acceptedCoding(accepts)
    if (encoded instanceof Promise)
      encoded.then(
        (bytes) => this.#write(exchange, bytes, coding),
        () => this.#write(exchange, body),
      )
    else this.#write(exchange, encoded, coding)
  }

  #write(exchange: CachedExchange, body: Buffer, coding?: string): void {
    const { response, headers } = exchange
    if (coding !== undefined) headers.push('content-encoding', coding)
    headers.push('content-type', JSON_TYPE, 'content-length', String(body.length))
    response.writeHead(200, headers)
    // A short body is sent in one piece with the head. In latin1 each character is one byte.
    if (body.length <= TEXT_BYTES_MAX) response.end(body.toString('latin1'), 'latin1')
    else response.end(body)
    this.#count(exchange, 200, body.length)
  }

  #unchanged(exchange: CachedExchange): void {
    exchange.response.writeHead(304, exchange.headers)
    exchange.response.end()
    this.#count(exchange, 304, 0)
  }

  #refuse(exchange: CachedExchange, refusal: Refusal): void {
    const { response, headers } = exchange
    const bytes = writeRefusal(response, refusal, headers[1] as string, headers)
    this.#count(exchange, refusal.status, bytes)
  }

  #count({ entry, startMs, headers }: CachedExchange, status: number, bytes: number): void {
    const { route, count } = entry
    const { meter, logRequest } = this.#options
    const ms = performance.now() - startMs
    this.#hits++
    const routeCount = status === count.status ? count : meter.of(route, status)
    routeCount.add(ms)
    logRequest?.({ reqId: headers[1] as string, method: 'GET', route, status, ms, bytes })
  }
}

/**
 * Returns the body of a source. It refuses when its data left the memory while the request waited.
 */
function readBody(source: BodySource): Buffer | Refusal {
  try {
    return source.read()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

// Answers URLs that were routed and validated before straight from memory, with the same headers as
// the routes give. Everything else goes through Fastify.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { writeRefusal } from './errors.ts'
import { type DataAge, JSON_TYPE, type Source } from './host-type.ts'
import { overLimit, type RateLimits, type Verdict } from './limits.ts'
import { dataStale, Refusal } from './refusals.ts'
import { readRequestId } from './request-id.ts'
import type { RouteCount, RouteMeter } from './route-meter.ts'

/** Bounds of what is remembered: URLs, and bytes of their bodies when they were remembered. */
const CACHED_URLS_MAX = 512
const CACHED_BYTES_MAX = 64 * 1024 * 1024
/** A longer URL is no one's habit. */
const CACHED_URL_LENGTH_MAX = 512

/** Up to here one write is cheaper than two buffers and no copy: measured on 30 to 16,000 bytes. */
const TEXT_BYTES_MAX = 2048

/**
 * How a URL is answered, whose route it is, and what a request of it counts for. `isLive`: it
 * misleads when it is old.
 */
export type CachedResponse = Readonly<{
  source: Source
  route: string
  weight: number
  isLive: boolean
}>

type Entry = CachedResponse & Readonly<{ bytes: number; count: RouteCount }>

export type ResponseCacheOptions = Readonly<{
  limits: RateLimits
  meter: RouteMeter
  freshness: DataAge
  /** Headers that every answer has, names and values in turn. */
  headers: readonly string[]
  /** False: answers depend on the Origin, so those requests go through Fastify. */
  isAnyOrigin: boolean
}>

export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #byUrl = new LRUCache<string, Entry>({
    max: CACHED_URLS_MAX,
    maxSize: CACHED_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes,
  })
  #hits = 0

  constructor(options: ResponseCacheOptions) {
    this.#options = options
  }

  /** Requests answered so far. */
  get hits(): number {
    return this.#hits
  }

  /** URLs remembered. */
  get size(): number {
    return this.#byUrl.size
  }

  /** Remembers how `url` is answered. */
  remember(url: string, answer: CachedResponse): void {
    if (url.length > CACHED_URL_LENGTH_MAX || this.#byUrl.has(url)) return
    const bytes = answer.source.read().length
    this.#byUrl.set(url, { ...answer, bytes, count: this.#options.meter.of(answer.route, 200) })
  }

  /** Forgets everything: what a URL means may have changed. */
  clear(): void {
    this.#byUrl.clear()
  }

  /** Answers the request and returns true, or leaves it alone and returns false. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const entry = request.method === 'GET' ? this.#byUrl.get(request.url ?? '') : undefined
    if (entry === undefined) return false
    const { headers } = request
    if (!this.#options.isAnyOrigin && headers.origin !== undefined) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
      return false
    const { limits } = this.#options
    const startMs = performance.now()
    if (limits.isOff) this.#count(entry, startMs, this.#send(request, response, entry))
    else
      limits.take(request, entry.weight).then(
        (verdict) => this.#count(entry, startMs, this.#send(request, response, entry, verdict)),
        (error: Error) => response.destroy(error),
      )
    return true
  }

  #count({ route, count }: Entry, startMs: number, status: number): void {
    this.#hits++
    const own = status === count.status ? count : this.#options.meter.of(route, status)
    own.add(performance.now() - startMs)
  }

  /** Returns the status. */
  #send(
    request: IncomingMessage,
    response: ServerResponse,
    entry: Entry,
    verdict?: Verdict,
  ): number {
    const { limits, freshness, headers: always } = this.#options
    const id = readRequestId(request)
    const headers = ['x-request-id', id, ...always]
    if (verdict !== undefined) headers.push(...limits.headersOf(verdict))
    if (verdict?.allowed === false) {
      const refusal = overLimit(verdict)
      writeRefusal(response, refusal, id, headers)
      return refusal.status
    }
    const body = entry.isLive && freshness.isBehind ? dataStale() : readBody(entry.source)
    if (body instanceof Refusal) {
      writeRefusal(response, body, id, headers)
      return body.status
    }
    const head = entry.source.head?.()
    if (head !== undefined)
      headers.push(
        'x-block-number',
        String(head.number),
        'x-block-hash',
        head.hash,
        'x-data-age-ms',
        String(freshness.ageMs(entry.source.currentMs?.())),
      )
    headers.push('content-type', JSON_TYPE, 'content-length', String(body.length))
    response.writeHead(200, headers)
    // A text goes out in one piece with the head. In latin1 each character is the byte it was.
    if (body.length <= TEXT_BYTES_MAX) response.end(body.toString('latin1'), 'latin1')
    else response.end(body)
    return 200
  }
}

/** Reads a source. Refuses when what it needs left the memory while the request waited. */
function readBody(source: Source): Buffer | Refusal {
  try {
    return source.read()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

// Calls the REST API, one endpoint per call, typed by the schemas of the server.
import type { Endpoints } from '../../generated/endpoints.ts'
import type { Problem } from '../../generated/shapes.ts'
import { ConnectionError, RefusedError, refusalOf, UnexpectedAnswerError } from '../errors.ts'
import { type ApiKey, isKey, RequestSigner } from '../hmac.ts'
import {
  checkInput,
  checkValue,
  inputError,
  isAnything,
  isFunction,
  isPlainValue,
  isText,
  jsonText,
  type MemberChecks,
  objectOf,
  wholeFrom,
} from '../input.ts'
import { wait } from '../wait.ts'

/** Subset of `fetch` that the client uses, for other implementations. */
export type Fetch = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body?: string
    signal?: AbortSignal
  },
) => Promise<{
  status: number
  headers: {
    /** Returns the value of a header by its case-insensitive name. */
    get(name: string): string | null
  }
  /** Returns the whole body as text. */
  text(): Promise<string>
}>

/** Retries after refusals for which the venue names a wait. Without it every refusal is thrown. */
export type Patience = Readonly<{
  /** Maximum number of retries of a request. */
  retries: number
  /** Longest wait that is accepted; a refusal that asks for a longer one is thrown. */
  waitMsMax: number
}>

/** Address of the venue and options of the requests. */
export type RestOptions = Readonly<{
  /** Base URL of the API, with its path prefix if any: `https://api.example.org`. */
  url: string
  /** Not needed for public data. */
  apiKey?: ApiKey
  /** Replacement for the platform's `fetch`. */
  fetch?: Fetch
  /** Retries after a wait that the venue names. Absent: every refusal is thrown. */
  patience?: Patience
  /** Aborts every request of this client. */
  signal?: AbortSignal
  /** Time limit for the complete answer of a request; 60,000 by default. */
  timeoutMs?: number
  /** Clock for signatures, at most 30 s off the server's. */
  nowMs?: () => number
}>

/** The venue refuses what takes it longer than 10 seconds; a long export takes longer to arrive. */
const TIMEOUT_MS = 60_000

/** Method and path of an endpoint, such as `GET /orders/{order_id}`. */
export type Endpoint = keyof Endpoints
/** Path, query and body of a request. */
export type CallParts<E extends Endpoint> = Readonly<{
  path?: Endpoints[E]['path']
  query?: Endpoints[E]['query'] | undefined
  body?: Endpoints[E]['body']
}>
/** Options of every request. */
export type CallOptions = Readonly<{
  signal?: AbortSignal | undefined
  /** Answers at this block or later, so that a read sees the write that returned `blockNumber`. */
  minBlock?: number | undefined
}>

/** An answer and the block that it reflects. */
export type Answer<T> = Readonly<{
  body: T
  /** Undefined if the answer does not depend on a block. */
  blockNumber: number | undefined
  /** Hash of that block. */
  blockHash: string | undefined
  /** From the headers; undefined if the request was not counted. */
  rateLimit: RateLimit | undefined
}>
/** Requests left and seconds until the limit resets. */
export type RateLimit = Readonly<{ left: number; resetSeconds: number }>

const isCount = /* @__PURE__ */ wholeFrom(0, Number.MAX_SAFE_INTEGER)
const OPTIONS: MemberChecks<RestOptions> = {
  url: isText,
  apiKey: [isKey],
  fetch: [isFunction],
  patience: [/* @__PURE__ */ objectOf<Patience>({ retries: isCount, waitMsMax: isCount })],
  signal: [isAnything],
  timeoutMs: [isCount],
  nowMs: [isFunction],
}
const PARTS: MemberChecks<CallParts<Endpoint>> = {
  path: [isAnything],
  query: [isAnything],
  body: [isAnything],
}
const CALL: MemberChecks<CallOptions> = {
  signal: [isAnything],
  minBlock: [(value, name) => (value === undefined ? undefined : isCount(value, name))],
}

/** Sends requests to the REST API. */
export class Rest {
  readonly #options: RestOptions
  readonly #fetch: Fetch
  readonly #signer: RequestSigner | undefined

  constructor(options: RestOptions) {
    checkInput(options, OPTIONS, { baseUrl: 'url', key: 'apiKey' })
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') }
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init))
    const { apiKey, nowMs } = options
    this.#signer = apiKey?.signs === true ? new RequestSigner(apiKey, nowMs) : undefined
  }

  /** Returns a client with another key or none, and otherwise the same options. */
  withKey(apiKey: ApiKey | undefined): Rest {
    const { apiKey: _, ...options } = this.#options
    return new Rest(apiKey === undefined ? options : { ...options, apiKey })
  }

  /**
   * Returns the body of an answer. Throws a {@link RefusedError} if the venue refuses, a {@link
   * ConnectionError} if no answer arrives, and the reason of a signal that is aborted.
   *
   * @example await rest.call('GET /orders/{order_id}', { path: { order_id }})
   */
  async call<E extends Endpoint>(
    endpoint: E,
    parts: CallParts<E> = {},
    options: CallOptions = {},
  ): Promise<Endpoints[E]['answer']> {
    return (await this.ask(endpoint, parts, options)).body
  }

  /** Like {@link Rest.call}, but returns the whole answer with its block. */
  async ask<E extends Endpoint>(
    endpoint: E,
    parts: CallParts<E> = {},
    options: CallOptions = {},
  ): Promise<Answer<Endpoints[E]['answer']>> {
    checkInput(parts as CallParts<Endpoint>, PARTS, { params: 'query' })
    checkInput(options, CALL, { min_block: 'minBlock' })
    for (let tried = 0; ; tried++) {
      try {
        return await this.#askOnce(endpoint, parts, options)
      } catch (error) {
        const ms = this.#waitMs(error, tried)
        if (ms === undefined) throw error
        await wait(ms, this.#signalOf(options))
      }
    }
  }

  /** Returns the wait before the next attempt; undefined if the request is not retried. */
  #waitMs(error: unknown, tried: number): number | undefined {
    const { patience } = this.#options
    if (patience === undefined || tried >= patience.retries) return undefined
    const ms = error instanceof RefusedError ? error.retryAfterMs : undefined
    return ms === undefined || ms > patience.waitMsMax ? undefined : ms
  }

  async #askOnce<E extends Endpoint>(endpoint: E, parts: CallParts<E>, options: CallOptions) {
    const [method = '', template = ''] = endpoint.split(' ')
    const path = fillPath(template, parts.path ?? {}) + queryText(parts.query ?? {}, options)
    const body = parts.body === undefined ? undefined : jsonText(parts.body)
    const headers = await this.#headers(method, path, body)
    const init = { method, headers, ...(body && { body }) }
    const url = `${this.#options.url}${path}`
    const { response, text } = await this.#send(url, init, this.#signalOf(options))
    return readAnswer<Endpoints[E]['answer']>(endpoint, response, text)
  }

  async #send(url: string, init: Parameters<Fetch>[1], given: AbortSignal | undefined) {
    const { timeoutMs = TIMEOUT_MS } = this.#options
    const late = AbortSignal.timeout(timeoutMs)
    const signal = given === undefined ? late : AbortSignal.any([late, given])
    try {
      const response = await this.#fetch(url, { ...init, signal })
      return { response, text: await response.text() }
    } catch (cause) {
      given?.throwIfAborted()
      const within = late.aborted ? ` within ${timeoutMs} ms` : ''
      throw new ConnectionError(`no answer to ${init.method} ${url}${within}`, { cause })
    }
  }

  async #headers(method: string, path: string, body = ''): Promise<Record<string, string>> {
    const type: Record<string, string> = body === '' ? {} : { 'content-type': 'application/json' }
    const { apiKey, url } = this.#options
    if (apiKey === undefined) return type
    if (this.#signer === undefined)
      return { ...type, 'api-key': apiKey.key, 'api-secret': apiKey.secret }
    const signed = await this.#signer.sign(method, new URL(url).pathname.slice(1) + path, body)
    const { key, timestamp, signature } = signed
    return { ...type, 'api-key': key, 'api-timestamp': timestamp, 'api-signature': signature }
  }

  #signalOf({ signal }: CallOptions): AbortSignal | undefined {
    const all = [signal, this.#options.signal].filter((candidate) => candidate !== undefined)
    return all.length > 1 ? AbortSignal.any(all) : all[0]
  }
}

function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    // An empty segment or dots would reach another endpoint; a lone surrogate cannot be encoded.
    if (/^\.{0,2}$|\p{Surrogate}/u.test(value)) throw inputError([`path.${name}`, value], 'a name')
    return encodeURIComponent(value)
  })
}

function queryText(query: Readonly<Record<string, unknown>>, { minBlock }: CallOptions): string {
  const given = Object.entries({ ...query, min_block: minBlock }).filter(
    ([, value]) => value !== undefined,
  )
  for (const [name, value] of given) checkValue(name, value, isPlainValue)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

type Response = Awaited<ReturnType<Fetch>>

function readAnswer<T>(endpoint: string, { status, headers }: Response, text: string): Answer<T> {
  const isJson = headers.get('content-type')?.includes('json') === true
  const body = isJson ? parseJson(endpoint, text) : text
  if (status >= 400)
    throw withHeader(isJson ? body : { message: text.slice(0, 200) }, status, headers)
  if (!isJson && !endpoint.endsWith('/csv'))
    throw new UnexpectedAnswerError(`${endpoint} answered without JSON: ${text.slice(0, 200)}`)
  const block = headers.get('x-block-number')
  return {
    body: body as T,
    blockNumber: block === null ? undefined : Number(block),
    blockHash: headers.get('x-block-hash') ?? undefined,
    rateLimit: readRateLimit(headers.get('ratelimit')),
  }
}

function parseJson(endpoint: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UnexpectedAnswerError(`${endpoint} answered with malformed JSON`, { cause })
  }
}

const NS_PER_SECOND = 1_000_000_000

/** A proxy in front of the venue may refuse with a header but no body. */
function withHeader(body: unknown, status: number, headers: Response['headers']): RefusedError {
  const problem = body as Partial<Problem>
  const seconds = headers.get('retry-after')
  if (problem.retry_after !== undefined || seconds === null || !/^\d+$/.test(seconds))
    return refusalOf(problem, status)
  return refusalOf({ ...problem, retry_after: String(Number(seconds) * NS_PER_SECOND) }, status)
}

function readRateLimit(header: string | null): RateLimit | undefined {
  const [, left, reset] = /;r=(\d+);t=(\d+)/.exec(header ?? '') ?? []
  return left === undefined ? undefined : { left: Number(left), resetSeconds: Number(reset) }
}

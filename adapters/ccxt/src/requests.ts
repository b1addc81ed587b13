// Asks the venue's REST API by ccxt's own transport: its throttle, proxies, retries and exceptions.
import { type Dict, Exchange, type ExchangeError } from 'ccxt'
import type { Endpoints } from 'openvenue'
import { DESCRIPTION } from './describe.ts'
import { exceptionOf } from './exceptions.ts'
import { optionalWhole } from './params.ts'
import { type Access, type AskedEndpoint, lookUp } from './rest-api.ts'

type Part<E extends AskedEndpoint, Name extends 'path' | 'query'> = Partial<Endpoints[E][Name]>
/** What an endpoint is asked with. `params` of a caller go with the query or body as they are. */
export type Asked<E extends AskedEndpoint> = Readonly<{
  path?: Part<E, 'path'>
  query?: Part<E, 'query'>
  body?: Readonly<Record<string, unknown>>
  params?: Dict
}>

/** The body of a refusal, as every endpoint has it. */
export type Refused = Readonly<{
  error?: unknown
  message?: unknown
  details?: readonly Readonly<{ field?: string; message?: string }>[]
}>

/** Parameters of a POST or DELETE that go into its query: its body takes members it knows alone. */
const QUERY_OF_WRITES = ['wait']

/** So long an answer is of no earlier block than those before it, whichever node gives it. */
const SEEN_MS = 10_000

export class VenueRequests extends Exchange {
  #seen = { block: 0, atMs: 0 }

  override describe(): unknown {
    return this.deepExtend(super.describe(), DESCRIPTION)
  }

  /** Returns the body of an answer, in the shape that the venue's own schemas give it. */
  async ask<E extends AskedEndpoint>(
    endpoint: E,
    { path = {}, query = {}, body = {}, params = {} }: Asked<E> = {},
  ): Promise<Endpoints[E]['answer']> {
    const { access, method, path: template, cost } = lookUp(endpoint)
    const isOwn = access === 'private' && method === 'GET'
    const all = this.extend(path, query, body, isOwn ? this.seenBlock() : {}, params)
    return this.fetch2(template, access, method, all, undefined, undefined, { cost })
  }

  // ccxt calls it with six arguments, of which the last two are never given here.
  override sign(
    path: string,
    access: Access = 'public',
    ...[method = 'GET', params = {}]: [string?, Dict?]
  ) {
    const rest = this.omit(params, this.extractParams(path))
    const isRead = method === 'GET'
    const inQuery = isRead ? rest : queryOfWrite(rest)
    const inBody = isRead ? {} : this.omit(rest, QUERY_OF_WRITES)
    const hasBody = Object.keys(inBody).length > 0
    const query = Object.keys(inQuery).length > 0 ? `?${this.urlencode(inQuery)}` : ''
    return {
      url: `${this.restUrl()}/${this.implodeParams(path, params)}${query}`,
      method,
      headers: this.extend(
        access === 'private' ? this.credentials() : {},
        hasBody ? { 'Content-Type': 'application/json' } : {},
      ),
      body: hasBody ? this.json(inBody) : undefined,
    }
  }

  /** What an order has done is in what is read after its answer. */
  seenBlock(): Dict {
    const { block, atMs } = this.#seen
    return this.milliseconds() < atMs + SEEN_MS ? { min_block: block } : {}
  }

  /** ccxt calls it with every answer and its headers. */
  override onRestResponse(...answer: Parameters<Exchange['onRestResponse']>): string {
    const headers = answer[4]
    const block = this.safeInteger2(headers, 'X-Block-Number', 'x-block-number') ?? 0
    if (block >= this.#seen.block) this.#seen = { block, atMs: this.milliseconds() }
    return super.onRestResponse(...answer)
  }

  restUrl(): string {
    return String(this.urls.api.rest).replace(/\/+$/, '')
  }

  credentials(): Dict {
    this.checkRequiredCredentials()
    return { 'API-KEY': this.apiKey, 'API-SECRET': this.secret }
  }

  override handleErrors(
    status: number,
    ...rest: [string, string, string, Dict, string, unknown, unknown, unknown]
  ): undefined {
    const response = rest[5] as Refused | undefined
    if (status < 400 || typeof response?.error !== 'string') return undefined
    throw this.refusal(response)
  }

  /** Returns the exception that a refusal is: its message has the code, and what was wrong. */
  refusal({ error, message, details = [] }: Refused): ExchangeError {
    const said = details.map(({ field, message: rule }) => `${field}: ${rule}`)
    const text = [`${this.id} ${error}: ${message}`, ...said].join('; ')
    return new (exceptionOf(String(error)))(text)
  }

  /** Returns the time in milliseconds of nanoseconds as text. */
  msOf(ns: string | null | undefined): number | undefined {
    return ns === null || ns === undefined ? undefined : Number(BigInt(ns) / NS_PER_MS)
  }

  /** Takes `until` out of the parameters of a caller. */
  untilOf(params: Dict): [until: number | undefined, rest: Dict] {
    return [optionalWhole('until', params.until), this.omit(params, 'until')]
  }
}

const NS_PER_MS = 1_000_000n

const queryOfWrite = (params: Dict): Dict =>
  Object.fromEntries(Object.entries(params).filter(([name]) => QUERY_OF_WRITES.includes(name)))

// Calls the venue's REST API with ccxt's transport, proxies, retries and exceptions.
import { type Dict, Exchange, type ExchangeError } from 'ccxt'
import type { Endpoints } from 'openvenue'
import { DESCRIPTION } from './describe.ts'
import { exceptionOf } from './exceptions.ts'
import { optionalWhole } from './params.ts'
import { type Access, lookUp, type RestEndpoint } from './rest-api.ts'

type RequestPart<E extends RestEndpoint, Name extends 'path' | 'query'> = Partial<
  Endpoints[E][Name]
>
/** Parts of a request. The caller's `params` are added to the query or body unchanged. */
type RequestInput<E extends RestEndpoint> = Readonly<{
  path?: RequestPart<E, 'path'>
  query?: RequestPart<E, 'query'>
  body?: Readonly<Record<string, unknown>>
  params?: Dict
}>

/** Body of a refusal, the same for every endpoint. */
export type ErrorBody = Readonly<{
  error?: unknown
  message?: unknown
  details?: readonly Readonly<{ field?: string; message?: string }>[]
}>

/** Query parameters of POST and DELETE requests, whose bodies accept known members only. */
const QUERY_OF_WRITES = ['wait']

/** Reads within this time are answered at the last seen block or later, by any node. */
const SEEN_MS = 10_000

export class VenueRequests extends Exchange {
  #seen = { block: 0, atMs: 0 }

  override describe(): unknown {
    return this.deepExtend(super.describe(), DESCRIPTION)
  }

  /** Returns the body of an answer, typed by the venue's schemas. */
  async ask<E extends RestEndpoint>(
    endpoint: E,
    { path = {}, query = {}, body = {}, params = {} }: RequestInput<E> = {},
  ): Promise<Endpoints[E]['answer']> {
    const { access, method, path: template, cost } = lookUp(endpoint)
    const isOwn = access === 'private' && method === 'GET'
    const all = this.extend(path, query, body, isOwn ? this.seenBlock() : {}, params)
    return this.fetch2(template, access, method, all, undefined, undefined, { cost })
  }

  // ccxt calls it with six arguments; the last two are never given here.
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

  /** Makes reads see the effect of an earlier order. */
  seenBlock(): Dict {
    const { block, atMs } = this.#seen
    return this.milliseconds() < atMs + SEEN_MS ? { min_block: block } : {}
  }

  /** Called by ccxt with every answer and its headers. */
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
    const response = rest[5] as ErrorBody | undefined
    if (status < 400 || typeof response?.error !== 'string') return undefined
    throw this.refusal(response)
  }

  /** Returns the exception of a refusal; its message has the code and the invalid members. */
  refusal({ error, message, details = [] }: ErrorBody): ExchangeError {
    const problems = details.map(({ field, message: rule }) => `${field}: ${rule}`)
    const text = [`${this.id} ${error}: ${message}`, ...problems].join('; ')
    return new (exceptionOf(String(error)))(text)
  }

  /** Converts nanoseconds in text to milliseconds. */
  msOf(ns: string | null | undefined): number | undefined {
    return ns === null || ns === undefined ? undefined : Number(BigInt(ns) / NS_PER_MS)
  }

  /** Removes `until` from the parameters of a caller and returns both. */
  untilOf(params: Dict): [until: number | undefined, rest: Dict] {
    return [optionalWhole('until', params.until), this.omit(params, 'until')]
  }
}

const NS_PER_MS = 1_000_000n

const queryOfWrite = (params: Dict): Dict =>
  Object.fromEntries(Object.entries(params).filter(([name]) => QUERY_OF_WRITES.includes(name)))

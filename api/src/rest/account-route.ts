// Account endpoints: each at its plain path and below the account's address, with the same answer.
// Interface 4.4.
import type { Static, TSchema } from '@openvenue/wire/field'
import { ADDRESS_WORDS, type PathDescriptions, pathSchema } from '@openvenue/wire/pagination'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answers, answersAs } from '../http/answer.ts'
import type { Host } from '../http/host-type.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { type Caller, requireCaller } from '../identity/caller.ts'
import { type Parts, TAGS } from './route.ts'

type AccountRoute<Q extends TSchema> = Readonly<{
  /** `/orders/:order_id`. */
  path: string
  /** Below `/account/:address`: `/orders/:order_id`, or `''` for the address itself. */
  below: string
  summary: string
  /** Descriptions of the parameters of `path`. */
  words?: PathDescriptions
  query: Q
  body: TSchema
  tags?: string[]
  /** Content type of the answer; JSON unless given. */
  contentType?: string
  /** Requests that one request counts as. */
  weight?: number
  /** True when an old answer would mislead: see `DATA_STALE`. */
  isLive?: boolean
  /** True when the answer does not depend on a block. */
  isOffChain?: boolean
  /** Refusal codes in addition to those of every account endpoint. */
  refuses?: readonly RefusalCode[]
  /** Returns the query parameters that are ignored, valid or not. */
  ignores?: (query: RawQuery) => readonly string[]
}>

/** A query as it was sent, not validated. */
type RawQuery = Readonly<Record<string, unknown>>

/** A request to an account endpoint. */
export type AccountRequest<Q extends TSchema> = Readonly<{
  caller: Caller
  query: Static<Q>
  /** Path parameters, not validated. */
  params: Readonly<Record<string, string>>
  reply: FastifyReply
}>

/** Adds a GET endpoint for the owner of a key. The result of `answer` is sent as JSON. */
export function accountGet<Q extends TSchema>(
  host: Host,
  { authenticate: onRequest }: Parts<'authenticate'>,
  route: AccountRoute<Q>,
  answer: (request: AccountRequest<Q>) => Promise<object>,
): void {
  const {
    path,
    below,
    summary,
    query,
    body,
    tags = TAGS.account,
    words = {},
    isLive = false,
    isOffChain = false,
    contentType,
    weight = 1,
  } = route
  const config = {
    isLive,
    isOffChain,
    refuses: listRefusals(route),
    ...(weight === 1 ? {} : { weight }),
  }
  const response = contentType === undefined ? answers(body) : answersAs(contentType, body)
  const schema = { tags, summary, querystring: query as TSchema, response }
  const preValidation = async (request: FastifyRequest): Promise<void> => {
    const sent = request.query as Record<string, unknown>
    for (const name of route.ignores?.(sent) ?? []) delete sent[name]
  }
  const handler = async (request: FastifyRequest, reply: FastifyReply) =>
    answer({
      caller: requireCaller(request),
      query: request.query as Static<Q>,
      params: request.params as Record<string, string>,
      reply,
    })
  const params = (all: PathDescriptions) =>
    Object.keys(all).length === 0 ? {} : { params: pathSchema(all) }
  const hooks = { config, onRequest, preValidation }
  host.get(path, { ...hooks, schema: { ...schema, ...params(words) } }, handler)
  const url = `/account/:address${below}`
  const all = { ...ADDRESS_WORDS, ...words }
  host.get(url, { ...hooks, schema: { ...schema, ...params(all) } }, handler)
}

/** Accounts are read from the database, and a time range may be reversed. */
function listRefusals<Q extends TSchema>({ query, refuses = [] }: AccountRoute<Q>): RefusalCode[] {
  const { properties = {} } = query as Readonly<{ properties?: object }>
  const hasRange = 'start_time' in properties
  const hasMarkets = 'instrument_name' in properties || 'asset' in properties
  return [
    ...(hasRange ? ['INVALID_TIME_RANGE' as const] : []),
    ...(hasMarkets ? ['INSTRUMENT_NOT_FOUND' as const] : []),
    ...refuses,
    'HISTORY_UNAVAILABLE',
  ]
}

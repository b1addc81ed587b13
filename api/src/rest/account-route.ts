// Account endpoints: each at its plain path and below the account's address, with the same answer.
// Interface 4.4.
import type { Static, TSchema } from '@openvenue/wire/field'
import { ADDRESS_WORDS, type PathWords, pathSchema } from '@openvenue/wire/pagination'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answers, answersAs } from '../http/answer.ts'
import type { Host } from '../http/host-type.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { type Caller, requireCaller } from '../identity/caller.ts'
import { type Parts, TAGS } from './route.ts'

export type AccountRoute<Q extends TSchema> = Readonly<{
  /** `/orders/:order_id`. */
  path: string
  /** Below `/account/:address`: `/orders/:order_id`, or `''` for the address itself. */
  below: string
  summary: string
  /** Every parameter of `path`, with what it is. */
  words?: PathWords
  query: Q
  body: TSchema
  tags?: string[]
  /** What it answers; JSON unless given. */
  contentType?: string
  /** Requests that one counts for. */
  weight?: number
  /** It misleads when it is old: see `DATA_STALE`. */
  isLive?: boolean
  /** Its answers show no block. */
  isOffChain?: boolean
  /** Codes by which it refuses besides those of every endpoint of an account. */
  refuses?: readonly RefusalCode[]
  /** Returns the parameters of a query that are not looked at, right or wrong. */
  ignores?: (query: RawQuery) => readonly string[]
}>

/** As it was sent: unchecked. */
type RawQuery = Readonly<Record<string, unknown>>

/** A request to an account endpoint. */
export type AccountRequest<Q extends TSchema> = Readonly<{
  caller: Caller
  query: Static<Q>
  /** Parameters of the path, unchecked text. */
  params: Readonly<Record<string, string>>
  reply: FastifyReply
}>

/** Adds a GET endpoint for the owner of a key. What `answer` returns is sent as JSON. */
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
  const params = (all: PathWords) =>
    Object.keys(all).length === 0 ? {} : { params: pathSchema(all) }
  const hooks = { config, onRequest, preValidation }
  host.get(path, { ...hooks, schema: { ...schema, ...params(words) } }, handler)
  const url = `/account/:address${below}`
  const all = { ...ADDRESS_WORDS, ...words }
  host.get(url, { ...hooks, schema: { ...schema, ...params(all) } }, handler)
}

/** Accounts are read from the database; a range of time may be turned round. */
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

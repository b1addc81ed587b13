// Account endpoints: each at its plain path and below the account's address, with the same answer.
// Interface 4.4.
import type { Static, TSchema } from '@openvenue/wire/field'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '../identity/authenticate.ts'
import { type Caller, callerOf } from '../identity/caller.ts'
import type { App } from '../server.ts'
import { answers, type RestDeps, TAGS } from './route.ts'

export type AccountRoute<Q extends TSchema> = Readonly<{
  /** `/orders/:order_id`. */
  path: string
  /** Below `/account/:address`: `/orders/:order_id`, or `''` for the address itself. */
  below: string
  summary: string
  query: Q
  body: TSchema
  tags?: string[]
}>

/** What an account endpoint is asked. */
export type AccountRequest<Q extends TSchema> = Readonly<{
  caller: Caller
  query: Static<Q>
  /** Parameters of the path, unchecked text. */
  params: Readonly<Record<string, string>>
  reply: FastifyReply
}>

/** Adds a GET endpoint for the owner of a key. What `answer` returns is sent as JSON. */
export function accountGet<Q extends TSchema>(
  app: App,
  deps: RestDeps,
  route: AccountRoute<Q>,
  answer: (request: AccountRequest<Q>) => Promise<object>,
): void {
  const { path, below, summary, query, body, tags = TAGS.account } = route
  const schema = { tags, summary, querystring: query as TSchema, response: answers(body) }
  const onRequest = authenticate(deps)
  const handler = async (request: FastifyRequest, reply: FastifyReply) =>
    answer({
      caller: callerOf(request),
      query: request.query as Static<Q>,
      params: request.params as Record<string, string>,
      reply,
    })
  for (const url of [path, `/account/:address${below}`])
    app.get(url, { schema, onRequest }, handler)
}

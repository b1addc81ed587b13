// Answers the request of a route, from memory when the same URL may be requested again.
import type { Header } from '@openvenue/core/events'
import type { TSchema } from '@openvenue/wire/field'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BodySource, JSON_TYPE } from './host-type.ts'
import { isOfAccount, requestWeight } from './limits.ts'
import { minBlock, requireMinBlock, urlWithoutMinBlock } from './min-block.ts'
import { cacheFor } from './negotiation.ts'

/** Answers from memory, and caches the source for the next request of the same URL. */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  given: BodySource,
): FastifyReply {
  const { responseCache } = request.server
  const url = urlWithoutMinBlock(request)
  const entry =
    url === undefined
      ? undefined
      : responseCache.remember(url, {
          source: given,
          route: request.routeOptions.url ?? url,
          weight: requestWeight(request),
          isLive: request.routeOptions.config.isLive === true,
        })
  const source = entry?.source ?? given
  // Read before the head and the age, which depend on it.
  const body = source.read(minBlock(request))
  reply.prepared = responseCache.prepare(source, body, entry)
  if (source.isTimed !== true)
    reply.header('cache-control', cacheRule(request, source.maxAgeSeconds?.()))
  return answerJson(reply, body, source.head?.(), source.currentMs?.())
}

/**
 * Another cache may hold an answer to the same URL that is of an older block, if a reorganisation
 * took the newer one, so that answers to `min_block` are always revalidated.
 */
const cacheRule = (request: FastifyRequest, maxAgeSeconds: number | undefined): string =>
  cacheFor(minBlock(request) === undefined ? maxAgeSeconds : 0)

type AnswerAge = Readonly<{
  /** Time at which chain data was current, by default the node's. */
  currentMs?: number | undefined
  /** Seconds for which any cache may keep it; by default it is revalidated each time. */
  maxAgeSeconds?: number
}>

/** Answers with `body` as JSON. For chain data, `head` is the block of the data. */
export function answerOnce(
  reply: FastifyReply,
  body: Buffer,
  head?: Header,
  { currentMs, maxAgeSeconds }: AnswerAge = {},
): FastifyReply {
  const { config } = reply.request.routeOptions
  // Answers under a key are private to the owner, so they are never cached.
  if (head !== undefined && !isOfAccount(config.bucket))
    reply.header('cache-control', cacheRule(reply.request, maxAgeSeconds))
  return answerJson(reply, body, head, currentMs)
}

function answerJson(
  reply: FastifyReply,
  body: Buffer,
  head: Header | undefined,
  currentMs: number | undefined,
): FastifyReply {
  requireMinBlock(reply.request, head)
  if (head !== undefined)
    reply
      .header('x-block-number', head.number)
      .header('x-block-hash', head.hash)
      .header('x-data-age-ms', reply.server.freshness.ageMs(currentMs))
  return reply.type(JSON_TYPE).send(body)
}

/**
 * Returns the response schema of a route. Its refusals follow from the route's kind and the
 * `refuses` of its configuration.
 */
export const answers = <T extends TSchema>(body: T) => ({ 200: body }) as const

/** Like `answers`, for a body that is not JSON. */
export const answersAs = (type: string, body: TSchema) => ({
  200: { description: 'The table.', content: { [type]: { schema: body } } },
})

/** For a route that reads the database where memory does not reach. */
export const READS_HISTORY = { refuses: ['HISTORY_UNAVAILABLE'] } as const

/** For a route whose answer misleads when it is old. */
export const LIVE = { isLive: true } as const

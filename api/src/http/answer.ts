// Answers a request of a route, from memory where the same URL may be asked for again.
import type { Header } from '@openvenue/core/events'
import type { TSchema } from '@openvenue/wire/field'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE, type Source } from './host-type.ts'
import { isOfAccount, requestWeight } from './limits.ts'
import { minBlock, requireMinBlock, urlWithoutMinBlock } from './min-block.ts'
import { REVALIDATE } from './negotiation.ts'

/** Answers from memory now, and remembers how for the next request of the same URL. */
export function answer(request: FastifyRequest, reply: FastifyReply, given: Source): FastifyReply {
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
  // Read before its head and age are asked for.
  const body = source.read(minBlock(request))
  reply.prepared = responseCache.prepare(source, body, entry)
  if (source.isTimed !== true) reply.header('cache-control', REVALIDATE)
  return answerJson(reply, body, source.head?.(), source.currentMs?.())
}

/**
 * Answers with `body` as JSON; `head` is the block whose data it is, if it is chain data, which was
 * the newest there was at `currentMs`, by default where the node stands.
 */
export function answerOnce(
  reply: FastifyReply,
  body: Buffer,
  head?: Header,
  currentMs?: number,
): FastifyReply {
  const { config } = reply.request.routeOptions
  // Answers under a key are the owner's alone: no cache keeps them.
  if (head !== undefined && !isOfAccount(config.bucket)) reply.header('cache-control', REVALIDATE)
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
 * Returns the schema of what a route answers. How it refuses follows from what it is, and from
 * `refuses` of its configuration.
 */
export const answers = <T extends TSchema>(body: T) => ({ 200: body }) as const

/** As `answers`, of a body that is no JSON. */
export const answersAs = (type: string, body: TSchema) => ({
  200: { description: 'The table.', content: { [type]: { schema: body } } },
})

/** Of a route that reads the database where memory does not reach. */
export const READS_HISTORY = { refuses: ['HISTORY_UNAVAILABLE'] } as const

/** Of a route whose answer misleads when it is old. */
export const LIVE = { isLive: true } as const

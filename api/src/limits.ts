// Rate limits of REST requests, and the headers that announce them on every answer.
import type { FastifyRequest } from 'fastify'
import { type Consume, overLimit, PUBLIC_BUCKET, rateLimitText } from './rate-limit.ts'
import type { App } from './rest/route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Not counted and without headers: /ready and /health. Sections 4.1 and 8. */
    isUnlimited?: boolean
    /** What a request counts for; 1 by default. */
    weight?: number | ((query: Readonly<Record<string, unknown>>) => number)
  }
}

export type RateOptions = Readonly<{
  consume: Consume
  /** Value of the header RateLimit-Policy; undefined: there is no limit. */
  policy: string | undefined
}>

/** Counts every request before it is looked at, so that refused ones count too. */
export function limitRates(app: App, { consume, policy }: RateOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (policy === undefined || request.routeOptions.config.isUnlimited) return
    const verdict = await consume(PUBLIC_BUCKET, request.ip, weightOf(request))
    if (verdict === undefined) return
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', rateLimitText(PUBLIC_BUCKET, verdict))
    if (!verdict.allowed) throw overLimit(verdict)
  })
}

function weightOf({ routeOptions, query }: FastifyRequest): number {
  const { weight } = routeOptions.config
  if (typeof weight === 'function') return weight(query as Readonly<Record<string, unknown>>)
  return weight ?? 1
}

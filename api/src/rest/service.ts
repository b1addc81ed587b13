// GET /health, /ready, /version, /time. Interface 2.12 and 4.1.

import { Health, Readiness, ReadyQuery, Time, Version } from '@openvenue/wire/service'
import { answer, answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import type { BodySource, Host } from '../http/host-type.ts'
import { asked, checkReadiness, describeHealth, runCheck, type ServiceDeps } from './readiness.ts'
import { TAGS } from './route.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Checks the dependencies; cached for READY_CACHE_MS. */
    readiness: () => ReturnType<typeof checkReadiness>
  }
}

const OFF_CHAIN = { isOffChain: true } as const

export function serviceRoutes(host: Host, deps: ServiceDeps): void {
  const { clock, options, probes, settings } = deps
  const { nowMs, monotonicMs } = clock
  const tags = TAGS.service
  const config = { isUnlimited: true, isOffChain: true }
  const ready = asked(() => checkReadiness(deps), options.readyCacheMs, monotonicMs)
  host.decorate('readiness', ready)
  const redis = asked(() => runCheck(probes.redis), options.readyCacheMs, monotonicMs)
  host.get(
    '/health',
    { config, schema: { tags, summary: 'Liveness: always 200', response: { 200: Health } } },
    async (_request, reply) => answerOnce(reply, jsonBytes(describeHealth(await redis(), deps))),
  )
  const schema = {
    tags,
    summary:
      'Readiness: 200 when cache store, RPC and indexer all answer, else 503; 503 while it stops',
    querystring: ReadyQuery,
    response: { 200: Readiness, 503: Readiness },
  }
  host.get('/ready', { config, schema }, async (request, reply) => {
    const { readiness, canServe } = await ready()
    const { for: purpose } = request.query as ReadyQuery
    const isReady = purpose === 'traffic' ? canServe : readiness.status === 'ready'
    const status = isReady && !host.stopping.signal.aborted ? 'ready' : 'not_ready'
    const body = jsonBytes({ ...readiness, status })
    return answerOnce(reply.code(status === 'ready' ? 200 : 503), body)
  })
  const version = jsonBytes({
    version: options.version,
    node: process.version,
    environment: options.environment,
    trading: settings.trading,
  } satisfies Version)
  host.get(
    '/version',
    { config: OFF_CHAIN, schema: { tags, summary: 'Version', response: answers(Version) } },
    (request, reply) => answer(request, reply, { read: () => version }),
  )
  const time: BodySource = {
    isTimed: true,
    read: () => Buffer.from(`{"time":"${nowMs()}000000"}`),
  }
  host.get(
    '/time',
    {
      config: { ...OFF_CHAIN, isTimed: true },
      schema: { tags, summary: 'Server time', response: answers(Time) },
    },
    (request, reply) => answer(request, reply, time),
  )
}

// HTTP host of the indexer: readiness, a snapshot for comparisons with the chain, and metrics.
import { broadcastMetrics } from '@openvenue/store/broadcast/metrics'
import type { Store } from '@openvenue/store/store'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import type { Readiness } from './progress.ts'
import { snapshotReader } from './snapshot.ts'

/** Returns the host, not yet listening: `GET /ready`, `/snapshot`, `/metrics`. */
export function createHost({
  store,
  registry,
  readiness,
  log,
}: Readonly<{
  store: Pick<Store, 'reader' | 'broadcast'>
  registry: Registry
  readiness: () => Readiness
  log: FastifyBaseLogger
}>): FastifyInstance {
  const host = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  const readSnapshot = snapshotReader(store.reader)
  host.get('/ready', async (_request, reply) => {
    const report = readiness()
    return reply.code(report.status === 'ready' ? 200 : 503).send(report)
  })
  host.get('/snapshot', async (_request, reply) => {
    const snapshot = await readSnapshot()
    if (snapshot === undefined) return reply.code(503).send({ error: 'not_synced' })
    return reply.send(snapshot)
  })
  host.get('/metrics', async (_request, reply) =>
    reply
      .type(registry.contentType)
      .send(`${await registry.metrics()}${broadcastMetrics(store.broadcast)}`),
  )
  return host
}

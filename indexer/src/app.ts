// The indexer's own doors: readiness, a snapshot to compare with the chain, metrics.
import type { Reader } from '@openvenue/store/store'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import type { Readiness } from './progress.ts'
import { snapshotReader } from './snapshot.ts'

export type AppDeps = Readonly<{
  reader: Reader
  registry: Registry
  readiness: () => Readiness
  log: FastifyBaseLogger
}>

/** Returns the app, not yet listening: `GET /ready`, `/snapshot`, `/metrics`. */
export function createApp({ reader, registry, readiness, log }: AppDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  const readSnapshot = snapshotReader(reader)
  app.get('/ready', async (_request, reply) => {
    const report = readiness()
    return reply.code(report.status === 'ready' ? 200 : 503).send(report)
  })
  app.get('/snapshot', async (_request, reply) => {
    const snapshot = await readSnapshot()
    if (snapshot === undefined) return reply.code(503).send({ error: 'not_synced' })
    return reply.send(snapshot)
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  return app
}

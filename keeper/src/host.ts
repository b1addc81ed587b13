// Serves the keeper's own HTTP: is it alive, is it of use, and what it counts.
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Registry } from 'prom-client'

/**
 * `leading`: it sends, for the venue or for its users. `standby`: another process does, and this
 * one could take over. `starting`: it knows no block of the venue yet.
 */
export type Readiness = Readonly<{
  status: 'leading' | 'standby' | 'starting'
  address: string
  /** The newest block that it knows of. */
  block: number | undefined
  /** Whether it is the one that brings orders to the chain. */
  relays: boolean
  /** The block that the chain has to be read to before it may relay; absent: none. */
  awaitedBlock: number | undefined
}>

export type HostDeps = Readonly<{
  registry: Registry
  readiness: () => Readiness
  log: FastifyBaseLogger
}>

/** Returns the host, not yet listening: `GET /health`, `/ready`, `/metrics`. */
export function createHost({ registry, readiness, log }: HostDeps): FastifyInstance {
  const host = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  host.get('/health', async () => ({ status: 'ok', awaitedBlock: readiness().awaitedBlock }))
  host.get('/ready', async (_request, reply) => {
    const report = readiness()
    return reply.code(report.status === 'starting' ? 503 : 200).send(report)
  })
  host.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  return host
}

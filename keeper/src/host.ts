// Serves the keeper's HTTP endpoints: liveness, readiness and metrics.
import type { Broadcast } from '@openvenue/store/broadcast/broadcast'
import { broadcastMetrics } from '@openvenue/store/broadcast/metrics'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Registry } from 'prom-client'

/**
 * `leading`: it sends, for the venue or for its users. `standby`: another process sends, and this
 * one could take over. `starting`: it knows no block of the venue yet.
 */
export type Readiness = Readonly<{
  status: 'leading' | 'standby' | 'starting'
  address: string
  /** The newest block of the keeper's state. */
  block: number | undefined
  /** This process relays orders. */
  relays: boolean
  /** The block that the state must reach before this process may relay. Absent: none. */
  awaitedBlock: number | undefined
}>

/** Returns the host, not yet listening, with `GET /health`, `/ready` and `/metrics`. */
export function createHost({
  broadcast,
  registry,
  readiness,
  log,
}: Readonly<{
  broadcast?: Broadcast | undefined
  registry: Registry
  readiness: () => Readiness
  log: FastifyBaseLogger
}>): FastifyInstance {
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
    reply
      .type(registry.contentType)
      .send(`${await registry.metrics()}${broadcastMetrics(broadcast)}`),
  )
  return host
}

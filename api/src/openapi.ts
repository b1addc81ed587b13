// The description of the interface, generated from the schemas of the routes.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

/** Version of the interface; not that of a build, so that a release changes no document. */
const INTERFACE_VERSION = '1'

export const openApiOptions = (): FastifyDynamicSwaggerOptions => ({
  refResolver: { buildLocalReference: ({ $id }, _base, _fragment, i) => String($id ?? `def-${i}`) },
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'openvenue',
      description: 'Spot and perpetual order books on a chain: market data.',
      version: INTERFACE_VERSION,
    },
    tags: [
      { name: 'Service', description: 'Liveness, readiness, version and time.' },
      { name: 'Market data', description: 'Public; no authentication.' },
      { name: 'Candles and charting', description: 'Public; no authentication.' },
    ],
  },
})

// The description of the interface, generated from the schemas of the routes.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

export const openApiOptions = (version: string): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'openvenue',
      description: 'Spot and perpetual order books on a chain: market data.',
      version,
    },
    tags: [
      { name: 'Service', description: 'Liveness, readiness, version and time.' },
      { name: 'Market data', description: 'Public; no authentication.' },
      { name: 'Candles and charting', description: 'Public; no authentication.' },
    ],
  },
})

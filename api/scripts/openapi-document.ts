// The OpenAPI documents and the AsyncAPI document as text, as in `docs/` and as served.

import type { Host } from '../src/http/host-type.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import { createApiHost } from '../src/node/api-host.ts'
import { emptyIntegratedHost } from '../test/integrated-node.ts'
import { BROKEN_ACCOUNTS, BROKEN_READER } from '../test/scenario-node.ts'
import { asyncApiDocument } from './site/asyncapi-document.ts'

export const OPENAPI_FILE = new URL('../../docs/openapi.json', import.meta.url)
export const ASYNCAPI_FILE = new URL('../../docs/asyncapi.json', import.meta.url)
export const INTEGRATED_OPENAPI_FILE = new URL(
  '../../docs/openapi-integrated.json',
  import.meta.url,
)

/** Returns the document of a host that has no data. */
export async function documentText(): Promise<string> {
  const never = () => Promise.reject(new Error('a description needs no data'))
  const host = await createApiHost({
    model: new VenueModel(),
    reader: BROKEN_READER,
    accounts: BROKEN_ACCOUNTS,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    probes: { redis: never, rpc: never, indexer: never },
    options: { environment: '', version: '', marketsCacheMs: 0, readyCacheMs: 0 },
    rates: { consume: never, publicRate: undefined, proxyHops: 0 },
    corsOrigins: ['*'],
  })
  return hostDocument(host)
}

/** Returns the document of the second host. */
export const integratedDocumentText = async (): Promise<string> =>
  hostDocument(await emptyIntegratedHost())

/** Returns the description of the sockets. */
export const asyncApiText = (): string => `${linesOfJson(asyncApiDocument())}\n`

async function hostDocument(host: Host): Promise<string> {
  await host.ready()
  const text = `${linesOfJson(host.swagger())}\n`
  await host.close()
  return text
}

/**
 * Returns JSON with one entry per line down to `levels`, so that a changed schema is a changed
 * line.
 */
export function linesOfJson(value: unknown, levels = 2, indent = ''): string {
  if (levels < 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines = Object.entries(value).map(([name, entry]) => {
    const key = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `
    return `${indent} ${key}${linesOfJson(entry, levels - 1, `${indent} `)}`
  })
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

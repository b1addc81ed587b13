// The OpenAPI documents as text: what `docs/` holds and the hosts give.

import type { Host } from '../src/http/host-type.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import { createApiHost } from '../src/node/api-host.ts'
import { emptyIntegratedHost } from '../test/integrated-node.ts'
import { BROKEN_ACCOUNTS, BROKEN_READER } from '../test/scenario-node.ts'

export const OPENAPI_FILE = new URL('../../docs/openapi.json', import.meta.url)
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

async function hostDocument(host: Host): Promise<string> {
  await host.ready()
  const text = `${JSON.stringify(host.swagger(), null, 2)}\n`
  await host.close()
  return text
}

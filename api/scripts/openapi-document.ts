// The OpenAPI documents as text: what `docs/` holds and the servers give.

import type { App } from '../src/http/server.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import { createApp } from '../src/node/api-host.ts'
import { emptyIntegratedApp } from '../test/integrated-host.ts'
import { BROKEN_ACCOUNTS, BROKEN_READER } from '../test/scenario-host.ts'

export const OPENAPI_FILE = new URL('../../docs/openapi.json', import.meta.url)
export const INTEGRATED_OPENAPI_FILE = new URL(
  '../../docs/openapi-integrated.json',
  import.meta.url,
)

/** Returns the document of a server that has no data. */
export async function documentText(): Promise<string> {
  const never = () => Promise.reject(new Error('a description needs no data'))
  const app = await createApp({
    model: new VenueModel(),
    reader: BROKEN_READER,
    accounts: BROKEN_ACCOUNTS,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    probes: { redis: never, rpc: never, indexer: never },
    options: { environment: '', version: '', marketsCacheMs: 0, readyCacheMs: 0 },
    rates: { consume: never, publicRate: undefined, proxyHops: 0 },
    corsOrigins: ['*'],
  })
  return textOf(app)
}

/** Returns the document of the second host. */
export const integratedDocumentText = async (): Promise<string> =>
  textOf(await emptyIntegratedApp())

async function textOf(app: App): Promise<string> {
  await app.ready()
  const text = `${JSON.stringify(app.swagger(), null, 2)}\n`
  await app.close()
  return text
}

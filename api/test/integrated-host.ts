// The second host over a scenario: for tests. It follows the scenario's feed from its first block.
import type { VenueBlock } from '@openvenue/core/events'
import { createIntegratedApp, type IntegratedAppDeps } from '../src/integrated/integrated-host.ts'
import { TokenNames } from '../src/integrated/token-names.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import { Freshness, LAG_MAX } from '../src/node/freshness.ts'
import { type ScenarioHost, scenarioHost } from './scenario-host.ts'

export type IntegratedScenario = ScenarioHost & Readonly<{ names: TokenNames }>

const refuse = () => Promise.reject(new Error('nobody counts'))

/** Returns the second host of a node that has followed `blocks`. */
export async function integratedApp(
  blocks: readonly VenueBlock[],
  overrides: Partial<IntegratedAppDeps> = {},
): Promise<IntegratedScenario> {
  const scenario = await scenarioHost(blocks)
  const names = new TokenNames()
  const app = await createIntegratedApp({
    ...integratedDefaults(scenario.model, scenario.nowMs),
    names,
    ...overrides,
  })
  return {
    ...scenario,
    names,
    app,
    get: async (url) => {
      const { statusCode: status, body: text, headers } = await app.inject({ url })
      return { status, text, headers, body: text === '' ? undefined : JSON.parse(text) }
    },
    close: async () => {
      await app.close()
      await scenario.close()
    },
  }
}

/** What a host in a test stands on. */
export const integratedDefaults = (model: VenueModel, nowMs: () => number) => ({
  model,
  freshness: new Freshness({ model, clock: { nowMs, monotonicMs: nowMs }, lagMax: LAG_MAX }),
  clock: { nowMs, monotonicMs: nowMs },
  probes: {
    redis: async () => ({ ok: true }),
    rpc: async () => ({ ok: true, head: 1 }),
    indexer: async () => ({ ok: true, lag: 0 }),
  },
  options: { environment: 'test', version: '0.0.0', readyCacheMs: 0 },
  settings: { chainId: 5042002, newMarketsWindowSeconds: 30 * 24 * 3600 },
  rates: { consume: refuse, publicRate: undefined, proxyHops: 0 },
  corsOrigins: ['*'],
})

/** The host of a node that has no data, to be described. */
export const emptyIntegratedApp = () =>
  createIntegratedApp({
    ...integratedDefaults(new VenueModel(), () => 0),
    names: new TokenNames(),
  })

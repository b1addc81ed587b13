// The second host over a scenario: for tests. It follows the scenario's feed from its first block.
import type { VenueBlock } from '@openvenue/core/events'
import { createIntegratedHost, type IntegratedHostDeps } from '../src/integrated/host.ts'
import { TokenNames } from '../src/integrated/token-names.ts'
import { Freshness, LAG_MAX } from '../src/model/freshness.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import { type ScenarioNode, scenarioNode } from './scenario-node.ts'
import { witnessAnswers } from './witness.ts'

export type IntegratedScenarioNode = ScenarioNode & Readonly<{ names: TokenNames }>

const refuse = () => Promise.reject(new Error('nobody counts'))

/** Returns the second host of a node that has followed `blocks`. */
export async function integratedNode(
  blocks: readonly VenueBlock[],
  overrides: Partial<IntegratedHostDeps> = {},
): Promise<IntegratedScenarioNode> {
  const scenario = await scenarioNode(blocks)
  const names = new TokenNames()
  const host = await createIntegratedHost({
    ...integratedDefaults(scenario.model, scenario.nowMs),
    names,
    ...overrides,
  })
  witnessAnswers(host, () => scenario.model.head !== undefined)
  return {
    ...scenario,
    names,
    host,
    get: async (url) => {
      const { statusCode: status, body: text, headers } = await host.inject({ url })
      return { status, text, headers, body: text === '' ? undefined : JSON.parse(text) }
    },
    close: async () => {
      await host.close()
      await scenario.close()
    },
  }
}

/** Default dependencies of a host in tests. */
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
  settings: { chainId: 5042002, trading: 'live' as const, newMarketsWindowSeconds: 30 * 24 * 3600 },
  rates: { consume: refuse, publicRate: undefined, proxyHops: 0 },
  corsOrigins: ['*'],
})

/** The host of a node without data, to be described. */
export const emptyIntegratedHost = () =>
  createIntegratedHost({
    ...integratedDefaults(new VenueModel(), () => 0),
    names: new TokenNames(),
  })

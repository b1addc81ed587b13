// Puts an API node together from the environment and runs it until it is asked to stop.
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openCache } from '@openvenue/store/cache'
import { openStore } from '@openvenue/store/open'
import { pino } from 'pino'
import { rateBuckets } from '../http/limits.ts'
import { openStartingPort, type StartingPort } from '../http/starting-port.ts'
import type { Published } from '../rest/published.ts'
import { createAccountDeps } from './account-deps.ts'
import { type Config, parseConfig } from './config.ts'
import { processMetrics } from './metrics.ts'
import { type ApiNodeDeps, createApiNode } from './node.ts'
import { createProbes } from './probes.ts'
import { readPublished } from './published-deployment.ts'

/**
 * Runs a node until `stopped` resolves. Rejects with `ConfigInvalid`, which names the variable, or
 * when the node can no longer hold.
 */
export async function runNode(
  env: Readonly<Record<string, string | undefined>>,
  stopped: Promise<void>,
): Promise<void> {
  const config = parseConfig(env)
  const published = readPublished(config)
  const startingPort = await answerAtOnce(config, config.port)
  const store = await openStore(config)
  const cache = await openCache({ redisUrl: config.redisUrl, buckets: rateBuckets(config) })
  const api = await createApiNode({
    ...config,
    startingPort,
    reader: store.reader,
    accounts: createAccountDeps(store, withAccounts(config, published)),
    published,
    probes: createProbes({ ...config, pingCache: cache.ping }),
    rates: { ...config, consume: cache.consume },
    options: { ...config, version: packageVersion() },
    clock,
    processMetrics: processMetrics(),
    logger: pino({ level: config.logLevel }),
  })
  try {
    await api.start()
    await Promise.race([stopped, api.failed])
  } finally {
    await api.stop()
    await cache.close()
    await store.close()
  }
}

/** The contract of accounts is that of the deployment, unless a variable names another. */
function withAccounts(config: Config, { contracts }: Published): Config {
  const { settings } = config
  const accountsContract = settings.accountsContract ?? contracts.accounts
  return { ...config, settings: { ...settings, accountsContract } }
}

/** Lets `port` answer that this process starts, until its host is there. */
export const answerAtOnce = (config: Config, port: number): Promise<StartingPort> =>
  openStartingPort({
    ...config,
    port,
    version: packageVersion(),
    awaiting: () => 'reading the database',
  })

const clock: ApiNodeDeps['clock'] = {
  nowMs: Date.now,
  monotonicMs: () => performance.now(),
  delay: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
}

/** Returns the version of the build. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

// Puts a node of the second host together from the environment and runs it until it is asked to
// stop.
import { setTimeout } from 'node:timers/promises'
import { openCache } from '@openvenue/store/cache'
import { openStore } from '@openvenue/store/open'
import { pino } from 'pino'
import { rateBuckets } from '../http/limits.ts'
import { parseConfig } from '../node/config.ts'
import { processMetrics } from '../node/metrics.ts'
import { createProbes } from '../node/probes.ts'
import { answerAtOnce, packageVersion } from '../node/run.ts'
import { createIntegratedNode } from './node.ts'

/**
 * Runs a node until `stopped` resolves. Rejects with `ConfigInvalid`, which names the variable,
 * when a token list in a file is none, or when the node can no longer hold.
 */
export async function runIntegrated(
  env: Readonly<Record<string, string | undefined>>,
  stopped: Promise<void>,
): Promise<void> {
  const config = parseConfig(env)
  const startingPort = await answerAtOnce(config, config.integratedPort)
  const store = await openStore(config)
  const cache = await openCache({ redisUrl: config.redisUrl, buckets: rateBuckets(config) })
  const node = await createIntegratedNode({
    ...config,
    port: config.integratedPort,
    startingPort,
    reader: store.reader,
    settings: { ...config, chainId: config.settings.chainId },
    probes: createProbes({ ...config, pingCache: cache.ping }),
    rates: { ...config, publicRate: config.integratedRate, consume: cache.consume },
    options: { ...config, version: packageVersion() },
    clock,
    processMetrics: processMetrics(),
    logger: pino({ level: config.logLevel }),
  })
  try {
    await node.start()
    await Promise.race([stopped, node.failed])
  } finally {
    await node.stop()
    await cache.close()
    await store.close()
  }
}

const clock = {
  nowMs: Date.now,
  monotonicMs: () => performance.now(),
  delay: (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
}

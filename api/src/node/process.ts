// Opens the resources of an api process, and runs its node until it is stopped.
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openTracer, type Tracer } from '@openvenue/runtime/tracing'
import { type Cache, openCache } from '@openvenue/store/db/cache'
import { readStandbys } from '@openvenue/store/db/standbys'
import { openStore, openToRead } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { pino } from 'pino'
import { rateBuckets } from '../http/limits.ts'
import { openStartingPort } from '../http/starting-port.ts'
import type { NodeConfig } from './config.ts'
import { processMetrics } from './metrics.ts'
import { createProbes } from './probes.ts'

/** Serves a starting port at `port` until the host is ready, and opens the database. */
export async function openProcess(config: NodeConfig, port: number) {
  const version = packageVersion()
  const awaiting = () => 'reading the database'
  const { trading } = config.settings
  const startingPort = await openStartingPort({ ...config, port, version, trading, awaiting })
  const logger = pino({ level: config.logLevel })
  const { edge } = config.settings
  const options = { ...config, log: logger }
  const store = await (edge === undefined ? openStore(options) : openToRead(options))
  const { redisUrl } = config
  const cache = await openCache({ redisUrl, buckets: rateBuckets(config), log: logger })
  const deps = {
    ...config,
    port,
    startingPort,
    reader: store.reader,
    probes: createProbes({ ...config, pingCache: cache.ping }),
    rates: { ...config, consume: cache.consume },
    options: { ...config, version },
    clock,
    processMetrics: processMetrics({ ...store, cache, standbys: () => readStandbys(store.db) }),
    logger,
    tracer: await openTracer({ url: config.tracesUrl, service: 'openvenue-api', log: logger }),
  }
  return { store, cache, deps }
}

type NodeProcess = Readonly<{
  start(): Promise<unknown>
  stop(): Promise<void>
  /** Rejects when the node cannot go on. */
  failed: Promise<never>
}>

/** Runs `node` until `stopped` resolves or it fails, then closes everything that was opened. */
export async function runUntil(
  stopped: Promise<void>,
  node: NodeProcess,
  {
    store,
    cache,
    deps,
  }: Readonly<{ store: Store; cache: Cache; deps: Readonly<{ tracer: Tracer }> }>,
): Promise<void> {
  try {
    await node.start()
    await Promise.race([stopped, node.failed])
  } finally {
    await node.stop()
    await deps.tracer.close()
    await cache.close()
    await store.close()
  }
}

const clock = {
  nowMs: Date.now,
  monotonicMs: () => performance.now(),
  delay: (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
}

/** Returns the version of the build. */
function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

// An API node as a process of its own: node src/main.ts
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openCache } from '@openvenue/store/cache'
import { openStore } from '@openvenue/store/open'
import { pino } from 'pino'
import { createApi } from './api.ts'
import { ConfigInvalid, parseConfig } from './config.ts'
import { PUBLIC_BUCKET } from './limits.ts'
import { probesOf } from './probes.ts'

async function main(): Promise<void> {
  const config = parseConfig(process.env)
  const store = await openStore(config)
  const buckets = { [PUBLIC_BUCKET]: config.publicRate ?? UNUSED }
  const cache = await openCache({ redisUrl: config.redisUrl, buckets })
  const api = await createApi({
    ...config,
    reader: store.reader,
    probes: probesOf({ ...config, pingCache: cache.ping }),
    rates: { ...config, consume: cache.consume },
    options: { ...config, version: packageVersion() },
    clock,
    logger: pino({ level: config.logLevel }),
  })
  try {
    await api.start()
    await Promise.race([stopped(), api.failed])
  } finally {
    await api.stop()
    await cache.close()
    await store.close()
  }
}

/** A bucket that no request is counted in. */
const UNUSED = { points: 1, seconds: 1 }

const clock: Parameters<typeof createApi>[0]['clock'] = {
  nowMs: Date.now,
  delay: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
}

const stopped = () =>
  new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve())
  })

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

main().catch((error: unknown) => {
  // A mistake in the configuration needs its sentence, not a stack.
  const text = error instanceof ConfigInvalid ? error.message : String((error as Error)?.stack)
  process.stderr.write(`${text}\n`)
  process.exit(1)
})

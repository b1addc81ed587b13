// Runs the keeper as a process of its own: npm run keeper
import { setTimeout as sleep } from 'node:timers/promises'
import { ACCEPT_QUEUE } from '@openvenue/runtime/accept-queue'
import { checkConfig, readOptions } from '@openvenue/runtime/check-config'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { watchService } from '@openvenue/runtime/watchdog'
import { openStore } from '@openvenue/store/open'
import { pino } from 'pino'
import type { Clock } from './clock.ts'
import { parseConfig } from './config.ts'
import { readDeployment } from './deployment.ts'
import { pricesAt } from './http-prices.ts'
import { createKeeper, WrongChain } from './keeper.ts'

const clock: Clock = {
  nowMs: Date.now,
  monotonicMs: () => performance.now(),
  delay: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
}

async function main(): Promise<void> {
  const { isCheck, env } = readOptions(process.argv.slice(2), process.env)
  if (isCheck) return void process.stdout.write(checkConfig(parseConfig, env))
  const config = parseConfig(env)
  const { priceUrl, host, port } = config
  const deployment = readDeployment(config.deploymentFile, config.chainId)
  const log = pino({ level: config.logLevel })
  const store = await openStore({ ...config, log }).catch((cause: unknown) => {
    if (cause instanceof ConfigInvalid) throw cause
    const words = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigInvalid(`DATABASE_URL cannot be opened: ${words}`, { cause })
  })
  const keeper = createKeeper({
    store,
    deployment,
    chainId: config.chainId,
    rpcUrls: config.rpcUrls,
    key: config.key,
    settings: config,
    priceSource: priceUrl === undefined ? undefined : pricesAt(priceUrl, clock.nowMs),
    clock,
    log,
  })
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void keeper.stop())
  await keeper.host.listen({ host, port, backlog: ACCEPT_QUEUE })
  void watchService(process.env, { host, port, path: '/health' })
  keeper.start()
  try {
    await keeper.ended
  } finally {
    await keeper.host.close()
    await store.close()
  }
}

main().catch((error: unknown) => {
  // A configuration error needs its message, not a stack trace.
  const isMistake = error instanceof ConfigInvalid || error instanceof WrongChain
  const text = isMistake ? error.message : String((error as Error)?.stack)
  process.stderr.write(`${text}\n`)
  process.exit(1)
})

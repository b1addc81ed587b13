// The standalone indexer process: node src/main.ts

import { ACCEPT_QUEUE } from '@openvenue/runtime/accept-queue'
import { checkConfig, readOptions } from '@openvenue/runtime/check-config'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { watchService } from '@openvenue/runtime/watchdog'
import { databaseDir } from '@openvenue/store/db/pglite'
import { openStore } from '@openvenue/store/open'
import { pino } from 'pino'
import { parseConfig, readDeployment, withFactories } from './config.ts'
import { createIndexer } from './indexer.ts'

async function main(): Promise<void> {
  const { isCheck, env } = readOptions(process.argv.slice(2), process.env)
  if (isCheck) return void process.stdout.write(checkConfig(parseConfig, env))
  const config = parseConfig(env)
  const deployment = withFactories(readDeployment(config.deploymentFile, config.chainId), config)
  const { dataDir, host, port } = config
  const log = pino({ level: config.logLevel })
  const store = await openStore({ ...config, dataDir: databaseDir(dataDir), log })
  const indexer = createIndexer({ ...config, store, deployment, log })
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void indexer.stop())
  await indexer.host.listen({ host, port, backlog: ACCEPT_QUEUE })
  void watchService(process.env, { host, port, path: '/ready', progress: 'synced' })
  indexer.start()
  try {
    await indexer.ended
  } finally {
    await indexer.host.close()
    await store.close()
  }
}

main().catch((error: unknown) => {
  // A configuration error is printed without a stack trace.
  const text = error instanceof ConfigInvalid ? error.message : String((error as Error)?.stack)
  process.stderr.write(`${text}\n`)
  process.exit(1)
})

// The indexer as a process of its own: node src/main.ts

import { ConfigInvalid } from '@openvenue/store/environment'
import { openStore } from '@openvenue/store/open'
import { databaseDir } from '@openvenue/store/pglite'
import { watchService } from '@openvenue/store/service-watch'
import { pino } from 'pino'
import { parseConfig, readDeployment, withFactories } from './config.ts'
import { createIndexer } from './indexer.ts'

async function main(): Promise<void> {
  const config = parseConfig(process.env)
  const deployment = withFactories(readDeployment(config.deploymentFile, config.chainId), config)
  const { dataDir, host, port } = config
  const log = pino({ level: config.logLevel })
  const store = await openStore({ ...config, dataDir: databaseDir(dataDir) })
  const indexer = createIndexer({ ...config, store, deployment, log })
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void indexer.stop())
  await indexer.host.listen({ host, port })
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
  // A mistake in the configuration needs its sentence, not a stack.
  const text = error instanceof ConfigInvalid ? error.message : String((error as Error)?.stack)
  process.stderr.write(`${text}\n`)
  process.exit(1)
})

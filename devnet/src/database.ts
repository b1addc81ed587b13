// Opens the devnet's database. A new embedded one is made first, in a thread of its own: that takes
// three seconds, in which the chain can be made beside it.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StoreConfig } from '@openvenue/store/environment'
import type { Store } from '@openvenue/store/store'
import { StartStopped, type Startup } from './startup.ts'

/**
 * Opens the store that `config` names; makes it when there is none, unless somebody asks to stop.
 */
export async function openDatabase(config: StoreConfig, { signal }: Startup): Promise<Store> {
  const dataDir = join(config.dataDir, 'db')
  if (config.databaseUrl === undefined && !existsSync(dataDir)) await makeDatabase(dataDir, signal)
  const { databaseUrl, databaseReadUrl, intentsKeptMs } = config
  const { openStore } = await import('@openvenue/store/open')
  return openStore({ databaseUrl, databaseReadUrl, dataDir, intentsKeptMs })
}

/** Makes it aside: a start that is killed leaves a whole database or none. */
async function makeDatabase(dataDir: string, signal?: AbortSignal): Promise<void> {
  const aside = `${dataDir}.new`
  rmSync(aside, { recursive: true, force: true })
  await madeIn(aside, signal)
  renameSync(aside, dataDir)
}

function madeIn(dataDir: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./make-database.ts', import.meta.url), {
      workerData: dataDir,
    })
    signal?.addEventListener('abort', () => void worker.terminate(), { once: true })
    worker.once('error', reject)
    worker.once('exit', (code) => {
      if (code === 0) resolve()
      else if (signal?.aborted === true) reject(new StartStopped())
      else reject(new Error(`making the database in ${dataDir} ended with code ${code}`))
    })
  })
}

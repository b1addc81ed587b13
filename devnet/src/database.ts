// Opens the devnet's database. A new embedded one is first created in a thread, which takes three
// seconds, while the chain starts.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StoreConfig } from '@openvenue/store/config'
import type { Store } from '@openvenue/store/store'
import { StartStopped, type Startup } from './startup.ts'

/** Opens the store of `config`; creates it if there is none, unless a stop was requested. */
export async function openDatabase(config: StoreConfig, { signal }: Startup): Promise<Store> {
  const dataDir = join(config.dataDir, 'db')
  if (config.databaseUrl === undefined && !existsSync(dataDir)) await makeDatabase(dataDir, signal)
  const { databaseUrl, databaseReadUrl, intentsKeptMs, feedUrl } = config
  const { openStore } = await import('@openvenue/store/open')
  return openStore({ databaseUrl, databaseReadUrl, dataDir, intentsKeptMs, feedUrl })
}

/** Creates it in a temporary folder, so that a killed start leaves a whole database or none. */
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
      else reject(new Error(`cannot create the database in ${dataDir}: exit code ${code}`))
    })
  })
}

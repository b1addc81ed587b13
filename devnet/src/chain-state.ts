// Keeps the chain's state on disk: written whole, and loaded without what anvil never lets go of.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ChainRpc } from './rpc.ts'

export const chainStatePath = (dataDir: string) => join(dataDir, 'chain.state')

/** Writes the whole state aside first: a crash leaves the old file or the new one, never half. */
export async function saveState(rpc: ChainRpc, path: string): Promise<void> {
  const state = String(await rpc.call('anvil_dumpState'))
  writeFileSync(`${path}.next`, Buffer.from(state.slice(2), 'hex'), { flush: true })
  renameSync(`${path}.next`, path)
}

/** Loads what `saveState` wrote, compacted. Returns whether there was something to load. */
export async function loadState(rpc: ChainRpc, path: string): Promise<boolean> {
  if (!existsSync(path)) return false
  const state = await compacted(readFileSync(path))
  const isLoaded = await rpc.call('anvil_loadState', `0x${state.toString('hex')}`)
  if (isLoaded !== true) throw new Error(`the chain's state in ${path} does not load`)
  return true
}

/** In a thread of its own: the state unfolds to a hundred megabytes, which end with the thread. */
function compacted(state: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./compact-state.ts', import.meta.url), {
      workerData: state,
    })
    worker.once('message', (compact: Uint8Array) => resolve(Buffer.from(compact)))
    worker.once('error', reject)
  })
}

// Keeps the chain's state on disk: written whole, and read without what anvil never lets go of.
import { once } from 'node:events'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CompactedFiles } from './compact-state.ts'
import type { ChainRpc } from './rpc.ts'

export const chainStatePath = (dataDir: string) => join(dataDir, 'chain.state')

/** Writes the whole state aside first: a crash leaves the old file or the new one, never half. */
export async function saveState(rpc: ChainRpc, path: string): Promise<void> {
  const state = String(await rpc.call('anvil_dumpState'))
  writeFileSync(`${path}.next`, Buffer.from(state.slice(2), 'hex'), { flush: true })
  renameSync(`${path}.next`, path)
}

/**
 * Writes what `saveState` wrote once more, compacted and as anvil reads it when it starts, and
 * returns where; undefined when nothing was saved. In a thread of its own: the state unfolds to a
 * hundred megabytes, which end with the thread.
 */
export async function compactSaved(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined
  const to = `${path}.json`
  const worker = new Worker(new URL('./compact-state.ts', import.meta.url), {
    workerData: { from: path, to } satisfies CompactedFiles,
  })
  await once(worker, 'exit')
  return to
}

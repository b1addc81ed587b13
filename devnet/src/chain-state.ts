// Stores the chain's state on disk: the newest save and the previous one, both verified.
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import type { AnvilAddress } from './anvil-mark.ts'
import type { StateFiles, StateReport } from './read-state.ts'
import { readInstance, rpcAt } from './rpc.ts'

export const chainStatePath = (dataDir: string) => join(dataDir, 'chain.state')

/** Previous content of `path`. */
const previousPath = (path: string) => `${path}.previous`
const nextPath = (path: string) => `${path}.next`

/** Returns whether a chain was saved at `path`. */
export const isSaved = (path: string) => existsSync(path) || existsSync(previousPath(path))

type MiningPause = Readonly<{
  /** Runs `work` while no block is mined. */
  between: (work: () => Promise<void>) => Promise<void>
  /** Mines a block, within `between`. */
  mine: () => Promise<void>
}>

/**
 * Saves the state of `anvil` at `path` once it is verified to be that of its newest block; the old
 * file becomes the previous one. Throws and keeps both files when verification fails, or when
 * another program answers in place of `anvil`.
 */
export async function saveState(
  anvil: AnvilAddress,
  path: string,
  turn: MiningPause,
): Promise<void> {
  const next = nextPath(path)
  try {
    await turn.between(() => dumpState(anvil, next))
    if ((await findFault({ from: next })) !== undefined) {
      // Zeros were dropped since the newest block, a state was set manually, or another client
      // mined a block. The next block commits to everything.
      await turn.between(async () => {
        await turn.mine()
        await dumpState(anvil, next)
      })
      const fault = await findFault({ from: next })
      if (fault !== undefined) throw new Error(`the state of the chain is not saved: ${fault}`)
    }
    keepPrevious(path)
    renameSync(next, path)
  } finally {
    rmSync(next, { force: true })
  }
}

async function dumpState(anvil: AnvilAddress, to: string): Promise<void> {
  await requireInstance(anvil)
  const state = String(await rpcAt(anvil.url).call('anvil_dumpState'))
  await requireInstance(anvil)
  writeFileSync(to, Buffer.from(state.slice(2), 'hex'), { flush: true })
}

/** Another venue may have taken the port of an ended anvil. */
async function requireInstance({ url, instance }: AnvilAddress): Promise<void> {
  const answered = await readInstance(url)
  if (answered === instance) return
  const holder = answered === undefined ? 'nothing' : 'the chain of another venue'
  throw new Error(`the state of the chain is not saved: ${holder} answers at ${url}`)
}

/** There is a file at `path` at any moment, unless there was none. */
function keepPrevious(path: string): void {
  if (!existsSync(path)) return
  const aside = `${previousPath(path)}.next`
  rmSync(aside, { force: true })
  try {
    linkSync(path, aside)
  } catch {
    // Some file systems have no links.
    copyFileSync(path, aside)
  }
  renameSync(aside, previousPath(path))
}

/**
 * Writes the saved state of `path` compacted and in anvil's format, and returns its path; undefined
 * when there is none. Uses the previous state when the newest cannot be read, and reports it to
 * `warn`; throws `ConfigInvalid` when neither can.
 */
export async function unpackSaved(
  path: string,
  warn: (text: string) => void,
): Promise<string | undefined> {
  const faults: string[] = []
  const to = `${path}.json`
  for (const from of [path, previousPath(path)]) {
    if (!existsSync(from)) continue
    const fault = await findFault({ from, to })
    if (fault === undefined) {
      if (faults.length > 0) {
        warn(`${faults.join('; ')}: starting from ${from}`)
        // Otherwise it would become the previous one at the next save.
        renameSync(path, `${path}.unreadable`)
      }
      return to
    }
    faults.push(`${from} cannot be read (${fault})`)
  }
  if (faults.length === 0) return undefined
  throw new ConfigInvalid(
    `the chain was not started: ${faults.join('; ')}. Put a copy of chain.state there, or delete the directory to start over`,
  )
}

/** Sets the saved state of `path` aside, so that the next start creates a new chain. */
export function setSavedAside(path: string): void {
  for (const from of [previousPath(path), path])
    if (existsSync(from)) renameSync(from, `${path}.set-aside`)
}

/**
 * Returns the fault of a saved state. Runs in a thread: the state takes a hundred megabytes, which
 * are freed with it.
 */
const findFault = (files: StateFiles) =>
  new Promise<string | undefined>((resolve) => {
    const worker = new Worker(new URL('./read-state.ts', import.meta.url), { workerData: files })
    worker.once('message', ({ fault }: StateReport) => resolve(fault))
    worker.once('error', (error) => resolve(String(error)))
    worker.once('exit', () => resolve('its reader ended early'))
  })

// Verifies a saved state in a thread, and optionally writes it compacted.
import { readFileSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { compactState, type DumpedState } from './compact-state.ts'
import { type DumpedAccount, stateRoot } from './state-root.ts'

/** The saved state, and the path of the compacted one; absent: none. */
export type StateFiles = Readonly<{ from: string; to?: string }>

/** Fault of a state; absent: none. */
export type StateReport = Readonly<{ fault?: string }>

/** The part of anvil's dump that its newest block commits to, and the block's data. */
export type CommittedState = Readonly<{
  best_block_number: number
  accounts: Readonly<Record<string, DumpedAccount>>
  blocks: readonly Readonly<{ header: Readonly<{ number: string; stateRoot: string }> }>[]
}>

/**
 * Returns the fault of a dumped state: anvil reads state and blocks one after the other, so that a
 * block mined meanwhile may be in only one of them.
 */
export function findStateFault(state: CommittedState): string | undefined {
  const best = state.best_block_number
  const roots = state.blocks
    .filter(({ header }) => Number(header.number) === best)
    .map(({ header }) => header.stateRoot)
  if (roots.length === 0) return `it does not have its newest block, ${best}`
  if (roots.includes(stateRoot(state.accounts))) return undefined
  return `its storage is not that of its newest block, ${best}`
}

function readState({ from, to }: StateFiles): string | undefined {
  const state = JSON.parse(gunzipSync(readFileSync(from)).toString()) as DumpedState &
    CommittedState
  const fault = findStateFault(state)
  if (fault !== undefined || to === undefined) return fault
  compactState(state)
  writeFileSync(to, JSON.stringify(state))
  return undefined
}

function describeFailure(files: StateFiles): string | undefined {
  try {
    return readState(files)
  } catch (error) {
    return (error as Error).message
  }
}

const report = (files: StateFiles): StateReport => {
  const fault = describeFailure(files)
  return fault === undefined ? {} : { fault }
}

parentPort?.postMessage(report(workerData as StateFiles))

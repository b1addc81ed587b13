// Reads a saved state as a thread of its own: verifies it, and writes it compacted where asked to.
import { readFileSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { compactState, type DumpedState } from './compact-state.ts'
import { type DumpedAccount, stateRoot } from './state-root.ts'

/** The state as it was saved, and where to write it compacted; absent: nowhere. */
export type StateFiles = Readonly<{ from: string; to?: string }>

/** What is wrong with a state; absent: nothing. */
export type StateReport = Readonly<{ fault?: string }>

/** The part of anvil's dump that its newest block commits to, and what that block says of it. */
export type CommittedState = Readonly<{
  best_block_number: number
  accounts: Readonly<Record<string, DumpedAccount>>
  blocks: readonly Readonly<{ header: Readonly<{ number: string; stateRoot: string }> }>[]
}>

/**
 * Returns what is wrong with a dumped state: anvil reads state and blocks one after the other, so a
 * block that is made meanwhile may be in the one and not in the other.
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

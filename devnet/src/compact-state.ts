// Leaves out of a dumped state what anvil would carry along for ever. It computes the state root of
// every block over all storage it has ever seen, zeros included, and each order leaves a zero.
import { readFileSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { TRANSACTION_BLOCKS_KEPT } from './anvil.ts'

/** The part of anvil's dump that changes; the rest is handed through. */
type DumpedState = {
  best_block_number: number
  accounts: Record<string, { storage: Record<string, string> }>
  blocks: { header: { number: string } }[]
  transactions: { info: { traces: unknown[] } }[]
}

const ZERO = /^0x0*$/

/**
 * Drops storage that is zero, blocks that have lost their transactions already, and the recorded
 * steps of transactions. Changes `state`.
 */
export function compactState(state: DumpedState): void {
  for (const account of Object.values(state.accounts)) {
    account.storage = Object.fromEntries(
      Object.entries(account.storage).filter(([, value]) => !ZERO.test(value)),
    )
  }
  const oldest = state.best_block_number - TRANSACTION_BLOCKS_KEPT
  state.blocks = state.blocks.filter(({ header }) => Number(header.number) > oldest)
  for (const { info } of state.transactions) info.traces = []
}

/** The state as it was saved, and where to write it compacted. */
export type CompactedFiles = Readonly<{ from: string; to: string }>

if (parentPort !== null) {
  const { from, to } = workerData as CompactedFiles
  const state = JSON.parse(gunzipSync(readFileSync(from)).toString()) as DumpedState
  compactState(state)
  writeFileSync(to, JSON.stringify(state))
}

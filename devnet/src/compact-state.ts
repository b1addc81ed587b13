// Leaves out of a dumped state what anvil would carry along for ever. It computes the state root of
// every block over all storage it has ever seen, zeros included, and each order leaves a zero.

/** Blocks that keep their transactions and logs, an hour of them. Headers are kept for ever. */
export const TRANSACTION_BLOCKS_KEPT = 5_000

/** The part of anvil's dump that changes; the rest is handed through. */
export type DumpedState = {
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

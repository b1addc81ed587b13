// Drops data from a dumped state that anvil would otherwise keep forever. It computes each block's
// state root over all storage ever used, including zeros, and each order leaves a zero.

/** Number of blocks with transactions and logs, about an hour. Headers are kept forever. */
export const TRANSACTION_BLOCKS_KEPT = 5_000

/** The part of anvil's dump that changes; the rest is passed on. */
export type DumpedState = {
  best_block_number: number
  accounts: Record<string, { storage: Record<string, string> }>
  blocks: { header: { number: string } }[]
  transactions: { info: { traces: unknown[] } }[]
}

const ZERO = /^0x0*$/

/**
 * Drops storage that is zero, blocks without transactions, and the recorded steps of transactions.
 * Changes `state`.
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

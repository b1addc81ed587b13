// Delays a relayer's turn until the indexer has reached the block of a restored backup, or its last
// block before a change of contracts. Until then, included intents are missing in the database as
// if undone, and would be sent again.

import type { RpcNode } from '@openvenue/runtime/node'
import type { Intents } from '@openvenue/store/intents/intents'
import type { Logger } from 'pino'
import { readHead } from '../chain-snapshot.ts'
import type { Clock } from '../clock.ts'
import type { VenueView } from '../venue-view.ts'

type RestoreWaitOptions = Readonly<{
  intents: Pick<Intents, 'awaitedBlock'>
  view: Pick<VenueView, 'state'>
  node: RpcNode
  clock: Clock
  /** Called at each check with the awaited block. */
  onAwaited: (block: number | undefined) => void
  log: Pick<Logger, 'info' | 'warn'>
}>

/** Interval of the progress log line. */
const SAID_EVERY_MS = 60_000

/** Returns a check that resolves to true when no block is awaited. */
export function createRestoreWait(deps: RestoreWaitOptions): () => Promise<boolean> {
  const { intents, clock, onAwaited } = deps
  const { monotonicMs = clock.nowMs } = clock
  let said: Readonly<{ block: number; atMs: number }> | undefined
  return async () => {
    const block = await intents.awaitedBlock()
    onAwaited(block)
    const atMs = monotonicMs()
    if (block === undefined) said = undefined
    else if (said?.block !== block || atMs - said.atMs >= SAID_EVERY_MS) {
      said = { block, atMs }
      // Not awaited, since a node may hang.
      void say(deps, block)
    }
    return block === undefined
  }
}

/** A chain that ends before the block may never reach it: an operator must decide. */
async function say({ node, view, log }: RestoreWaitOptions, block: number): Promise<void> {
  // A node that fails or gives an invalid answer leaves the chain head unknown.
  const chain = await readHead(node).catch(() => undefined)
  const facts = { block, readTo: view.state.head?.number ?? -1, chain: chain?.number }
  if (chain !== undefined && chain.number < block)
    log.warn(
      facts,
      'restored: the chain ends before this block: the node lags, or the chain is another one (RUNBOOK, NoLeaseHolder)',
    )
  else log.info(facts, 'restored: waiting until the indexer has read the chain to this block')
}

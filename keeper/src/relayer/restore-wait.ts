// Keeps a relayer from its turn until the chain was read to the block of a backup that was
// restored, or to where it was read before the contracts changed: until then all that is included
// is missing in the database, as if it had been undone, and would be sent again.
import type { Intents } from '@openvenue/store/intents'
import type { Logger } from 'pino'
import { readHead } from '../chain-look.ts'
import type { Clock } from '../clock.ts'
import type { Node } from '../node.ts'
import type { VenueView } from '../venue-view.ts'

type RestoreWaitDeps = Readonly<{
  intents: Pick<Intents, 'awaitedBlock'>
  view: Pick<VenueView, 'state'>
  node: Node
  clock: Clock
  /** Hears each time which block is waited for. */
  onAwaited: (block: number | undefined) => void
  log: Pick<Logger, 'info' | 'warn'>
}>

/** How far it is is said this often. */
const SAID_EVERY_MS = 60_000

/** Returns what says whether nothing is waited for. */
export function createRestoreWait(deps: RestoreWaitDeps): () => Promise<boolean> {
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
      // Nobody waits for a node that hangs.
      void say(deps, block)
    }
    return block === undefined
  }
}

/** A chain that ends before the block may never have it: then somebody has to decide. */
async function say({ node, view, log }: RestoreWaitDeps, block: number): Promise<void> {
  // A node that is away, or says what no node says, leaves the chain's end unknown.
  const chain = await readHead(node).catch(() => undefined)
  const facts = { block, readTo: view.state.head?.number ?? -1, chain: chain?.number }
  if (chain !== undefined && chain.number < block)
    log.warn(
      facts,
      'restored: the chain ends before this block: the node lags, or the chain is another one (RUNBOOK, NoLeaseHolder)',
    )
  else log.info(facts, 'restored: waiting until the indexer has read the chain to this block')
}

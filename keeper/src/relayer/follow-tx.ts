// Follows a transaction until what it did stands in the feed, or until nobody knows it any more.
import type { Clock } from '../clock.ts'
import type { Node } from '../node.ts'
import type { VenueView } from '../venue-view.ts'
import type { Tracked } from './intent-queue.ts'
import type { Outcomes } from './outcomes.ts'
import { type BatchReceipt, readReceipt } from './receipts.ts'

/** A transaction and the intents that it carries. `words`: why it reverted. */
export type Followed = Readonly<{
  batch: readonly Tracked[]
  hash: string
  words?: string | undefined
  signal: AbortSignal
}>

const LOOK_MS = 250
/** A node behind a balancer may not know yet what another one does. */
const ABSENT_LOOKS = 4

type FollowDeps = Readonly<{
  node: Node
  view: VenueView
  outcomes: Outcomes
  clock: Clock
  onFailure: (error: unknown) => void
}>

/** Returns what follows a transaction; it never rejects. */
export const createFollowTx =
  (deps: FollowDeps) =>
  async (followed: Followed): Promise<void> => {
    const { batch, words, signal } = followed
    const receipt = await untilKnown(deps, followed)
    if (signal.aborted) return
    if (receipt === undefined) await deps.outcomes.requeue(batch)
    else await deps.outcomes.decide(batch, receipt, words)
  }

/** Returns the receipt once the feed has its block; undefined where the transaction is gone. */
async function untilKnown(
  { node, view, clock, onFailure }: FollowDeps,
  { hash, signal }: Followed,
): Promise<BatchReceipt | undefined> {
  let absent = 0
  while (!signal.aborted && absent < ABSENT_LOOKS) {
    try {
      const receipt = await readReceipt(node, hash)
      if (receipt !== undefined && (view.state.head?.number ?? 0) >= receipt.blockNumber)
        return receipt
      const isKnown =
        receipt !== undefined || (await node.call('eth_getTransactionByHash', hash)) !== null
      absent = isKnown ? 0 : absent + 1
      if (receipt !== undefined) await untilHead(view, clock, signal)
      else await clock.delay(LOOK_MS, signal)
    } catch (error) {
      onFailure(error)
      await clock.delay(LOOK_MS, signal)
    }
  }
  return undefined
}

/** Returns when the state has changed, or after a while. */
async function untilHead(view: VenueView, clock: Clock, signal: AbortSignal): Promise<void> {
  const changed = new AbortController()
  const stop = view.onChange(() => changed.abort())
  await clock.delay(LOOK_MS, AbortSignal.any([changed.signal, signal]))
  stop()
}

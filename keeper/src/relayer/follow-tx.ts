// Follows a transaction until its effects are in the feed, or no node knows it any more.

import type { RpcNode } from '@openvenue/runtime/node'
import type { Outage } from '@openvenue/runtime/outage'
import type { Clock } from '../clock.ts'
import type { VenueView } from '../venue-view.ts'
import type { TrackedIntent } from './intent-queue.ts'
import type { Outcomes } from './outcomes.ts'
import { type BatchReceipt, readReceipt } from './receipts.ts'

/** A transaction and the intents that it carries. `words`: its revert reason. */
export type FollowedTx = Readonly<{
  batch: readonly TrackedIntent[]
  hash: string
  words?: string | undefined
  signal: AbortSignal
}>

const LOOK_MS = 250
/** Polls without a result before a transaction counts as gone: a node behind a balancer may lag. */
const ABSENT_LOOKS = 4

type TxFollowContext = Readonly<{
  node: RpcNode
  view: VenueView
  outcomes: Outcomes
  clock: Clock
  /** Outage of the node. */
  outage: Pick<Outage, 'failed' | 'recovered'>
}>

/** Returns the function that follows a transaction; it never rejects. */
export const createFollowTx =
  (deps: TxFollowContext) =>
  async (followed: FollowedTx): Promise<void> => {
    const { batch, words, signal } = followed
    const receipt = await untilKnown(deps, followed)
    if (signal.aborted) return
    if (receipt === undefined) await deps.outcomes.requeue(batch)
    else await deps.outcomes.decide(batch, receipt, words)
  }

/** Returns the receipt once the feed has its block; undefined when the transaction is gone. */
async function untilKnown(
  { node, view, clock, outage }: TxFollowContext,
  { hash, signal }: FollowedTx,
): Promise<BatchReceipt | undefined> {
  let absent = 0
  while (!signal.aborted && absent < ABSENT_LOOKS) {
    try {
      const receipt = await readReceipt(node, hash)
      outage.recovered()
      if (receipt !== undefined && (view.state.head?.number ?? 0) >= receipt.blockNumber)
        return receipt
      const isKnown =
        receipt !== undefined || (await node.call('eth_getTransactionByHash', hash)) !== null
      absent = isKnown ? 0 : absent + 1
      if (receipt !== undefined) await untilHead(view, clock, signal)
      else await clock.delay(LOOK_MS, signal)
    } catch (error) {
      if (!signal.aborted) outage.failed(error)
      await clock.delay(LOOK_MS, signal)
    }
  }
  return undefined
}

/** Resolves when the state has changed, or after a while. */
async function untilHead(view: VenueView, clock: Clock, signal: AbortSignal): Promise<void> {
  const changed = new AbortController()
  const stop = view.onChange(() => changed.abort())
  await clock.delay(LOOK_MS, AbortSignal.any([changed.signal, signal]))
  stop()
}

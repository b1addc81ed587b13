// Reconciles intents with the feed: orders placed on chain, undone blocks and expired deadlines.
import type { Change } from '@openvenue/core/changes'
import type { Intent, Intents } from '@openvenue/store/intents/intents'
import type { Clock } from '../clock.ts'
import type { VenueView } from '../venue-view.ts'
import { targetsOf } from './calls.ts'
import type { IntentQueue } from './intent-queue.ts'
import { type IntentStep, type Outcomes, UNDONE_BLOCKS } from './outcomes.ts'

/**
 * At the start, inclusions in this many recent blocks are compared with the chain: a reorg may have
 * undone them.
 */
const COMPARED_BLOCKS = 64
/** Intents given up within this time are compared, too: the chain may have placed them since. */
const COMPARED_MS = 600_000n
const NS_PER_MS = 1_000_000n

type ReconcilerDeps = Readonly<{
  intents: Intents
  queue: IntentQueue
  view: VenueView
  outcomes: Outcomes
  clock: Clock
  inOrder: (job: () => Promise<void>) => Promise<void>
}>

export class IntentReconciler {
  readonly #deps: ReconcilerDeps
  readonly #expiring = new Set<string>()
  #head = 0
  #seconds = 0

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps
  }

  /** Applies the changes of a block or of an undo. */
  apply(changes: readonly Change[]): void {
    const { head } = this.#deps.view.state
    if (head === undefined) return
    const undoneFrom = head.number < this.#head ? head.number + 1 : undefined
    this.#head = head.number
    if (undoneFrom !== undefined) {
      this.#deps.outcomes.undone(head.number)
      void this.#compareIncluded(undoneFrom, true)
    }
    this.#include(changes)
    if (head.seconds !== this.#seconds) this.#expire(head.seconds)
    this.#seconds = head.seconds
  }

  /** Compares all pending and recently ended intents with the chain, at the start. */
  async compare(): Promise<void> {
    const { queue, intents, outcomes, inOrder, view, clock } = this.#deps
    this.#head = view.state.head?.number ?? 0
    await inOrder(async () => {
      const sinceNs = (BigInt(clock.nowMs()) - COMPARED_MS) * NS_PER_MS
      const givenUp = (await intents.givenUpSince(sinceNs)).map(({ id }) => id)
      queue.rememberGivenUp(givenUp)
      const live = [...queue.all()].map(({ intent }) => intent.id)
      const rows = await intents.onChain([...live, ...givenUp])
      await outcomes.move(rows.map(({ id, blockNumber }) => placed(id, blockNumber)))
    })
    await this.#compareIncluded(this.#head - COMPARED_BLOCKS, false)
  }

  #include(changes: readonly Change[]): void {
    const { queue, outcomes, inOrder } = this.#deps
    const steps = changes.flatMap(({ what, before, after }): IntentStep[] => {
      if (what !== 'order' || before !== undefined || after?.ref == null) return []
      const { ref, blockNumber } = after
      const isOurs = queue.get(ref) !== undefined || queue.isGivenUp(ref)
      return isOurs ? [placed(ref, blockNumber)] : []
    })
    if (steps.length > 0) void inOrder(async () => void (await outcomes.move(steps)))
  }

  /**
   * Requeues intents included in `fromBlock` or later that are no longer on the chain. Intents now
   * in another block are marked as included in it. Cancels are requeued if `isUndone`, or if one
   * of their orders is not known to have ended.
   */
  #compareIncluded(fromBlock: number, isUndone: boolean): Promise<void> {
    const { intents, queue, outcomes, inOrder, view } = this.#deps
    return inOrder(async () => {
      const included = await intents.includedFrom(fromBlock)
      const ids = included.flatMap(({ id, payload, market }) => [id, ...targetsOf(payload, market)])
      const rows = new Map((await intents.onChain(ids)).map((row) => [row.id, row]))
      const isOver = (id: string) => rows.get(id)?.isResting === false
      const isGone = ({ id, payload, market }: Intent) =>
        payload.kind === 'order'
          ? !rows.has(id)
          : isUndone || !targetsOf(payload, market).every(isOver)
      const gone = included.filter(isGone).map(({ id }) => id)
      queue.hold(gone, (view.state.head?.number ?? 0) + UNDONE_BLOCKS)
      const moved = included.flatMap(({ id, blockNumber }) => {
        const block = rows.get(id)?.blockNumber ?? blockNumber
        return block === blockNumber ? [] : [placedElsewhere(id, block ?? 0)]
      })
      await outcomes.move([
        ...gone.map((id): IntentStep => ({ id, from: ['included'], to: 'queued' })),
        ...moved,
      ])
    })
  }

  #expire(seconds: number): void {
    const { queue, outcomes, inOrder } = this.#deps
    const ids: string[] = []
    for (const { intent } of queue.all())
      if (intent.deadlineSeconds < seconds && !this.#expiring.has(intent.id)) ids.push(intent.id)
    if (ids.length === 0) return
    for (const id of ids) this.#expiring.add(id)
    void inOrder(async () => {
      const from = ['received', 'queued', 'sent'] as const
      await outcomes.move(ids.map((id) => ({ id, from, to: 'expired' })))
      for (const id of ids) this.#expiring.delete(id)
    })
  }
}

/** Also for an order that was given up: the replacement of an undone block placed it. */
const placed = (id: string, blockNumber: number): IntentStep => ({
  id,
  from: ['received', 'queued', 'sent', 'refused', 'expired'],
  to: 'included',
  blockNumber,
})

/** The inclusion moves from the undone block to another one. */
const placedElsewhere = (id: string, blockNumber: number): IntentStep => ({
  id,
  from: ['included'],
  to: 'included',
  blockNumber,
})

// Moves intents by what the feed brings: orders that are on the chain now, blocks that were undone,
// deadlines that have passed.
import type { Change } from '@openvenue/core/changes'
import type { Intents } from '@openvenue/store/intents'
import type { VenueView } from '../venue-view.ts'
import type { IntentQueue } from './intent-queue.ts'
import type { Outcomes, Step } from './outcomes.ts'

/** Undone transactions mostly come again by themselves: so many blocks are waited for them. */
export const UNDONE_BLOCKS = 3
/** What was included so many blocks back is compared at the start: it may be undone since. */
const COMPARED_BLOCKS = 64

type ChainNewsDeps = Readonly<{
  intents: Intents
  queue: IntentQueue
  view: VenueView
  outcomes: Outcomes
  inOrder: (job: () => Promise<void>) => Promise<void>
}>

export class ChainNews {
  readonly #deps: ChainNewsDeps
  readonly #expiring = new Set<string>()
  #head = 0
  #seconds = 0

  constructor(deps: ChainNewsDeps) {
    this.#deps = deps
  }

  /** Takes a block or the undoing of some. */
  see(changes: readonly Change[]): void {
    const { head } = this.#deps.view.state
    if (head === undefined) return
    const undoneFrom = head.number < this.#head ? head.number + 1 : undefined
    this.#head = head.number
    if (undoneFrom !== undefined) this.#undo(undoneFrom)
    this.#include(changes)
    if (head.seconds !== this.#seconds) this.#expire(head.seconds)
    this.#seconds = head.seconds
  }

  /** Compares all that is on its way with the database: at the start, and after a break. */
  async compare(): Promise<void> {
    const { queue, intents, outcomes, inOrder, view } = this.#deps
    this.#head = view.state.head?.number ?? 0
    await inOrder(async () => {
      const ids = [...queue.all()].map(({ intent }) => intent.id)
      const rows = await intents.onChain(ids)
      await outcomes.move(rows.map(({ id, blockNumber }) => placed(id, blockNumber)))
    })
    this.#undo(this.#head - COMPARED_BLOCKS)
    await inOrder(async () => {})
  }

  #include(changes: readonly Change[]): void {
    const { queue, outcomes, inOrder } = this.#deps
    const steps = changes.flatMap(({ what, before, after }): Step[] => {
      if (what !== 'order' || before !== undefined || after?.ref == null) return []
      const { ref, blockNumber } = after
      if (queue.get(ref) !== undefined) return [placed(ref, blockNumber)]
      return queue.isGivenUp(ref) ? [placedAfterAll(ref, blockNumber)] : []
    })
    if (steps.length > 0) void inOrder(async () => void (await outcomes.move(steps)))
  }

  /**
   * Has wait again what was included in `fromBlock` or later and is on the chain no more. What is
   * there in another block by now is included in that one.
   */
  #undo(fromBlock: number): void {
    const { intents, queue, outcomes, inOrder, view } = this.#deps
    void inOrder(async () => {
      const before = await intents.includedFrom(fromBlock)
      const orders = before.filter(({ payload }) => payload.kind === 'order').map(({ id }) => id)
      const rows = await intents.onChain(orders)
      const blocks = new Map(rows.map(({ id, blockNumber }) => [id, blockNumber]))
      const head = view.state.head?.number ?? 0
      const undone = before.filter(({ id, payload, blockNumber = 0 }) =>
        payload.kind === 'order' ? !blocks.has(id) : blockNumber > head,
      )
      const ids = undone.map(({ id }) => id)
      queue.hold(ids, head + UNDONE_BLOCKS)
      const moved = before.filter(({ id, blockNumber: at }) => at !== (blocks.get(id) ?? at))
      await outcomes.move([
        ...ids.map((id): Step => ({ id, from: ['included'], to: 'queued' })),
        ...moved.map(({ id }) => placedElsewhere(id, blocks.get(id) ?? 0)),
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

const placed = (id: string, blockNumber: number): Step => ({
  id,
  from: ['received', 'queued', 'sent'],
  to: 'included',
  blockNumber,
})

/** Its block was undone, and in the one that came instead it was not refused. */
const placedAfterAll = (id: string, blockNumber: number): Step => ({
  id,
  from: ['refused', 'expired'],
  to: 'included',
  blockNumber,
})

/** Its block was undone, and another one has it. */
const placedElsewhere = (id: string, blockNumber: number): Step => ({
  id,
  from: ['included'],
  to: 'included',
  blockNumber,
})

// Records the outcomes of intents from chain data, not from a node's answers about transactions.
import type { Intent, IntentMove, Intents, OrderOnChain } from '@openvenue/store/intents/intents'
import type { Clock } from '../clock.ts'
import type { VenueView } from '../venue-view.ts'
import type { IntentQueue, TrackedIntent } from './intent-queue.ts'
import type { OnStep } from './order-steps.ts'
import { type BatchReceipt, OUT_OF_GAS } from './receipts.ts'
import type { RestingOrders } from './resting-orders.ts'

/** Maximum number of transactions without a decision per intent. */
const TRIES_MAX = 3
/** Blocks to wait after an undo, since undone transactions are usually included again. */
export const UNDONE_BLOCKS = 3
/** Blocks within which the contents of undone blocks (keys, deposits, fills) may reappear. */
const COMES_AGAIN_BLOCKS = 16
/** Refusals of an order whose account may regain what an undone block had given it. */
const LACKING = ['SignerUnfit', 'BalanceTooLow', 'MarginTooLow']
/** Every matched order lacked margin and was dropped: the next attempt may match another one. */
const NOBODY_MET = 'NobodyMet'
/** The order of a cancel is gone or never existed. */
const ORDER_GONE = 'ORDER_DOES_NOT_EXIST'
/** Outcome of a transaction that reverted for an unknown reason. */
const REVERTED = 'Reverted'
const NS_PER_MS = 1_000_000n

type OutcomesDeps = Readonly<{
  intents: Intents
  queue: IntentQueue
  view: VenueView
  resting: RestingOrders
  clock: Clock
  onMoved: OnStep
  /** Returns whether this process may write: false once the lease is lost or uncertain. */
  mayAct: () => boolean
  /** Runs a job after the earlier ones, and retries it until it succeeds. */
  inOrder: (job: () => Promise<void>) => Promise<void>
}>

/** A step of an intent, dated now. */
export type IntentStep = Omit<IntentMove, 'atNs'>

/** Thrown while the lease is uncertain: it will be lost or renewed in a moment. */
export class LeaseUncertain extends Error {
  override name = 'LeaseUncertain'
}

export class Outcomes {
  readonly #deps: OutcomesDeps
  /** The newest block that remained after the last undo. */
  #undoneTo = Number.NEGATIVE_INFINITY

  constructor(deps: OutcomesDeps) {
    this.#deps = deps
  }

  /** Records that all blocks after `to` were undone. */
  undone(to: number): void {
    this.#undoneTo = to
  }

  /**
   * Applies `steps` to the store and the queue, and returns which of them applied. Throws while the
   * lease is uncertain: a process that was suspended for a second may keep its lease, and steps
   * that it skipped would never be made.
   */
  async move(steps: readonly IntentStep[]): Promise<readonly boolean[]> {
    const { intents, queue, clock, mayAct, onMoved } = this.#deps
    if (steps.length === 0) return []
    if (!mayAct()) throw new LeaseUncertain('the lease is uncertain: nothing is written')
    const atNs = BigInt(clock.nowMs()) * NS_PER_MS
    const moves = steps.map((step): IntentMove => ({ ...step, atNs }))
    // The queue drops an intent as soon as it reads its end.
    const tracked = moves.map(({ id }) => queue.get(id)?.intent)
    const moved = await intents.move(moves)
    for (const [at, move] of moves.entries()) if (moved[at]) onMoved(move, tracked[at])
    await queue.refresh()
    return moved
  }

  /** Requeues `batch`, whose transaction will not be included. */
  async requeue(batch: readonly TrackedIntent[]): Promise<void> {
    await this.#deps.inOrder(() => this.#requeue(batch))
    for (const tracked of batch) tracked.isCarried = false
  }

  /** Records the results of a transaction in a block that the feed has reached. */
  async decide(
    batch: readonly TrackedIntent[],
    receipt: BatchReceipt,
    words?: string,
  ): Promise<void> {
    await this.#deps.inOrder(async () => {
      const orders = batch.filter(({ intent }) => intent.payload.kind === 'order')
      await this.#decideOrders(orders, receipt)
      const cancels = batch.filter(({ intent }) => intent.payload.kind !== 'order')
      await this.#decideCancels(cancels, receipt, words)
    })
    for (const tracked of batch) tracked.isCarried = false
  }

  async #requeue(batch: readonly TrackedIntent[]): Promise<void> {
    await this.move(
      batch.map(({ intent: { id } }) => ({ id, from: ['sent'] as const, to: 'queued' as const })),
    )
  }

  async #decideOrders(all: readonly TrackedIntent[], receipt: BatchReceipt): Promise<void> {
    const { refusals, blockNumber } = receipt
    // The feed has usually decided already: only undecided intents remain.
    const batch = all.filter(({ intent }) => this.#deps.queue.get(intent.id) !== undefined)
    if (batch.length === 0) return
    const rows = await this.#deps.intents.onChain(batch.map(({ intent }) => intent.id))
    const placed = new Map(rows.map((row) => [row.id, row]))
    const again: TrackedIntent[] = []
    const later: TrackedIntent[] = []
    const steps: IntentStep[] = []
    const isLacking = (reason: string) =>
      LACKING.includes(reason) && blockNumber <= this.#undoneTo + COMES_AGAIN_BLOCKS
    for (const tracked of batch) {
      const { id } = tracked.intent
      const [row, reason] = [placed.get(id), refusals.get(id)]
      if (row !== undefined) steps.push(included(id, row.blockNumber))
      else if (reason === undefined || reason === OUT_OF_GAS) again.push(tracked)
      else if (isLacking(reason) || isMetLater(tracked, reason)) later.push(tracked)
      else if (isHeldAgain(tracked.intent, reason)) steps.push(holdStep(id, reason))
      else steps.push({ id, from: ['queued', 'sent'], to: 'refused', reason })
    }
    await this.move(steps)
    const ids = later.map(({ intent }) => intent.id)
    this.#deps.queue.hold(ids, blockNumber + UNDONE_BLOCKS)
    await this.#requeue(later)
    await this.#tryAgain(again, refusals.size > 0 ? OUT_OF_GAS : REVERTED)
  }

  /** The first intent that ran out of gas has used up the gas of those after it. */
  async #tryAgain(batch: readonly TrackedIntent[], reason: string): Promise<void> {
    const [first, ...others] = batch
    if (first === undefined) return
    const isAll = reason !== OUT_OF_GAS
    for (const tracked of isAll ? batch : [first]) tracked.tries += 1
    const isOver = (tracked: TrackedIntent) => tracked.tries >= TRIES_MAX
    const over = [first, ...others].filter(isOver)
    await this.move(over.map(({ intent }) => refused(intent.id, reason)))
    await this.#requeue([first, ...others].filter((tracked) => !isOver(tracked)))
  }

  async #decideCancels(
    batch: readonly TrackedIntent[],
    { isDone, blockNumber }: BatchReceipt,
    words?: string,
  ): Promise<void> {
    const { resting, intents } = this.#deps
    if (batch.length === 0) return
    // The reason is unknown for a previous relayer's transaction: the next attempt yields it.
    if (!isDone && batch.length === 1 && words !== undefined)
      return void (await this.move(batch.map(({ intent }) => refused(intent.id, words))))
    const targets = batch.flatMap(({ intent: { payload } }) =>
      payload.kind === 'cancel' ? [payload.target] : [],
    )
    const onChain = new Set((await intents.onChain(targets)).map(({ id }) => id))
    // Its order was undone and will be placed again, so the cancel must be, too.
    const isUndone = ({ intent: { payload } }: TrackedIntent) =>
      isDone && payload.kind === 'cancel' && !onChain.has(payload.target)
    const isOpen = ({ intent }: TrackedIntent) => !isDone || resting.findOwn(intent) !== undefined
    const isIn = (tracked: TrackedIntent) => !isOpen(tracked) && !isUndone(tracked)
    await this.move(batch.filter(isIn).map(({ intent }) => included(intent.id, blockNumber)))
    await this.#tryAgain(batch.filter(isOpen), words ?? REVERTED)
    await this.#requeue(batch.filter((tracked) => isUndone(tracked) && !isOpen(tracked)))
  }

  /** Ends cancels of orders that no longer rest and are not pending. */
  async endGone(batch: readonly TrackedIntent[]): Promise<void> {
    await this.#deps.inOrder(async () => {
      const targets = new Map(
        batch.map((tracked) => {
          const { payload } = tracked.intent
          return [tracked, payload.kind === 'cancel' ? payload.target : ''] as const
        }),
      )
      const rows = await this.#deps.intents.onChain([...targets.values()])
      const byId = new Map(rows.map((row) => [row.id, row]))
      await this.move(
        batch.flatMap((tracked) => this.#endOf(tracked, byId.get(targets.get(tracked) ?? ''))),
      )
    })
    for (const tracked of batch) tracked.isCarried = false
  }

  #endOf({ intent: { id, payload } }: TrackedIntent, row: OrderOnChain | undefined): IntentStep[] {
    const { resting } = this.#deps
    const target = payload.kind === 'cancel' ? payload.target : ''
    // The view lags behind the database: the order will rest there in a moment. Another account's
    // order never will.
    if (row?.isResting === true && resting.find(target) === undefined) return []
    const blockNumber = this.#deps.view.state.head?.number ?? 0
    const isDone = row?.status === 'cancelled' && !row.isResting
    return [isDone ? included(id, blockNumber) : refused(id, ORDER_GONE)]
  }
}

/** Counts the transactions of an order whose counterparties could not trade. */
function isMetLater(tracked: TrackedIntent, reason: string): boolean {
  if (reason !== NOBODY_MET) return false
  tracked.tries += 1
  return tracked.tries < TRIES_MAX
}

const included = (id: string, blockNumber: number): IntentStep => ({
  id,
  from: ['queued', 'sent'],
  to: 'included',
  blockNumber,
})

/** Its mark moved back before inclusion, or is temporarily unknown: it waits for it again. */
const isHeldAgain = ({ payload }: Intent, reason: string): boolean =>
  payload.kind === 'order' &&
  payload.order.triggerKind !== 0 &&
  (reason === 'TriggerNotMet' || reason === 'IndexStale')

const holdStep = (id: string, reason: string): IntentStep => ({
  id,
  from: ['queued', 'sent'],
  to: 'received',
  reason,
  includeByBlock: 0,
})

const refused = (id: string, reason: string): IntentStep => ({
  id,
  from: ['queued', 'sent'],
  to: 'refused',
  reason,
})

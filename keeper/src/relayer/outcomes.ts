// Writes down what became of intents: by what the chain has, not by what a node says of a
// transaction.
import type {
  Intent,
  IntentMove,
  IntentState,
  Intents,
  OrderOnChain,
} from '@openvenue/store/intents'
import type { Clock } from '../clock.ts'
import type { VenueView } from '../venue-view.ts'
import type { IntentQueue, Tracked } from './intent-queue.ts'
import { type BatchReceipt, OUT_OF_GAS } from './receipts.ts'
import type { RestingOrders } from './resting.ts'

/** Transactions that one intent may cost without a decision. */
export const TRIES_MAX = 3
/** Undone transactions mostly come again by themselves: so many blocks are waited for them. */
export const UNDONE_BLOCKS = 3
/** So long what undone blocks held may come again: keys, deposits, fills. */
const COMES_AGAIN_BLOCKS = 16
/** Refusals of an order whose account lacks what an undone block may have given it. */
const LACKING = ['SignerUnfit', 'BalanceTooLow', 'MarginTooLow']
/** Every order that it met lacked margin and was dropped: the next try may meet another one. */
const NOBODY_MET = 'NobodyMet'
/** The order of a cancel is gone, or never was. */
export const ORDER_GONE = 'ORDER_DOES_NOT_EXIST'
/** Of a transaction that reverted for a reason that nobody knows. */
const REVERTED = 'Reverted'
const NS_PER_MS = 1_000_000n

export type OutcomesDeps = Readonly<{
  intents: Intents
  queue: IntentQueue
  view: VenueView
  resting: RestingOrders
  clock: Clock
  onMoved: (state: IntentState) => void
  /** Nothing is written by who has lost the turn, or is not sure of it for a while. */
  mayAct: () => boolean
  /** Runs a job after those before it, until it has gone well. */
  inOrder: (job: () => Promise<void>) => Promise<void>
}>

/** A step of an intent, made now. */
export type Step = Omit<IntentMove, 'atNs'>

/** The turn is not sure right now: it is lost in a moment, or sure again. */
export class TurnUnsure extends Error {
  override name = 'TurnUnsure'
}

export class Outcomes {
  readonly #deps: OutcomesDeps
  /** The newest block that was left when some were undone last. */
  #undoneTo = Number.NEGATIVE_INFINITY

  constructor(deps: OutcomesDeps) {
    this.#deps = deps
  }

  /** Hears that all blocks after one were undone. */
  undone(to: number): void {
    this.#undoneTo = to
  }

  /**
   * Makes `steps`, and returns which could be made; the queue knows of them then. Throws where the
   * turn is not sure: a process that stood still for a second may keep it, and what it skipped
   * meanwhile nobody would do later.
   */
  async move(steps: readonly Step[]): Promise<readonly boolean[]> {
    const { intents, queue, clock, mayAct, onMoved } = this.#deps
    if (steps.length === 0) return []
    if (!mayAct()) throw new TurnUnsure('the turn is not sure: nothing is written')
    const atNs = BigInt(clock.nowMs()) * NS_PER_MS
    const moved = await intents.move(steps.map((step) => ({ ...step, atNs })))
    for (const [at, { to }] of steps.entries()) if (moved[at]) onMoved(to)
    await queue.refresh()
    return moved
  }

  /** Has `batch` wait for a transaction again: that of theirs will not come. */
  async requeue(batch: readonly Tracked[]): Promise<void> {
    await this.#deps.inOrder(() => this.#requeue(batch))
    for (const tracked of batch) tracked.isCarried = false
  }

  /** Writes down what a transaction did, which is in a block that the feed has reached. */
  async decide(batch: readonly Tracked[], receipt: BatchReceipt, words?: string): Promise<void> {
    await this.#deps.inOrder(async () => {
      const orders = batch.filter(({ intent }) => intent.payload.kind === 'order')
      await this.#decideOrders(orders, receipt)
      const cancels = batch.filter(({ intent }) => intent.payload.kind !== 'order')
      await this.#decideCancels(cancels, receipt, words)
    })
    for (const tracked of batch) tracked.isCarried = false
  }

  async #requeue(batch: readonly Tracked[]): Promise<void> {
    await this.move(
      batch.map(({ intent: { id } }) => ({ id, from: ['sent'] as const, to: 'queued' as const })),
    )
  }

  async #decideOrders(all: readonly Tracked[], receipt: BatchReceipt): Promise<void> {
    const { refusals, blockNumber } = receipt
    // The feed comes first, mostly: what it has brought needs no second word.
    const batch = all.filter(({ intent }) => this.#deps.queue.get(intent.id) !== undefined)
    if (batch.length === 0) return
    const rows = await this.#deps.intents.onChain(batch.map(({ intent }) => intent.id))
    const placed = new Map(rows.map((row) => [row.id, row]))
    const again: Tracked[] = []
    const later: Tracked[] = []
    const steps: Step[] = []
    const isLacking = (reason: string) =>
      LACKING.includes(reason) && blockNumber <= this.#undoneTo + COMES_AGAIN_BLOCKS
    for (const tracked of batch) {
      const { id } = tracked.intent
      const [row, reason] = [placed.get(id), refusals.get(id)]
      if (row !== undefined) steps.push(included(id, row.blockNumber))
      else if (reason === undefined || reason === OUT_OF_GAS) again.push(tracked)
      else if (isLacking(reason) || isMetLater(tracked, reason)) later.push(tracked)
      else if (isHeldAgain(tracked.intent, reason)) steps.push(held(id, reason))
      else steps.push({ id, from: ['queued', 'sent'], to: 'refused', reason })
    }
    await this.move(steps)
    const ids = later.map(({ intent }) => intent.id)
    this.#deps.queue.hold(ids, blockNumber + UNDONE_BLOCKS)
    await this.#requeue(later)
    await this.#tryAgain(again, refusals.size > 0 ? OUT_OF_GAS : REVERTED)
  }

  /** The first that ran out of gas has taken it from those after it. */
  async #tryAgain(batch: readonly Tracked[], reason: string): Promise<void> {
    const [first, ...others] = batch
    if (first === undefined) return
    const isAll = reason !== OUT_OF_GAS
    for (const tracked of isAll ? batch : [first]) tracked.tries += 1
    const isOver = (tracked: Tracked) => tracked.tries >= TRIES_MAX
    const over = [first, ...others].filter(isOver)
    await this.move(over.map(({ intent }) => refused(intent.id, reason)))
    await this.#requeue([first, ...others].filter((tracked) => !isOver(tracked)))
  }

  async #decideCancels(
    batch: readonly Tracked[],
    { isDone, blockNumber }: BatchReceipt,
    words?: string,
  ): Promise<void> {
    const { resting, intents } = this.#deps
    if (batch.length === 0) return
    // Of a former relayer's transaction the reason is not known: the next try says it.
    if (!isDone && batch.length === 1 && words !== undefined)
      return void (await this.move(batch.map(({ intent }) => refused(intent.id, words))))
    const targets = batch.flatMap(({ intent: { payload } }) =>
      payload.kind === 'cancel' ? [payload.target] : [],
    )
    const known = new Set((await intents.onChain(targets)).map(({ id }) => id))
    // Its order was undone meanwhile, and will be there again: so must the cancel.
    const isUndone = ({ intent: { payload } }: Tracked) =>
      isDone && payload.kind === 'cancel' && !known.has(payload.target)
    const isOpen = ({ intent }: Tracked) => !isDone || resting.findOwn(intent) !== undefined
    const isIn = (one: Tracked) => !isOpen(one) && !isUndone(one)
    await this.move(batch.filter(isIn).map(({ intent }) => included(intent.id, blockNumber)))
    await this.#tryAgain(batch.filter(isOpen), words ?? REVERTED)
    await this.#requeue(batch.filter((one) => isUndone(one) && !isOpen(one)))
  }

  /** Ends cancels of orders that rest no more, and of which none is on its way. */
  async endGone(batch: readonly Tracked[]): Promise<void> {
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

  #endOf({ intent: { id, payload } }: Tracked, row: OrderOnChain | undefined): Step[] {
    const { resting } = this.#deps
    const target = payload.kind === 'cancel' ? payload.target : ''
    // The view is behind the database: it will rest there in a moment. Another's never will.
    if (row?.isResting === true && resting.find(target) === undefined) return []
    const blockNumber = this.#deps.view.state.head?.number ?? 0
    const isDone = row?.status === 'cancelled' && !row.isResting
    return [isDone ? included(id, blockNumber) : refused(id, ORDER_GONE)]
  }
}

/** Counts the transactions that an order has cost because nothing in front of it could trade. */
function isMetLater(tracked: Tracked, reason: string): boolean {
  if (reason !== NOBODY_MET) return false
  tracked.tries += 1
  return tracked.tries < TRIES_MAX
}

const included = (id: string, blockNumber: number): Step => ({
  id,
  from: ['queued', 'sent'],
  to: 'included',
  blockNumber,
})

/** Its mark went back before it was there, or is not known for a while: it waits for it again. */
const isHeldAgain = ({ payload }: Intent, reason: string): boolean =>
  payload.kind === 'order' &&
  payload.order.triggerKind !== 0 &&
  (reason === 'TriggerNotMet' || reason === 'IndexStale')

const held = (id: string, reason: string): Step => ({
  id,
  from: ['queued', 'sent'],
  to: 'received',
  reason,
  includeByBlock: 0,
})

const refused = (id: string, reason: string): Step => ({
  id,
  from: ['queued', 'sent'],
  to: 'refused',
  reason,
})

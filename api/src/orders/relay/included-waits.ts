// Delays answers until each order of the request is in a block, or has ended: `?wait=included`.
//
// A block costs a lookup for each order that it changed, and nothing while no request waits.
import type { Order } from '@openvenue/core/records'
import { type Intent, LIVE_STATES } from '@openvenue/store/intents/intents'
import { fieldRefusal, invalid } from '../../http/validation.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { IntentBook } from './intent-book.ts'

declare module 'fastify' {
  interface FastifyInstance {
    includedWaits: IncludedWaits
  }
}

/** How long a request waits for its orders at most. */
export const INCLUDED_WAIT_MS_MAX = 2000
/** Orders that are waited for at a time, of one node; those beyond it are answered at once. */
const WAITED_MAX = 4096
/** The part of them that one account may have. */
export const WAITED_PER_ACCOUNT_MAX = 256

/**
 * `done`: each order is in a block, has ended, or is held. `timeout`: the time was over first.
 * `busy`: too many wait already, and this one did not.
 */
export type WaitEnd = 'done' | 'timeout' | 'busy'

/** How a wait ended, and those orders, by digest, that a block brought while it lasted. */
export type WaitResult = Readonly<{ end: WaitEnd; orders: ReadonlyMap<string, Order> }>

/** Returns whether an answer is to wait. Refuses any value of `wait` but the one. */
export function wantsWait(wait: unknown): boolean {
  if (wait === undefined || wait === 'included') return wait !== undefined
  throw fieldRefusal([invalid('wait', 'included', { given: wait, nearest: 'included' })])
}

/** Resolves after that many milliseconds, or at once when `signal` aborts. Never rejects. */
type Delay = (ms: number, signal: AbortSignal) => Promise<unknown>

/** An intent to wait for, in its state at the request. */
type AwaitedIntent = Pick<Intent, 'id' | 'account' | 'state' | 'blockNumber'>

/** A request that waits for what is `left` of its orders. */
type Waiter = Readonly<{ left: Set<string>; orders: Map<string, Order>; resolve: () => void }>

export class IncludedWaits {
  readonly #model: VenueModel
  readonly #intentBook: IntentBook
  readonly #delay: Delay
  readonly #byId = new Map<string, Set<Waiter>>()
  readonly #byAccount = new Map<number, number>()
  readonly #closing = new AbortController()
  #waited = 0

  constructor(model: VenueModel, intentBook: IntentBook, delay: Delay) {
    this.#model = model
    this.#intentBook = intentBook
    this.#delay = delay
    model.on('order', ({ before, after }) => {
      const ref = (after ?? before)?.ref
      if (ref != null && this.#byId.has(ref)) this.#see(ref, after)
    })
    model.onLoad(() => this.#settle())
    intentBook.onStep(({ intent }) => {
      if (this.#byId.has(intent.id)) this.#settleOne(intent.id)
    })
    intentBook.onLoad(() => this.#settle())
  }

  /** Orders that are waited for now. */
  get size(): number {
    return this.#waited
  }

  /**
   * Resolves once each of `intents`, of one account, is in a block that this node has, has ended or
   * is held; when the time is over; or when `gone` aborts.
   */
  async wait(intents: readonly AwaitedIntent[], gone: AbortSignal): Promise<WaitResult> {
    const orders = new Map<string, Order>()
    const left = new Map(
      intents.filter((intent) => !this.#isOver(intent)).map((intent) => [intent.id, intent]),
    )
    const [first] = left.values()
    if (first === undefined) return { end: 'done', orders }
    if (!this.#take(first.account, left.size)) return { end: 'busy', orders }
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiter: Waiter = { left: new Set(left.keys()), orders, resolve }
    for (const id of left.keys()) this.#add(id, waiter)
    try {
      await this.#untilOver(promise, gone)
      return { end: waiter.left.size === 0 ? 'done' : 'timeout', orders }
    } finally {
      for (const id of left.keys()) this.#remove(id, waiter)
      this.#take(first.account, -left.size)
    }
  }

  /** Ends every wait, now and later, as at the end of its time. */
  close(): void {
    this.#closing.abort()
  }

  async #untilOver(isOver: Promise<void>, gone: AbortSignal): Promise<void> {
    const stopping = new AbortController()
    const signal = AbortSignal.any([gone, this.#closing.signal, stopping.signal])
    try {
      await Promise.race([isOver, this.#delay(INCLUDED_WAIT_MS_MAX, signal)])
    } finally {
      stopping.abort()
    }
  }

  /** Counts `count` orders of an account more; false, and none, where that is too many. */
  #take(account: number, count: number): boolean {
    const ofAccount = (this.#byAccount.get(account) ?? 0) + count
    const isOver = this.#waited + count > WAITED_MAX || ofAccount > WAITED_PER_ACCOUNT_MAX
    if (count > 0 && isOver) return false
    this.#waited += count
    if (ofAccount > 0) this.#byAccount.set(account, ofAccount)
    else this.#byAccount.delete(account)
    return true
  }

  #add(id: string, waiter: Waiter): void {
    const waiters = this.#byId.get(id)
    if (waiters === undefined) this.#byId.set(id, new Set([waiter]))
    else waiters.add(waiter)
  }

  #remove(id: string, waiter: Waiter): void {
    const waiters = this.#byId.get(id)
    waiters?.delete(waiter)
    if (waiters?.size === 0) this.#byId.delete(id)
  }

  /** Takes an order as a block has it; undefined: the block was undone. */
  #see(id: string, order: Order | undefined): void {
    for (const { orders, left } of this.#byId.get(id) ?? []) {
      if (order === undefined) {
        orders.delete(id)
        left.add(id)
      } else orders.set(id, order)
    }
    if (order !== undefined) this.#end(id)
  }

  #settle(): void {
    for (const id of [...this.#byId.keys()]) this.#settleOne(id)
  }

  #settleOne(id: string): void {
    const intent = this.#intentBook.find(id)
    if (intent !== undefined && this.#isOver(intent)) this.#end(id)
  }

  #end(id: string): void {
    for (const { left, resolve } of this.#byId.get(id) ?? []) {
      left.delete(id)
      if (left.size === 0) resolve()
    }
  }

  /**
   * Returns whether the wait for an intent is over. An intent that is in a block by the log counts
   * once this node has the block, too.
   */
  #isOver(given: AwaitedIntent): boolean {
    const model = this.#model
    const { id, state, blockNumber } = this.#intentBook.find(given.id) ?? given
    if (model.accountOrders.signed(id) !== undefined) return true
    if (state === 'included') return (blockNumber ?? 0) <= (model.head?.number ?? 0)
    return state === 'received' || !(LIVE_STATES as readonly string[]).includes(state)
  }
}

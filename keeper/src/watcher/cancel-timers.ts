// Cancels the orders of accounts whose cancel-after timer has expired.
import type { Order } from '@openvenue/core/records'
import { CANCEL_LANE, gasOf } from '@openvenue/core/relay'
import type { Intent, NewIntent } from '@openvenue/store/intents/intents'
import {
  type CancelTimer,
  type PreSignedCancelAll,
  TIMER_MS_MIN,
} from '@openvenue/store/intents/safeguards'
import { isLive } from './watched-intents.ts'
import type { WatcherContext } from './watcher-parts.ts'

/** Pause before timers that did not end at once are tried again. */
const RETRY_MS = 200
/** Maximum number of timers in one round. */
const TIMERS_MAX = 200
/** Maximum number of orders in one transaction. */
const CANCEL_ALL_ORDERS_MAX = 100
const NS_PER_MS = 1_000_000n

export class CancelTimers {
  readonly #parts: WatcherContext
  /** The earliest time at which a timer can expire. */
  #nextMs = Number.NEGATIVE_INFINITY

  constructor(parts: WatcherContext) {
    this.#parts = parts
  }

  async round(): Promise<void> {
    const { safeguards, monotonicMs, retractions, mayAct, log } = this.#parts
    const nowMs = monotonicMs()
    if (nowMs < this.#nextMs) return
    this.#nextMs = nowMs + RETRY_MS
    const leftMs = await safeguards.nextTimerMs()
    if (leftMs !== 0) {
      this.#nextMs = nowMs + Math.min(TIMER_MS_MIN, leftMs ?? TIMER_MS_MIN)
      return
    }
    const timers = await safeguards.dueTimers(TIMERS_MAX)
    if (timers.length === 0 || !mayAct()) return
    const accounts = new Set(timers.map(({ account }) => account))
    const { records } = this.#parts.view.state
    const resting = ofAccounts(records.order.values(), accounts)
    const live = ofAccounts(this.#parts.watched.all(), accounts)
    const done: CancelTimer[] = []
    for (const timer of timers) {
      const [intents, orders] = [live.get(timer.account) ?? [], resting.get(timer.account) ?? []]
      if (await this.#end(timer, intents, orders)) done.push(timer)
    }
    // Timers are deleted once their cancels are written: a successor repeats unwritten ones.
    while (retractions.size > 0) await retractions.round()
    for (const timer of done) await safeguards.endTimer(timer)
    if (done.length > 0) log.info({ accounts: done.length }, 'timers of accounts have ended')
  }

  /** Withdraws or cancels the orders of an account; returns whether all of them are being ended. */
  async #end(
    timer: CancelTimer,
    intents: readonly Intent[],
    resting: readonly Order[],
  ): Promise<boolean> {
    const { watched, retractions } = this.#parts
    const isBySignature = timer.cancelAlls.length > 0
    const goes = (intent: Intent | undefined) => timer.includesTriggers || !isProtective(intent)
    const placed = intents.filter(({ payload }) => payload.kind === 'order')
    const going = placed.filter((order) => isLive(order) && goes(order))
    // A signed cancel-all names numbers, which a sent order gets at inclusion.
    const isOnItsWay = ({ state }: Intent) => state === 'queued' || state === 'sent'
    for (const { id, state } of going)
      if (!isBySignature || state !== 'sent') retractions.take(id, 'CANCEL_AFTER')
    if (isBySignature && going.some(isOnItsWay)) return false
    const orders = resting.filter(({ ref }) => goes(watched.get(ref ?? '')))
    if (isBySignature) await this.#cancelAll(timer, orders)
    else for (const order of orders) retractions.cancel({ order, wallet: timer.wallet })
    return true
  }

  async #cancelAll(timer: CancelTimer, orders: readonly Order[]): Promise<void> {
    const made = timer.cancelAlls.flatMap((signed) => {
      const ofMarket = orders.filter(({ market }) => market === signed.market)
      const numbers = ofMarket.map(({ number }) => number)
      const parts = Math.ceil(numbers.length / CANCEL_ALL_ORDERS_MAX)
      return Array.from({ length: parts }, (_, part) => {
        const from = part * CANCEL_ALL_ORDERS_MAX
        const named = numbers.slice(from, from + CANCEL_ALL_ORDERS_MAX)
        // The same signed message is valid any number of times, for orders before its first use.
        return this.#intent(timer, signed, {
          orders: named,
          id: part === 0 ? signed.digest : `cancel:${signed.digest}:${part}`,
        })
      })
    })
    if (made.length > 0) await this.#parts.intents.add(made)
  }

  #intent(
    { account, wallet }: CancelTimer,
    { market, salt, deadline, signature }: PreSignedCancelAll,
    { orders, id }: Readonly<{ orders: readonly number[]; id: string }>,
  ): NewIntent {
    const isPerpetual = this.#parts.view.state.records.market.get(market)?.type === 'PERPETUAL'
    return {
      id,
      account,
      wallet,
      market,
      lane: CANCEL_LANE,
      state: 'queued',
      gas: gasOf({ kind: 'signed_cancel_all', isPerpetual, orders: orders.length }),
      payload: { kind: 'signed_cancel_all', orders, salt, deadline, signature },
      deadlineSeconds: BigInt(deadline),
      receivedNs: BigInt(this.#parts.clock.nowMs()) * NS_PER_MS,
      includeByBlock: 0,
    }
  }
}

/** Groups by account the items of `accounts`, in one pass over all. */
function ofAccounts<T extends Readonly<{ account: number }>>(
  all: Iterable<T>,
  accounts: ReadonlySet<number>,
): ReadonlyMap<number, readonly T[]> {
  const byAccount = new Map<number, T[]>()
  for (const item of all) {
    if (!accounts.has(item.account)) continue
    const items = byAccount.get(item.account)
    if (items === undefined) byAccount.set(item.account, [item])
    else items.push(item)
  }
  return byAccount
}

/** Reduce-only with a trigger: meant to protect its owner's position in their absence. */
const isProtective = (intent: Intent | undefined): boolean =>
  intent?.payload.kind === 'order' &&
  intent.payload.order.reduceOnly &&
  intent.payload.order.triggerKind !== 0

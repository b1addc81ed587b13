// Counts the orders that the venue has paid for, by account. An account has an initial budget and
// earns more by trading; a used-up budget gets one more order now and then. Interface 4.6.
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { Intents } from '@openvenue/store/intents/intents'
import { volumeOf } from '@openvenue/wire/account-stats'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../http/cached-body.ts'
import { Refusal } from '../../http/refusals.ts'
import type { Clock } from '../../model/clock.ts'
import type { FreshReads } from '../../model/fresh-reads.ts'
import type { VenueModel } from '../../model/venue-model.ts'

export type OrderBudgetSettings = Readonly<{
  /** Orders of an account that has traded nothing. */
  initial: number
  /** Orders more for a USDC of volume, in millionths. */
  perUsdc: bigint
}>

/** How long an account waits for one more order when its budget is used up. */
export const SLOW_ORDER_MS = 10_000
/** Shortest time between two sums of an account's volume. */
const REFRESH_MS = 5_000
/** Accounts that a node remembers; the one that was asked about longest ago is read again. */
const ACCOUNTS_MAX = 10_000
/** The quote asset whose volume counts; of perpetuals it is the one of the margin. */
const BUDGET_ASSET = 'USDC'
const USDC_DECIMALS = 18
const MILLION = 1_000_000n

type BudgetDeps = Readonly<{
  model: VenueModel
  clock: Clock
  fresh: FreshReads
  history: Pick<AccountHistory, 'daySums'>
  intents: Pick<Intents, 'ordersEver'>
  settings: Readonly<{ orderBudget: OrderBudgetSettings | undefined }>
}>

/** Orders of an account: used, and earned by its volume. */
type AccountSpending = {
  orders: number
  lastMs: number
  /** Value of lastMs before the newest order, in case that is put back. */
  beforeMs: number
  earned: number
  /** Time of the last sum of its volume, by the monotonic clock. */
  readMs: number
}

export type OrderBudget = Readonly<{ used: number; allowed: number; lastMs: number }>

export class OrderBudgets {
  readonly #deps: BudgetDeps
  readonly #spent = new LRUCache<number, AccountSpending>(upTo(ACCOUNTS_MAX))
  readonly #reading = new Map<number, Promise<void>>()

  constructor(deps: BudgetDeps) {
    this.#deps = deps
  }

  /**
   * Reads what `take` has to know of an account: nothing, once it is known, while something is
   * left. Rejects where the database does not answer.
   */
  async prepare(account: number): Promise<void> {
    if (this.#deps.settings.orderBudget === undefined) return
    const spent = this.#spent.get(account)
    const isOver = spent !== undefined && spent.orders >= this.#allowed(spent)
    if (spent !== undefined && !(isOver && !this.#isFresh(spent))) return
    await this.#read(account)
  }

  /** Takes one order from the budget of an account, or returns the refusal of it. */
  take(account: number): Refusal | undefined {
    const spent = this.#spent.get(account)
    if (spent === undefined) return undefined
    const nowMs = this.#deps.clock.nowMs()
    const allowed = this.#allowed(spent)
    const waitMs = Math.min(SLOW_ORDER_MS, spent.lastMs + SLOW_ORDER_MS - nowMs)
    if (spent.orders >= allowed && waitMs > 0) return this.#usedUp(spent, allowed, waitMs)
    spent.orders += 1
    spent.beforeMs = spent.lastMs
    spent.lastMs = nowMs
    return undefined
  }

  /** Puts one back that was taken for nothing: it was known, or could not be written. */
  putBack(account: number): void {
    const spent = this.#spent.get(account)
    if (spent === undefined) return
    spent.orders -= 1
    spent.lastMs = spent.beforeMs
  }

  /** Takes the count of the database, over all nodes. */
  settle(account: number, ordersEver: number): void {
    const spent = this.#spent.get(account)
    if (spent !== undefined) spent.orders = Math.max(spent.orders, ordersEver)
  }

  /** Returns the current budget of an account; undefined: this venue has no budgets. */
  async of(account: number): Promise<OrderBudget | undefined> {
    if (this.#deps.settings.orderBudget === undefined) return undefined
    await this.#read(account)
    const spent = this.#spent.get(account) as AccountSpending
    return { used: spent.orders, allowed: this.#allowed(spent), lastMs: spent.lastMs }
  }

  #allowed({ earned }: AccountSpending): number {
    return (this.#deps.settings.orderBudget?.initial ?? Number.POSITIVE_INFINITY) + earned
  }

  /** One read of an account at a time, whoever waits for it. */
  #read(account: number): Promise<void> {
    const reading =
      this.#reading.get(account) ??
      this.#readNow(account).finally(() => this.#reading.delete(account))
    this.#reading.set(account, reading)
    return reading
  }

  async #readNow(account: number): Promise<void> {
    const { orders, lastMs } = await this.#deps.intents.ordersEver(account)
    const { earned, readMs } = await this.#volume(account)
    const spending = this.#spent.get(account)
    const newestMs = Math.max(lastMs, spending?.lastMs ?? 0)
    this.#spent.set(account, {
      orders: Math.max(orders, spending?.orders ?? 0),
      lastMs: newestMs,
      beforeMs: spending?.beforeMs ?? newestMs,
      earned,
      readMs,
    })
  }

  /** Sums the volume of an account, where it has not been summed just now. */
  async #volume(account: number): Promise<Pick<AccountSpending, 'earned' | 'readMs'>> {
    const spending = this.#spent.get(account)
    if (spending !== undefined && this.#isFresh(spending)) return spending
    const readMs = this.#deps.clock.monotonicMs()
    return { earned: await this.#earned(account), readMs }
  }

  readonly #isFresh = ({ readMs }: AccountSpending) =>
    this.#deps.clock.monotonicMs() - readMs < REFRESH_MS

  /** Returns the orders that the volume of an account has earned, rounded down. */
  async #earned(account: number): Promise<number> {
    const { model, fresh, history, settings } = this.#deps
    const { perUsdc = 0n } = settings.orderBudget ?? {}
    const { rows } = await fresh.read((from) => history.daySums(account, [0], from))
    const volume = rows.reduce((total, { market: id, since: [ever] }) => {
      const market = model.market(id)?.market
      if (market?.quoteAsset !== BUDGET_ASSET || ever === undefined) return total
      const decimals = market.type === 'PERPETUAL' ? USDC_DECIMALS : market.quoteDecimals
      return total + volumeOf({ market, ...ever }) * 10n ** BigInt(USDC_DECIMALS - decimals)
    }, 0n)
    return Number((volume * perUsdc) / MILLION / 10n ** BigInt(USDC_DECIMALS))
  }

  #usedUp({ orders }: AccountSpending, allowed: number, waitMs: number): Refusal {
    const code = 'RATE_LIMIT_EXCEEDED'
    const message =
      `Order budget exhausted: the account has used its ${allowed} sponsored orders, and may send ` +
      `one every ${SLOW_ORDER_MS / 1000} s until it trades more (GET /limits). POST /orders/build ` +
      'returns the call for the wallet to send'
    const facts = { maximum: String(allowed) }
    const details = [{ field: 'maker', code, message, value: String(orders), facts } as const]
    return new Refusal(code, { message, retryAfterMs: waitMs, details })
  }
}

// Limits what is signed: the value of one order and of all orders in a day, per quote asset.
import { type Decimal, fromRaw, toRaw } from 'openvenue'
import { ToolError } from './tool-error.ts'

/** Quote units: 100 is 100 USDC. */
export type Caps = Readonly<{ order: Decimal; day: Decimal }>

/** Finer than any token: prices and amounts are compared without rounding. */
export const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
const DAY_MS = 24 * 3600 * 1000

/**
 * Counters in memory, which a restart resets. Every signed order counts, including reduce-only
 * orders and those that were refused or cancelled: anyone may send a signed order until its
 * deadline.
 */
export class SpendingCaps {
  readonly #order: bigint
  readonly #day: bigint
  readonly #nowMs: () => number
  /** Values by quote asset, oldest first. */
  readonly #spent = new Map<string, Readonly<{ atMs: number; value: bigint }>[]>()

  constructor({ order, day }: Caps, nowMs: () => number = Date.now) {
    this.#order = toRaw(order, DECIMALS)
    this.#day = toRaw(day, DECIMALS)
    this.#nowMs = nowMs
  }

  /** Deducts the value of an order, or refuses it with the cap that it exceeds. */
  take(quoteAsset: string, value: bigint): void {
    this.#refuseAbove('CAP_ORDER', { cap: this.#order, value, quoteAsset })
    const now = this.#nowMs()
    const before = (this.#spent.get(quoteAsset) ?? []).filter(({ atMs }) => atMs > now - DAY_MS)
    const spent = before.reduce((sum, spending) => sum + spending.value, 0n)
    this.#refuseAbove('CAP_DAY', { cap: this.#day, value, quoteAsset, spent })
    this.#spent.set(quoteAsset, [...before, { atMs: now, value }])
  }

  #refuseAbove(
    code: keyof typeof RULES,
    { cap, value, quoteAsset, spent = 0n }: SpendingRequest,
  ): void {
    if (spent + value <= cap) return
    const [most, requested, used, sum] = [cap, value, spent, spent + value].map((raw) =>
      fromRaw(raw, DECIMALS),
    )
    const { option, rule } = RULES[code]
    throw new ToolError(code, `${rule}: got ${sum}, expected at most ${most} ${quoteAsset}`, {
      option,
      cap: most,
      value: requested,
      quote_asset: quoteAsset,
      ...(code === 'CAP_DAY' ? { spent: used } : {}),
    })
  }
}

type SpendingRequest = Readonly<{ cap: bigint; value: bigint; quoteAsset: string; spent?: bigint }>

const RULES = {
  CAP_ORDER: { option: '--cap-order', rule: 'order value' },
  CAP_DAY: { option: '--cap-day', rule: 'value of all orders in 24 hours' },
} as const

/** Returns the value of `amount` at `price`, rounded up, with {@link DECIMALS}. */
export const orderValueUp = (price: string, amount: string): bigint =>
  (toRaw(price, DECIMALS) * toRaw(amount, DECIMALS) + ONE - 1n) / ONE

/** Facts that determine the value of an order. */
type ValuedOrder = Readonly<{
  side: 'buy' | 'sell'
  price: string
  amount: string
  /** Prices at which a sell may fill above its limit, if known: best bid, mark, trigger. */
  marketPrices: readonly (string | null | undefined)[]
}>

/**
 * Returns the highest possible value of an order: a buy pays at most its limit; a sell gets its
 * limit or the market price, whichever is higher.
 */
export function worstValue({ side, price, amount, marketPrices }: ValuedOrder): bigint {
  let worst = orderValueUp(price, amount)
  if (side === 'buy') return worst
  for (const other of marketPrices.filter((price) => typeof price === 'string')) {
    const value = orderValueUp(other, amount)
    if (value > worst) worst = value
  }
  return worst
}

// Bounds what is signed: the value of one order, and of all within a day, for each quote asset.
import { type Decimal, fromRaw, toRaw } from 'openvenue'
import { ToolError } from './tool-error.ts'

/** In quote units: 100 is 100 USDC. */
export type Caps = Readonly<{ order: Decimal; day: Decimal }>

/** Finer than any token: prices and amounts are compared without rounding. */
export const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
const DAY_MS = 24 * 3600 * 1000

type Spent = Readonly<{ atMs: number; value: bigint }>

/**
 * Counts in memory only: whoever starts the program again begins anew. Everything that was signed
 * counts, reduce-only orders and those that were refused or cancelled as well: until its deadline
 * anybody may send what was signed.
 */
export class SpendingCaps {
  readonly #order: bigint
  readonly #day: bigint
  readonly #nowMs: () => number
  /** By quote asset, oldest first. */
  readonly #spent = new Map<string, Spent[]>()

  constructor({ order, day }: Caps, nowMs: () => number = Date.now) {
    this.#order = toRaw(order, DECIMALS)
    this.#day = toRaw(day, DECIMALS)
    this.#nowMs = nowMs
  }

  /** Takes an order's value from what is left, or refuses it with the cap that it passes. */
  take(quoteAsset: string, value: bigint): void {
    this.#refuseAbove('CAP_ORDER', { cap: this.#order, value, quoteAsset })
    const now = this.#nowMs()
    const before = (this.#spent.get(quoteAsset) ?? []).filter(({ atMs }) => atMs > now - DAY_MS)
    const spent = before.reduce((sum, one) => sum + one.value, 0n)
    this.#refuseAbove('CAP_DAY', { cap: this.#day, value, quoteAsset, spent })
    this.#spent.set(quoteAsset, [...before, { atMs: now, value }])
  }

  #refuseAbove(code: keyof typeof RULES, { cap, value, quoteAsset, spent = 0n }: Asked): void {
    if (spent + value <= cap) return
    const [most, asked, used] = [cap, value, spent].map((raw) => fromRaw(raw, DECIMALS))
    const { option, rule } = RULES[code]
    throw new ToolError(code, `${rule} at most ${most} ${quoteAsset}`, {
      ...{ option, cap: most, value: asked, quote_asset: quoteAsset },
      ...(code === 'CAP_DAY' ? { spent: used } : {}),
    })
  }
}

type Asked = Readonly<{ cap: bigint; value: bigint; quoteAsset: string; spent?: bigint }>

const RULES = {
  CAP_ORDER: { option: '--cap-order', rule: 'one order is worth' },
  CAP_DAY: { option: '--cap-day', rule: 'the orders of 24 hours are together worth' },
} as const

/** Returns what `amount` is worth at `price`, rounded up, with {@link DECIMALS}. */
export const orderValueUp = (price: string, amount: string): bigint =>
  (toRaw(price, DECIMALS) * toRaw(amount, DECIMALS) + ONE - 1n) / ONE

/** What the value of an order depends on. */
export type ValuedOrder = Readonly<{
  side: 'buy' | 'sell'
  price: string
  amount: string
  /** At what it may be filled whatever its limit, where that is known: best bid, mark, trigger. */
  marketPrices: readonly (string | null | undefined)[]
}>

/**
 * Returns what an order may come to: a buy pays its limit at most; a sell gets its limit or the
 * market's price, whichever is more.
 */
export function worstValue({ side, price, amount, marketPrices }: ValuedOrder): bigint {
  let worst = orderValueUp(price, amount)
  if (side === 'buy') return worst
  for (const other of marketPrices.filter((one) => typeof one === 'string')) {
    const value = orderValueUp(other, amount)
    if (value > worst) worst = value
  }
  return worst
}

// Counts fills of orders under market-maker protection within the interval of their rule.
import type { Market } from '@openvenue/core/records'
import type { MmpRule } from '@openvenue/store/intents/safeguards'

/** Fill of one order, in millionths of a whole base unit: positive when bought. */
export type CountedFill = Readonly<{
  account: number
  asset: string
  amount: bigint
  seconds: number
}>

const MILLION = 1_000_000n
/** Maximum number of separate fills of a rule; more are merged and dated as the newest of them. */
const FILLS_MAX = 1_000

const keyOf = ({ account, asset }: Readonly<{ account: number; asset: string }>) =>
  `${account} ${asset}`
const size = (amount: bigint) => (amount < 0n ? -amount : amount)

/** Returns lots of a market in millionths of a whole base unit, rounded down. */
export const millionths = (lots: bigint, { amountStep, baseDecimals }: Market): bigint =>
  (lots * amountStep * MILLION) / 10n ** BigInt(baseDecimals)

export class MmpCounter {
  readonly #counts = new Map<string, { rule: MmpRule; fills: CountedFill[] }>()

  /** Sets a rule. Counting restarts if it was set, reset or frozen. */
  setRule(rule: MmpRule): void {
    const key = keyOf(rule)
    const before = this.#counts.get(key)
    const isSame = before?.rule.resetMs === rule.resetMs && before.rule.frozenMs === rule.frozenMs
    if (rule.intervalSeconds === 0) this.#counts.delete(key)
    else this.#counts.set(key, { rule, fills: isSame ? before.fills : [] })
  }

  rule(account: number, asset: string): MmpRule | undefined {
    return this.#counts.get(keyOf({ account, asset }))?.rule
  }

  add(fill: CountedFill): void {
    const count = this.#counts.get(keyOf(fill))
    if (count === undefined || fill.amount === 0n) return
    count.fills.push(fill)
    if (count.fills.length <= FILLS_MAX) return
    // Merging dates the oldest fill as the next one: the rule then stops sooner, not later.
    const [first, second] = count.fills.splice(0, 2) as [CountedFill, CountedFill]
    const isOneSided = first.amount > 0n === second.amount > 0n
    if (isOneSided) count.fills.unshift({ ...second, amount: first.amount + second.amount })
    else count.fills.unshift(second)
  }

  /** Returns the rules whose limit is exceeded at `seconds`. */
  passed(seconds: number): readonly MmpRule[] {
    const passed: MmpRule[] = []
    for (const { rule, fills } of this.#counts.values()) {
      const from = seconds - rule.intervalSeconds
      while (fills[0] !== undefined && fills[0].seconds <= from) fills.shift()
      if (fills.length > 0 && isPassed(rule, fills)) passed.push(rule)
    }
    return passed
  }
}

function isPassed({ amountLimit, deltaLimit }: MmpRule, fills: readonly CountedFill[]): boolean {
  let [total, net] = [0n, 0n]
  for (const { amount } of fills) {
    total += size(amount)
    net += amount
  }
  return total > amountLimit || (deltaLimit !== undefined && size(net) > deltaLimit)
}

// Converts decimal text to the integer steps that the venue trades in, and back, without floats.
import { formatRaw, parseDecimal } from '@openvenue/core/units'
import { type Check, checkValue, oneOf, wholeFrom } from './input.ts'

/** Decimal text such as `"3217.92"`, or a `bigint` of whole units; floats lose digits. */
export type Decimal = string | bigint
/** Towards zero, away from zero, or not at all. */
export type Rounding = 'down' | 'up' | 'exact'
/** Side of an order. */
export type OrderSide = 'buy' | 'sell'

/** Exceeds the decimals of every token and price of the venue. */
const DECIMALS_MAX = 36

/** A number that is not on a step, with the nearest numbers that are. */
export class StepError extends Error {
  override readonly name = 'StepError'
  /** Decimal text; empty if no number is near. */
  readonly nearest: readonly string[]

  constructor(message: string, nearest: readonly string[] = []) {
    super(message)
    this.nearest = nearest
  }
}

const isRounding: Check = /* @__PURE__ */ oneOf('down', 'up', 'exact')
const isSide: Check = /* @__PURE__ */ oneOf('buy', 'sell')
/** Range of `uint8 decimals` in ERC-20. */
const isDecimals: Check = /* @__PURE__ */ wholeFrom(0, 255)

/**
 * Returns the number of whole `step`s in `value`, rounded towards zero (`down`), away from zero
 * (`up`), or refused by a {@link StepError} with the nearest two values (`exact`).
 *
 * @example toSteps('3217.926', '0.01', 'down') // 321792n
 */
export function toSteps(value: Decimal, step: Decimal, rounding: Rounding = 'exact'): bigint {
  checkValue('rounding', rounding, isRounding)
  const [raw, unit] = [parse(value), parse(step)]
  if (unit <= 0n) throw new StepError(`step: got ${step}, expected a value above 0`)
  const steps = raw / unit
  const rest = raw - steps * unit
  if (rest === 0n || rounding === 'down') return steps
  const further = steps + (rest > 0n ? 1n : -1n)
  if (rounding === 'up') return further
  const nearest = [steps, further].map((count) => fromSteps(count, step))
  throw new StepError(`${value} is not a multiple of ${step}`, nearest)
}

/**
 * Returns the decimal text of a number of steps.
 *
 * @example fromSteps(321792n, '0.01') // '3217.92'
 */
export const fromSteps = (steps: bigint, step: Decimal): string =>
  formatRaw(steps * parse(step), DECIMALS_MAX)

/**
 * Returns `value` in raw units of `decimals` decimals. Throws a {@link StepError} on excess digits.
 *
 * @example toRaw('1.5', 6) // 1500000n
 */
export function toRaw(value: Decimal, decimals: number): bigint {
  checkValue('decimals', decimals, isDecimals)
  if (typeof value !== 'string' && typeof value !== 'bigint')
    throw new StepError('expected decimal text or a bigint: a number loses digits')
  const raw = parseDecimal(String(value), decimals)
  if (raw === undefined)
    throw new StepError(`${value} is not a decimal number with at most ${decimals} decimals`)
  return raw
}

/**
 * Returns raw units with `decimals` decimals as decimal text.
 *
 * @example fromRaw(1500000n, 6) // '1.5'
 */
export function fromRaw(raw: bigint, decimals: number): string {
  checkValue('raw', raw, isRaw)
  checkValue('decimals', decimals, isDecimals)
  return formatRaw(raw, decimals)
}
const isRaw: Check = (value) => (typeof value === 'bigint' ? undefined : 'a bigint of raw units')

/** Steps and decimals of a market: members of `GET /markets`. */
export type MarketSteps = Readonly<{
  /** Human units, such as `"0.01"`. */
  price_step: string
  /** Human units, such as `"0.0001"`. */
  amount_step: string
  /** Decimals of raw amounts. */
  base_decimals: number
  /** Decimals of raw prices. */
  quote_decimals: number
}>

/**
 * Returns the price of an order as it is signed: raw units, on a step, never worse for you than
 * `price`. Buys are rounded down, sells up. Throws a {@link StepError} below one step.
 */
export function toOrderPrice(market: MarketSteps, side: OrderSide, price: Decimal): bigint {
  checkValue('side', side, isSide)
  const steps = toSteps(price, market.price_step, side === 'buy' ? 'down' : 'up')
  if (steps <= 0n)
    throw new StepError(`price: got ${price}, expected at least ${market.price_step}`)
  return steps * toRaw(market.price_step, market.quote_decimals)
}

/**
 * Returns the amount of an order as it is signed: raw units, on a step, never more than `amount`.
 * Throws a {@link StepError} below one step.
 */
export function toOrderAmount(market: MarketSteps, amount: Decimal): bigint {
  const steps = toSteps(amount, market.amount_step, 'down')
  if (steps <= 0n)
    throw new StepError(`amount: got ${amount}, expected at least ${market.amount_step}`)
  return steps * toRaw(market.amount_step, market.base_decimals)
}

const parse = (value: Decimal): bigint => toRaw(value, DECIMALS_MAX)

// Turns decimal text into the whole steps that the venue trades in, and back, without any float.
import { formatRaw, parseDecimal } from '@openvenue/core/units'
import { type Check, checkValue, oneOf, wholeFrom } from './input.ts'

/** Decimal text such as `"3217.92"`; a `bigint` counts wholes. A `number` cannot hold money. */
export type Decimal = string | bigint
/** Towards zero, away from it, or not at all. */
export type Rounding = 'down' | 'up' | 'exact'
/** Which side of the book an order is for. */
export type OrderSide = 'buy' | 'sell'

/** More than any token or price of the venue has. */
const DECIMALS_MAX = 36

/** A number that the venue could not trade in, with the ones next to it that it could. */
export class StepError extends Error {
  override readonly name = 'StepError'
  /** Decimal text; empty where no number is near. */
  readonly nearest: readonly string[]

  constructor(message: string, nearest: readonly string[] = []) {
    super(message)
    this.nearest = nearest
  }
}

const isRounding: Check = /* @__PURE__ */ oneOf('down', 'up', 'exact')
const isSide: Check = /* @__PURE__ */ oneOf('buy', 'sell')
/** What ERC-20 can say: `uint8 decimals`. */
const isDecimals: Check = /* @__PURE__ */ wholeFrom(0, 255)

/**
 * Returns how many whole `step` are in `value`, rounded towards zero (`down`), away from it (`up`),
 * or refused by a {@link StepError} with the nearest two (`exact`).
 *
 * @example toSteps('3217.926', '0.01', 'down') // 321792n
 */
export function toSteps(value: Decimal, step: Decimal, rounding: Rounding = 'exact'): bigint {
  checkValue('rounding', rounding, isRounding)
  const [raw, unit] = [parse(value), parse(step)]
  if (unit <= 0n) throw new StepError(`a step is above zero, and not ${step}`)
  const steps = raw / unit
  const rest = raw - steps * unit
  if (rest === 0n || rounding === 'down') return steps
  const further = steps + (rest > 0n ? 1n : -1n)
  if (rounding === 'up') return further
  const nearest = [steps, further].map((count) => fromSteps(count, step))
  throw new StepError(`${value} is no multiple of ${step}`, nearest)
}

/**
 * Returns the decimal text of so many steps.
 *
 * @example fromSteps(321792n, '0.01') // '3217.92'
 */
export const fromSteps = (steps: bigint, step: Decimal): string =>
  formatRaw(steps * parse(step), DECIMALS_MAX)

/**
 * Returns `value` in raw units of so many decimals; throws a {@link StepError} for more digits.
 *
 * @example toRaw('1.5', 6) // 1500000n
 */
export function toRaw(value: Decimal, decimals: number): bigint {
  checkValue('decimals', decimals, isDecimals)
  if (typeof value !== 'string' && typeof value !== 'bigint')
    throw new StepError('numbers are decimal text or bigint: a number would have lost digits')
  const raw = parseDecimal(String(value), decimals)
  if (raw === undefined)
    throw new StepError(`${value} is no decimal number of ${decimals} decimals`)
  return raw
}

/**
 * Returns raw units of so many decimals as decimal text.
 *
 * @example fromRaw(1500000n, 6) // '1.5'
 */
export function fromRaw(raw: bigint, decimals: number): string {
  checkValue('raw', raw, isRaw)
  checkValue('decimals', decimals, isDecimals)
  return formatRaw(raw, decimals)
}
const isRaw: Check = (value) => (typeof value === 'bigint' ? undefined : 'a bigint of raw units')

/** What the numbers of a market's orders depend on: members of `GET /markets`. */
export type MarketSteps = Readonly<{
  /** In human units: `"0.01"`. */
  price_step: string
  /** In human units: `"0.0001"`. */
  amount_step: string
  /** Of raw amounts. */
  base_decimals: number
  /** Of raw prices. */
  quote_decimals: number
}>

/**
 * Returns the price of an order as it is signed: raw, on a step, never worse for you than `price`.
 * A buy is rounded down, a sell up. Throws a {@link StepError} below one step.
 */
export function toOrderPrice(market: MarketSteps, side: OrderSide, price: Decimal): bigint {
  checkValue('side', side, isSide)
  const steps = toSteps(price, market.price_step, side === 'buy' ? 'down' : 'up')
  if (steps <= 0n) throw new StepError(`the price is at least ${market.price_step}`)
  return steps * toRaw(market.price_step, market.quote_decimals)
}

/**
 * Returns the amount of an order as it is signed: raw, on a step, never more than `amount`. Throws
 * a {@link StepError} below one step.
 */
export function toOrderAmount(market: MarketSteps, amount: Decimal): bigint {
  const steps = toSteps(amount, market.amount_step, 'down')
  if (steps <= 0n) throw new StepError(`the amount is at least ${market.amount_step}`)
  return steps * toRaw(market.amount_step, market.base_decimals)
}

const parse = (value: Decimal): bigint => toRaw(value, DECIMALS_MAX)

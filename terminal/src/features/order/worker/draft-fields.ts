// Reads the fields of a draft order, and collects their problems.
import {
  fromRaw,
  fromSteps,
  type OrderSide,
  StepError,
  type shapes,
  toRaw,
  toSteps,
} from 'openvenue'
import { readLocalTime, writeLocalTime } from '../../../text/time-text.ts'
import { readTyped } from '../../../text/typed-number.ts'
import type { DraftField, OrderDraft, OrderProblem } from '../order-protocol.ts'
import * as text from '../text.ts'

/**
 * Minimum lifetime. The order must still be valid when it reaches the chain, and the contract
 * requires another 5 s.
 */
const GOOD_TIL_SECONDS_MIN = 60
/** Offered lifetimes: an hour, a day, a week. */
const OFFERED_SECONDS = [3_600, 86_400, 604_800] as const
/** Percentages have four decimals. */
const PERCENT_DECIMALS = 4
const PERCENT = 10n ** BigInt(PERCENT_DECIMALS)
/** Maximum slippage; larger values are treated as typing errors. */
const SLIPPAGE_MAX = 20n * PERCENT
const PRICE_DECIMALS = 18
const ONE = 10n ** BigInt(PRICE_DECIMALS)

export class DraftFields {
  readonly problems: OrderProblem[] = []
  readonly #draft: OrderDraft
  readonly #market: shapes.Market

  constructor(draft: OrderDraft, market: shapes.Market) {
    this.#draft = draft
    this.#market = market
  }

  price(field: 'price' | 'trigger' | 'takeProfit' | 'stopLoss'): string | undefined {
    return this.#read(field, (typed) => exactSteps(typed, this.#market.price_step))
  }

  /**
   * Returns the amount in the base asset. An amount in the quote asset buys as much as `price`
   * allows.
   */
  amount(price: string | undefined): string | undefined {
    const step = this.#market.amount_step
    if (this.#draft.amountUnit === 'base')
      return this.#read('amount', (typed) => exactSteps(typed, step))
    return this.#read('amount', (typed) => {
      const value = toRaw(typed, PRICE_DECIMALS)
      if (price === undefined) return undefined
      const each = toRaw(price, PRICE_DECIMALS)
      const amount = fromRaw((value * ONE) / each, PRICE_DECIMALS)
      const steps = toSteps(amount, step, 'down')
      if (steps > 0n) return fromSteps(steps, step)
      const least = fromRaw((each * toRaw(step, PRICE_DECIMALS)) / ONE, PRICE_DECIMALS)
      throw new StepError(text.atLeastOneStep(least), [least])
    })
  }

  /** Returns ten-thousandths of a percent. */
  slippage(): bigint | undefined {
    return this.#read('slippage', (typed) => {
      const raw = toRaw(typed, PERCENT_DECIMALS)
      if (raw <= 0n || raw > SLIPPAGE_MAX)
        throw new StepError(text.slippageRange, [raw <= 0n ? '0.1' : '20'])
      return raw
    })
  }

  /** Returns the expiry of the order in Unix seconds. */
  goodTil({ nowSeconds, lastSeconds, reason }: Lifetime): number | undefined {
    const seconds = readLocalTime(this.#draft.goodTil)
    if (seconds === undefined) {
      const offered = OFFERED_SECONDS.map((after) => nowSeconds + after)
      const legal = offered.filter((at) => at <= lastSeconds)
      return this.refuse('goodTil', text.chooseTime, legal.map(toMinute))
    }
    const earliest = nowSeconds + GOOD_TIL_SECONDS_MIN
    if (seconds < earliest)
      return this.refuse('goodTil', text.atLeastOneMinute, [writeLocalTime(earliest, 'up')])
    if (seconds > lastSeconds) return this.refuse('goodTil', reason, [writeLocalTime(lastSeconds)])
    return seconds
  }

  refuse(field: DraftField, rule: string, nearest: readonly string[] = []): undefined {
    this.problems.push({ field, text: rule, nearest })
  }

  /** Returns the price `slippage` worse than `price`, rounded so that it is never worse. */
  bound(side: OrderSide, price: string, slippage: bigint): string {
    const sign = side === 'buy' ? 1n : -1n
    const hundred = 100n * PERCENT
    const raw = (toRaw(price, PRICE_DECIMALS) * (hundred + sign * slippage)) / hundred
    const rounding = side === 'buy' ? 'down' : 'up'
    const step = this.#market.price_step
    return fromSteps(toSteps(fromRaw(raw, PRICE_DECIMALS), step, rounding), step)
  }

  #read<T>(field: DraftField, read: (typed: string) => T): T | undefined {
    try {
      return read(readTyped(String(this.#draft[field])))
    } catch (error) {
      if (!(error instanceof StepError)) throw error
      return this.refuse(field, error.message, error.nearest)
    }
  }
}

/** The allowed lifetime of an order, and the reason of its limit. */
type Lifetime = Readonly<{ nowSeconds: number; lastSeconds: number; reason: string }>

const toMinute = (seconds: number): string => writeLocalTime(seconds)

/**
 * Returns `typed` unchanged if it is a multiple of the step. Otherwise throws with the nearest two
 * multiples, zero excluded.
 */
function exactSteps(typed: string, step: string): string {
  try {
    if (toSteps(typed, step) > 0n) return typed
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    const nearest = error.nearest.filter((near) => near !== '0')
    throw new StepError(text.multipleOf(step), nearest)
  }
  throw new StepError(text.atLeast(step), [step])
}

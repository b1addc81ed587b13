// Reads the fields of an order's draft, and keeps what is wrong with them.
import {
  fromRaw,
  fromSteps,
  type OrderSide,
  StepError,
  type shapes,
  toRaw,
  toSteps,
} from 'openvenue'
import { readTyped } from '../text/typed-number.ts'
import type { DraftField, OrderDraft, OrderProblem } from './order-protocol.ts'

const HOURS_MAX = 8_760n
/** Percent have four decimals. */
const PERCENT_DECIMALS = 4
const PERCENT = 10n ** BigInt(PERCENT_DECIMALS)
/** Nobody means more. */
const SLIPPAGE_MAX = 20n * PERCENT
const PRICE_DECIMALS = 18

/** Reads fields, and keeps what is wrong with them. */
export class DraftFields {
  readonly problems: OrderProblem[] = []
  readonly #draft: OrderDraft
  readonly #market: shapes.Market

  constructor(draft: OrderDraft, market: shapes.Market) {
    this.#draft = draft
    this.#market = market
  }

  price(field: 'price' | 'trigger' | 'takeProfit' | 'stopLoss'): string | undefined {
    return this.#read(field, (text) => exactSteps(text, this.#market.price_step))
  }

  amount(): string | undefined {
    return this.#read('amount', (text) => exactSteps(text, this.#market.amount_step))
  }

  /** Returns ten-thousandths of a percent. */
  slippage(): bigint | undefined {
    return this.#read('slippage', (text) => {
      const raw = toRaw(text, PERCENT_DECIMALS)
      if (raw <= 0n || raw > SLIPPAGE_MAX)
        throw new StepError('Slippage is above 0 and at most 20 %', [raw <= 0n ? '0.1' : '20'])
      return raw
    })
  }

  hours(): bigint | undefined {
    return this.#read('hours', (text) => {
      const hours = toSteps(text, '1')
      if (hours <= 0n || hours > HOURS_MAX)
        throw new StepError('From one hour to a year', [hours <= 0n ? '1' : `${HOURS_MAX}`])
      return hours
    })
  }

  refuse(field: DraftField, text: string, nearest: readonly string[] = []): undefined {
    this.problems.push({ field, text, nearest })
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

  #read<T>(field: DraftField, read: (text: string) => T): T | undefined {
    try {
      return read(readTyped(String(this.#draft[field])))
    } catch (error) {
      if (!(error instanceof StepError)) throw error
      return this.refuse(field, error.message, error.nearest)
    }
  }
}

/** Returns `text` as it is; throws with the nearest two, zero not among them. */
function exactSteps(text: string, step: string): string {
  try {
    if (toSteps(text, step) > 0n) return text
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    const nearest = error.nearest.filter((near) => near !== '0')
    throw new StepError(`A whole multiple of ${step}`, nearest)
  }
  throw new StepError(`At least ${step}`, [step])
}

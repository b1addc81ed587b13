// Recognises integers that were made for another scale than the market's, and limit prices that
// stand for "whatever it costs".
import type { Market } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import type { FieldError } from '../http/refusals.ts'
import { UINT256_MAX } from './order-member.ts'
import type { SignedOrder } from './signed-order.ts'

/** Clients of the family write every integer with six decimals. */
const FAMILY_DECIMALS = 6
/** How far from the mark the price is that a market order is to sign: 5 %, in hundredths. */
const PROTECTION_PERCENT = 5n
const WHOLE_PERCENT = 100n

type Sized = Readonly<{ decimals: number; step: bigint; whole: string }>

/**
 * Returns what is wrong with the integers of `order` as a whole, before any rule of the market:
 * six decimals in place of the market's, and the extremes of a market order. `mark` is the price in
 * force, quote raw per whole base; undefined where there is none.
 */
export function scaleErrors(
  market: Market,
  order: Pick<SignedOrder, 'isBuy' | 'limitPrice' | 'amount' | 'triggerPrice'>,
  mark: bigint | undefined,
): readonly FieldError[] {
  const price = { decimals: market.quoteDecimals, step: market.priceStep, whole: 'price' }
  const amount = { decimals: market.baseDecimals, step: market.amountStep, whole: 'amount' }
  const extreme = marketExtreme(market, order, mark)
  const found = [
    extreme ?? sixDecimals('limit_price', order.limitPrice, price),
    sixDecimals('amount', order.amount, amount),
    sixDecimals('trigger', order.triggerPrice, price),
  ]
  return found.filter((error) => error !== undefined)
}

/**
 * A value below one step is never legal. One that is a whole number of steps when its six decimals
 * are made the market's was meant so.
 */
function sixDecimals(field: string, value: bigint, { decimals, step, whole }: Sized) {
  if (decimals <= FAMILY_DECIMALS || value === 0n || value >= step) return undefined
  const scaled = value * 10n ** BigInt(decimals - FAMILY_DECIMALS)
  if (scaled % step !== 0n) return undefined
  const human = formatRaw(value, FAMILY_DECIMALS)
  const error: FieldError = {
    field,
    code: field === 'amount' ? 'INVALID_AMOUNT_STEP_SIZE' : 'INVALID_PRICE_STEP_SIZE',
    message:
      `${field} is ${whole} * 10^${decimals} in this market; ${value} looks like six decimals: ` +
      `${human} is ${scaled}`,
    nearest: scaled.toString(),
    facts: { step: step.toString() },
  }
  return error
}

function marketExtreme(
  { priceStep, quoteDecimals }: Market,
  { isBuy, limitPrice }: Pick<SignedOrder, 'isBuy' | 'limitPrice'>,
  mark: bigint | undefined,
): FieldError | undefined {
  if (limitPrice !== (isBuy ? UINT256_MAX : 0n)) return undefined
  const message =
    'limit_price is signed, so it is the worst price that you take: sign the mark ' +
    `${isBuy ? 'plus' : 'less'} ${PROTECTION_PERCENT} % with time_in_force IOC`
  const error = { field: 'limit_price', code: 'INVALID_PARAMETER', message } as const
  if (mark === undefined || mark === 0n) return error
  const nearest = protectedPrice(mark, priceStep, isBuy).toString()
  return { ...error, nearest, facts: { mark_price: formatRaw(mark, quoteDecimals) } }
}

/** Returns the price that protects a market order, rounded towards the mark. */
function protectedPrice(mark: bigint, step: bigint, isBuy: boolean): bigint {
  const percent = isBuy ? WHOLE_PERCENT + PROTECTION_PERCENT : WHOLE_PERCENT - PROTECTION_PERCENT
  const price = mark * percent
  const unit = step * WHOLE_PERCENT
  return (isBuy ? price / unit : (price + unit - 1n) / unit) * step
}

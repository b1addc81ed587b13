// Computes how much a part of an account's buying power buys, exactly.

import type { OrderSide } from 'openvenue'
import { fromRaw, fromSteps, type shapes, toRaw, toSteps } from 'openvenue'

export const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
const HUNDRED = 100n

/** What a size is computed from. `price` is the worst one of the order. */
export type SizeQuestion = Readonly<{
  market: shapes.Market
  account: shapes.Account
  side: OrderSide
  price: string
  isReduceOnly: boolean
  percent: number
}>

/** What of an account says what it can buy for. */
export type Payer = Pick<shapes.Account, 'available_balance' | 'leverages' | 'collaterals'>

/** Returns the amount, on a step and never more; "0" where there is nothing to trade with. */
export function sizeFor(question: SizeQuestion): string {
  const { market, percent } = question
  const whole = market.instrument_type === 'SPOT' ? spotRoom(question) : perpetualRoom(question)
  const amount = fromRaw((whole * BigInt(percent)) / HUNDRED, DECIMALS)
  return fromSteps(toSteps(amount, market.amount_step, 'down'), market.amount_step)
}

const raw = (text: string | null | undefined): bigint => toRaw(text ?? '0', DECIMALS)

function spotRoom({ market, account, side, price }: SizeQuestion): bigint {
  const symbol = side === 'buy' ? market.quote_asset : market.underlying_asset
  const free = freeToken(account, symbol)
  return side === 'sell' ? free : (free * ONE) / raw(price)
}

/** Returns how much of a token is free to trade with, in 18 decimals. */
export function freeToken({ collaterals }: Payer, symbol: string): bigint {
  const token = collaterals.find(
    ({ instrument_type, collateral_asset }) =>
      instrument_type === 'SPOT' && collateral_asset === symbol,
  )
  return raw(token?.available_balance)
}

/** Returns for how much free margin buys in a perpetual market at its mark, in 18 decimals. */
export function valueAtMark(account: Payer, market: shapes.Market): bigint {
  const times = raw(leverageOf(account, market))
  const cost = ONE + (times * raw(market.taker_fee)) / ONE
  return (raw(account.available_balance) * times) / cost
}

/** Returns the leverage that the account has chosen in a market, else the most that there is. */
export function leverageOf({ leverages }: Payer, market: shapes.Market): string {
  const own = leverages.find((one) => one.instrument_name === market.instrument_name)
  return own?.leverage ?? market.max_leverage ?? '1'
}

function perpetualRoom({ market, account, side, price, isReduceOnly }: SizeQuestion): bigint {
  const name = market.instrument_name
  const position = account.positions.find((one) => one.instrument_name === name)
  const closable = position === undefined || position.side === side ? 0n : raw(position.amount)
  if (isReduceOnly) return closable
  const times = raw(leverageOf(account, market))
  // The margin is that at the mark, wherever the order rests, and the fee of a taker leaves it too:
  // n * higher / leverage + n * price * fee = free. Who pays more than the mark loses that.
  const higher = [raw(price), raw(market.mark_price)].reduce((a, b) => (a > b ? a : b))
  const cost = higher * ONE + times * ((raw(price) * raw(market.taker_fee)) / ONE)
  return (raw(account.available_balance) * times * ONE) / cost
}

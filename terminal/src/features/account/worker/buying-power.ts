// Buying power of an account in a market, and the size that a share of it buys. Both are exact.
import { fromRaw, fromSteps, type OrderSide, type shapes, toRaw, toSteps } from 'openvenue'
import { showDecimal } from '../../../text/decimal-text.ts'
import { type BuyingPower, NO_BUYING_POWER } from '../../tables/table-protocol.ts'
import * as text from '../text.ts'

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
const HUNDRED = 100n
const MONEY_DECIMALS = 2

/** Returns the buying power, which is 100 % in the order form. Rounded down to cents. */
export function viewBuyingPower(
  account: PayerAccount,
  market: shapes.Market | undefined,
): BuyingPower {
  if (market === undefined) return NO_BUYING_POWER
  const { instrument_name: name, quote_asset: quote } = market
  const money = (raw: bigint) =>
    `${showDecimal(fromRaw(raw > 0n ? raw : 0n, DECIMALS), MONEY_DECIMALS)} ${quote}`
  if (market.instrument_type === 'SPOT') {
    const hint = text.spotBuyingPower(name, quote)
    return { name: text.buyingPower, value: money(freeToken(account, quote)), hint }
  }
  const hint = text.perpetualBuyingPower(name)
  const times = showDecimal(leverageOf(account, market))
  return { name: text.buyingPowerAt(times), value: money(valueAtMark(account, market)), hint }
}

/** Inputs of a size. `price` is the price limit of the order. */
export type SizeQuestion = Readonly<{
  market: shapes.Market
  account: shapes.Account
  side: OrderSide
  price: string
  isReduceOnly: boolean
  percent: number
}>

/** The members of an account that determine its buying power. */
type PayerAccount = Pick<shapes.Account, 'available_balance' | 'leverages' | 'collaterals'>

/** Returns the amount, rounded down to a step; "0" if there is nothing to trade with. */
export function sizeFor(question: SizeQuestion): string {
  const { market, percent } = question
  const whole = market.instrument_type === 'SPOT' ? spotRoom(question) : perpetualRoom(question)
  const amount = fromRaw((whole * BigInt(percent)) / HUNDRED, DECIMALS)
  return fromSteps(toSteps(amount, market.amount_step, 'down'), market.amount_step)
}

const raw = (decimal: string | null | undefined): bigint => toRaw(decimal ?? '0', DECIMALS)

function spotRoom({ market, account, side, price }: SizeQuestion): bigint {
  const symbol = side === 'buy' ? market.quote_asset : market.underlying_asset
  const free = freeToken(account, symbol)
  return side === 'sell' ? free : (free * ONE) / raw(price)
}

/** Returns the available amount of a token, 18 decimals. */
function freeToken({ collaterals }: PayerAccount, symbol: string): bigint {
  const token = collaterals.find(
    ({ instrument_type, collateral_asset }) =>
      instrument_type === 'SPOT' && collateral_asset === symbol,
  )
  return raw(token?.available_balance)
}

/** Returns the value that free margin can buy in a perpetual market at its mark, 18 decimals. */
function valueAtMark(account: PayerAccount, market: shapes.Market): bigint {
  const times = raw(leverageOf(account, market))
  const cost = ONE + (times * raw(market.taker_fee)) / ONE
  return (raw(account.available_balance) * times) / cost
}

/** Returns the leverage that the account has chosen in a market, or else the maximum. */
function leverageOf({ leverages }: PayerAccount, market: shapes.Market): string {
  const chosen = leverages.find(({ instrument_name: name }) => name === market.instrument_name)
  return chosen?.leverage ?? market.max_leverage ?? '1'
}

function perpetualRoom({ market, account, side, price, isReduceOnly }: SizeQuestion): bigint {
  const name = market.instrument_name
  const position = account.positions.find(({ instrument_name }) => instrument_name === name)
  const closable = position === undefined || position.side === side ? 0n : raw(position.amount)
  if (isReduceOnly) return closable
  const times = raw(leverageOf(account, market))
  // Initial margin is charged at the mark wherever the order rests, and the taker fee is charged
  // too: n * higher / leverage + n * price * fee = free. A buyer above the mark loses the
  // difference.
  const higher = [raw(price), raw(market.mark_price)].reduce((a, b) => (a > b ? a : b))
  const cost = higher * ONE + times * ((raw(price) * raw(market.taker_fee)) / ONE)
  return (raw(account.available_balance) * times * ONE) / cost
}

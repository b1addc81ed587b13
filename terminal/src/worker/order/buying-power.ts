// Says what an account can buy for in a market now: what 100 % of the order form is made of.
import { fromRaw, type shapes } from 'openvenue'
import { type BuyingPower, NO_BUYING_POWER } from '../tables/table-protocol.ts'
import { showDecimal } from '../text/decimal-text.ts'
import { DECIMALS, freeToken, leverageOf, type Payer, valueAtMark } from './order-size.ts'

const NAME = 'Buying power'
const MONEY_DECIMALS = 2

/** Returns it as it is shown, cut to cents. */
export function viewBuyingPower(account: Payer, market: shapes.Market | undefined): BuyingPower {
  if (market === undefined) return NO_BUYING_POWER
  const { instrument_name: name, quote_asset: quote } = market
  const money = (raw: bigint) =>
    `${showDecimal(fromRaw(raw > 0n ? raw : 0n, DECIMALS), MONEY_DECIMALS)} ${quote}`
  if (market.instrument_type === 'SPOT') {
    const says = `What 100 % of the order form buys for in ${name}: the ${quote} that no order takes.`
    return { name: NAME, value: money(freeToken(account, quote)), says }
  }
  const says = `What 100 % of the order form buys for in ${name} at the mark: the margin that nothing takes, times the leverage, less the fee of a taker.`
  const times = showDecimal(leverageOf(account, market))
  return { name: `${NAME}, ${times}x`, value: money(valueAtMark(account, market)), says }
}

// Writes a market as its row shows it.
import type { shapes } from 'openvenue'
import { decimalsOf, showDecimal, showPercent } from './decimal-text.ts'
import type { MarketRow } from './protocol.ts'

const NOTHING = '–'

/** Returns what the header and the list of markets show. */
export function viewMarket(market: shapes.Market): MarketRow {
  const digits = decimalsOf(market.price_step)
  const price = (text: string | null) => (text === null ? NOTHING : showDecimal(text, digits))
  const { funding_rate: funding } = market
  return {
    name: market.instrument_name,
    kind: market.instrument_type,
    last: price(market.mark_price),
    change: '',
    isUp: true,
    mark: price(market.mark_price),
    index: price(market.index_price),
    volume: showDecimal(market.volume_24h, 0),
    openInterest: market.open_interest === null ? '' : showDecimal(market.open_interest),
    funding: funding === null ? '' : showPercent(funding, 4),
    isActive: market.is_active,
  }
}

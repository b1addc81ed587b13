// Writes a market as its row shows it.
import type { shapes } from 'openvenue'
import type { MarketRow } from '../protocol.ts'
import { decimalsOf, showDecimal, showPercent } from '../text/decimal-text.ts'
import { viewDay } from './markets-view.ts'

const NOTHING = '–'

/** Returns what the header and the list of markets show; `day` is undefined before it is read. */
export function viewMarket(market: shapes.Market, day: shapes.Ticker | undefined): MarketRow {
  const digits = decimalsOf(market.price_step)
  const price = (text: string | null) => (text === null ? NOTHING : showDecimal(text, digits))
  const { funding_rate: funding } = market
  return {
    name: market.instrument_name,
    kind: market.instrument_type,
    base: market.underlying_asset,
    quote: market.quote_asset,
    last: price(day?.last_price ?? market.mark_price),
    mark: price(market.mark_price),
    index: price(market.index_price),
    volume: showDecimal(market.volume_24h, 0),
    openInterest: market.open_interest === null ? '' : showDecimal(market.open_interest),
    funding: funding === null ? '' : showPercent(funding, 4),
    maxLeverage: market.max_leverage ?? '',
    state: stateOf(market),
    withdrawalsStopped: market.withdrawals_stopped === true,
    ranks: {
      mark: Number(market.mark_price ?? 0),
      volume: Number(market.volume_24h),
      openInterest: Number(market.open_interest ?? 0),
      funding: Number(funding ?? 0),
    },
    ...viewDay(day, market.price_step),
  }
}

function stateOf({ is_active, is_ended }: shapes.Market): MarketRow['state'] {
  if (is_ended === true) return 'ended'
  return is_active ? 'active' : 'halted'
}

/** Returns the market and its price as a tab's title has them; empty where it is not known. */
export function titleOf(rows: readonly MarketRow[], market: string | undefined): string {
  const row = rows.find(({ name }) => name === market)
  return row === undefined ? '' : `${row.mark} ${row.name}`
}

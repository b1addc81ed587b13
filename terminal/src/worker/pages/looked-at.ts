// Writes an account that is only looked at, from what the contracts hold of it.
import { fromRaw, type shapes, toRaw } from 'openvenue'
import { signed } from '../account/account-view.ts'
import type { BalanceRow, Cell, TableRow } from '../tables/table-protocol.ts'
import { showDecimal } from '../text/decimal-text.ts'
import type { ChainPosition, PerpAccount, RestingOrder } from './chain-reads.ts'
import { secondsText } from './keys-view.ts'
import type { Fact } from './page-protocol.ts'

const DECIMALS = 18
const MONEY_DECIMALS = 2
const ONE = 10n ** BigInt(DECIMALS)
const NOTHING = '–'

const money = (raw: bigint) => showDecimal(fromRaw(raw, DECIMALS), MONEY_DECIMALS)
const cell = (text: string): Cell => ({ text, side: '' })
const magnitude = (raw: bigint) => (raw < 0n ? -raw : raw)

/** Returns equity and margins in words. */
export const viewMargins = (held: PerpAccount): readonly Fact[] => [
  {
    ...{ name: 'Equity', value: money(held.equity), side: '' },
    says: 'Margin, with the profit, loss and funding of open positions.',
  },
  {
    ...{ name: 'Collateral', value: money(held.collateral), side: '' },
    says: 'Margin before profit and loss.',
  },
  {
    ...{ name: 'Free', value: money(held.available), side: '' },
    says: 'Equity above the initial margin: what new orders may use.',
  },
  {
    ...{ name: 'Initial margin', value: money(held.initialMargin), side: '' },
    says: 'Needed to open what is open and resting.',
  },
  {
    ...{ name: 'Maintenance margin', value: money(held.maintenanceMargin), side: '' },
    says: 'Below it the account may be liquidated.',
  },
]

/** Returns the row of a position, or undefined where there is none. */
export function viewPosition(
  market: shapes.Market,
  { lots, quote }: ChainPosition,
): TableRow | undefined {
  if (lots === 0n) return undefined
  const base = toRaw(market.amount_step, DECIMALS) * lots
  const mark = market.mark_price === null ? undefined : toRaw(market.mark_price, DECIMALS)
  const value = mark === undefined ? undefined : (base * mark) / ONE
  const entry = fromRaw((magnitude(quote) * ONE) / magnitude(base), DECIMALS)
  const digits = market.price_step.split('.')[1]?.length ?? 0
  const pnl =
    value === undefined ? NOTHING : signed(fromRaw(value + quote, DECIMALS), MONEY_DECIMALS)
  const isLong = lots > 0n
  return {
    ...{ id: market.instrument_id, market: market.instrument_name, action: '' },
    cells: [
      cell(market.instrument_name),
      {
        text: `${isLong ? '▲ long' : '▼ short'} ${showDecimal(fromRaw(magnitude(base), DECIMALS))}`,
        side: isLong ? 'buy' : 'sell',
      },
      cell(value === undefined ? NOTHING : money(magnitude(value))),
      cell(showDecimal(entry, digits)),
      cell(market.mark_price === null ? NOTHING : showDecimal(market.mark_price, digits)),
      { text: pnl, side: sideOf(pnl) },
    ],
  }
}

const sideOf = (shown: string): Cell['side'] => {
  if (shown.startsWith('-')) return 'sell'
  return shown.startsWith('+') ? 'buy' : ''
}

/** Returns the row of an order that rests. */
export function viewResting(
  market: shapes.Market,
  side: 'buy' | 'sell',
  { order, tick, lots, goodTil }: RestingOrder,
): TableRow {
  const price = fromRaw(toRaw(market.price_step, DECIMALS) * BigInt(tick), DECIMALS)
  const amount = fromRaw(toRaw(market.amount_step, DECIMALS) * lots, DECIMALS)
  return {
    ...{ id: `${market.instrument_id}-${order}`, market: market.instrument_name, action: '' },
    cells: [
      cell(market.instrument_name),
      { text: side === 'buy' ? '▲ buy' : '▼ sell', side },
      cell(showDecimal(price)),
      cell(showDecimal(amount)),
      cell(goodTil === 0 ? 'cancelled' : secondsText(goodTil)),
    ],
  }
}

/** Returns the row of a token that the account may withdraw. */
export const viewFree = (token: shapes.InfoToken, raw: bigint): BalanceRow => ({
  ...{ id: token.address, symbol: token.symbol, kind: 'spot' },
  total: NOTHING,
  free: showDecimal(fromRaw(raw, token.decimals)),
  value: NOTHING,
})

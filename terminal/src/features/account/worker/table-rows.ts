// Formats orders, positions and past events as table rows.
import type { shapes } from 'openvenue'
import { showDecimal, showPercent } from '../../../text/decimal-text.ts'
import type { Cell, TableRow } from '../../tables/table-protocol.ts'
import { signed } from './account-view.ts'
import { isPositionNear } from './liquidation-risk.ts'

const NOTHING = '–'
const NS_PER_MS = 1_000_000n
const MONEY_DECIMALS = 2
const RATE_DECIMALS = 4

type Side = 'buy' | 'sell'

const cell = (text: string): Cell => ({ text, side: '' })
const number = (text: string | null, decimals?: number): Cell =>
  cell(text === null ? NOTHING : showDecimal(text, decimals))
/** A gain or a loss. Its sign matches its colour. */
const gain = (text: string | null): Cell => {
  if (text === null) return cell(NOTHING)
  const shown = signed(text, MONEY_DECIMALS)
  return { text: shown, side: sideOf(shown) }
}
const sideOf = (shown: string): Cell['side'] => {
  if (shown.startsWith('-')) return 'sell'
  return shown.startsWith('+') ? 'buy' : ''
}
const side = (given: Side): Cell => ({ text: given === 'buy' ? '▲ buy' : '▼ sell', side: given })
const time = (ns: string): Cell => {
  const date = new Date(Number(BigInt(ns) / NS_PER_MS))
  return cell(`${date.toLocaleDateString('sv-SE')} ${date.toLocaleTimeString('en-GB')}`)
}

/** The displayed members of a position; null where unknown. */
type PositionShown = Pick<
  shapes.PerpetualPosition,
  'instrument_id' | 'instrument_name' | 'side' | 'amount'
> &
  Readonly<
    Record<
      | 'notional_value'
      | 'avg_entry_price'
      | 'mark_price'
      | 'liquidation_price'
      | 'unrealized_pnl'
      | 'initial_margin'
      | 'accumulated_funding',
      string | null
    >
  >

/**
 * Returns the row of a perpetual position; spot holdings are listed with the balances. Averages are
 * cut to `digits` decimals, those of the market's prices.
 */
export function positionRow(position: PositionShown, digits?: number): TableRow {
  const isLong = position.side === 'buy'
  return {
    id: position.instrument_id,
    market: position.instrument_name,
    action: 'close',
    cells: [
      cell(position.instrument_name),
      {
        text: `${isLong ? '▲ long' : '▼ short'} ${showDecimal(position.amount)}`,
        side: position.side,
      },
      number(position.notional_value, MONEY_DECIMALS),
      number(position.avg_entry_price, digits),
      number(position.mark_price, digits),
      { ...number(position.liquidation_price, digits), ...liquidationBadge(position) },
      gain(position.unrealized_pnl),
      number(position.initial_margin, MONEY_DECIMALS),
      gain(position.accumulated_funding),
    ],
  }
}

const liquidationBadge = (position: PositionShown): Pick<Cell, 'badge'> =>
  isPositionNear(position) ? { badge: 'near' } : {}

export const orderRow = (order: shapes.Order): TableRow => ({
  id: order.order_id,
  market: order.instrument_name,
  action: 'cancel',
  cells: [
    cell(order.instrument_name),
    side(order.side),
    cell(typeOf(order)),
    number(order.price),
    number(order.amount),
    number(order.filled),
    number(order.trigger ?? null),
    cell(STATUS[order.order_status]),
    time(order.created_timestamp),
  ],
})

const STATUS: Readonly<Record<shapes.OrderStatus, string>> = {
  opened: 'open',
  partial: 'partly filled',
  filled: 'filled',
  cancelled: 'cancelled',
  pending: 'pending',
  stop_order: 'untriggered',
  rejected: 'rejected',
  expired: 'expired',
}

type OrderTypeFields = Pick<shapes.Order, 'order_type' | 'post_only' | 'reduce_only' | 'stop'>

const typeOf = ({ order_type, post_only, reduce_only, stop }: OrderTypeFields): string =>
  [
    stop === undefined ? '' : stop.toLowerCase().replace('_', '-'),
    order_type,
    post_only ? 'post-only' : '',
    reduce_only ? 'reduce-only' : '',
  ]
    .filter((word) => word !== '')
    .join(' ')

export const fillRow = (fill: shapes.Fill): TableRow => ({
  id: fill.trade_id,
  market: fill.instrument_name,
  action: '',
  cells: [
    cell(fill.instrument_name),
    side(fill.side),
    number(fill.price),
    number(fill.amount),
    number(fill.quote_amount, MONEY_DECIMALS),
    cell(`${showDecimal(fill.fees)} ${fill.fee_asset}`),
    gain(fill.pnl),
    cell(fill.trade_type === 'liquidation' ? 'liquidation' : (fill.liquidity ?? NOTHING)),
    time(fill.created_timestamp),
  ],
})

export const fundingRow = (paid: shapes.FundingPayment): TableRow => ({
  id: paid.trade_id,
  market: paid.instrument_name,
  action: '',
  cells: [
    cell(paid.instrument_name),
    side(paid.side),
    number(paid.amount),
    number(paid.mark_price),
    cell(showPercent(paid.funding_rate, RATE_DECIMALS)),
    { text: signed(paid.funding_payment), side: sideOf(signed(paid.funding_payment)) },
    time(paid.created_timestamp),
  ],
})

export const pastOrderRow = (order: shapes.PastOrder): TableRow => ({
  id: order.order_id,
  market: order.instrument_name,
  action: '',
  cells: [
    cell(order.instrument_name),
    side(order.side),
    cell(typeOf(order)),
    number(order.price),
    number(order.avg_price),
    number(order.amount),
    number(order.filled),
    cell(STATUS[order.order_status]),
    time(order.created_timestamp),
  ],
})

export const transferRow = (moved: shapes.Transaction): TableRow => {
  const isIn = moved.tx_type === 'deposit' || moved.tx_type === 'receive'
  return {
    id: `${moved.tx_hash}-${moved.tx_type}-${moved.collateral}-${moved.amount}`,
    market: '',
    action: '',
    cells: [
      { text: `${isIn ? '▲' : '▼'} ${moved.tx_type}`, side: isIn ? 'buy' : 'sell' },
      cell(moved.collateral_asset),
      number(moved.amount),
      cell(moved.counter_party ?? moved.recipient ?? NOTHING),
      number(String(moved.block_number)),
      time(moved.finalized_timestamp),
    ],
  }
}

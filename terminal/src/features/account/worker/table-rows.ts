// Formats orders, positions and past events as table rows.
import type { OrderSide, shapes } from 'openvenue'
import { showDecimal, showPercent } from '../../../text/decimal-text.ts'
import type { TableCell, TableRow } from '../../tables/table-protocol.ts'
import * as text from '../text.ts'
import { signed } from './account-view.ts'
import { isPositionNear } from './liquidation-risk.ts'

const NOTHING = '–'
const NS_PER_MS = 1_000_000n
const MONEY_DECIMALS = 2
const RATE_DECIMALS = 4

const cell = (content: string): TableCell => ({ text: content, side: '' })
const number = (decimal: string | null, decimals?: number): TableCell =>
  cell(decimal === null ? NOTHING : showDecimal(decimal, decimals))
/** A gain or a loss. Its sign matches its colour. */
const gain = (decimal: string | null): TableCell => {
  if (decimal === null) return cell(NOTHING)
  const shown = signed(decimal, MONEY_DECIMALS)
  return { text: shown, side: sideOf(shown) }
}
const sideOf = (shown: string): TableCell['side'] => {
  if (shown.startsWith('-')) return 'sell'
  return shown.startsWith('+') ? 'buy' : ''
}
const sideCell = (side: OrderSide): TableCell => ({ text: text.sides[side], side })
const time = (ns: string): TableCell => {
  const date = new Date(Number(BigInt(ns) / NS_PER_MS))
  return cell(`${date.toLocaleDateString('sv-SE')} ${date.toLocaleTimeString('en-GB')}`)
}

/** The displayed members of a position; null where unknown. */
type PositionSource = Pick<
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
export function positionRow(position: PositionSource, digits?: number): TableRow {
  const isLong = position.side === 'buy'
  return {
    id: position.instrument_id,
    market: position.instrument_name,
    action: 'close',
    cells: [
      cell(position.instrument_name),
      {
        text: text.positionSize(isLong, showDecimal(position.amount)),
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

const liquidationBadge = (position: PositionSource): Pick<TableCell, 'badge'> =>
  isPositionNear(position) ? { badge: text.nearBadge } : {}

export const orderRow = (order: shapes.Order): TableRow => ({
  id: order.order_id,
  market: order.instrument_name,
  action: 'cancel',
  cells: [
    cell(order.instrument_name),
    sideCell(order.side),
    cell(typeOf(order)),
    number(order.price),
    number(order.amount),
    number(order.filled),
    number(order.trigger ?? null),
    cell(text.orderStates[order.order_status]),
    time(order.created_timestamp),
  ],
})

type OrderTypeFields = Pick<shapes.Order, 'order_type' | 'post_only' | 'reduce_only' | 'stop'>

const typeOf = ({ order_type, post_only, reduce_only, stop }: OrderTypeFields): string =>
  [
    stop === undefined ? '' : text.stopTypes[stop],
    text.orderTypes[order_type],
    post_only ? text.postOnly : '',
    reduce_only ? text.reduceOnly : '',
  ]
    .filter((word) => word !== '')
    .join(' ')

export const fillRow = (fill: shapes.Fill): TableRow => ({
  id: fill.trade_id,
  market: fill.instrument_name,
  action: '',
  cells: [
    cell(fill.instrument_name),
    sideCell(fill.side),
    number(fill.price),
    number(fill.amount),
    number(fill.quote_amount, MONEY_DECIMALS),
    cell(`${showDecimal(fill.fees)} ${fill.fee_asset}`),
    gain(fill.pnl),
    cell(liquidityOf(fill)),
    time(fill.created_timestamp),
  ],
})

function liquidityOf({ trade_type: type, liquidity }: shapes.Fill): string {
  if (type === 'liquidation') return text.liquidation
  return liquidity === null ? NOTHING : text.liquidityRoles[liquidity]
}

export const fundingRow = (paid: shapes.FundingPayment): TableRow => ({
  id: paid.trade_id,
  market: paid.instrument_name,
  action: '',
  cells: [
    cell(paid.instrument_name),
    sideCell(paid.side),
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
    sideCell(order.side),
    cell(typeOf(order)),
    number(order.price),
    number(order.avg_price),
    number(order.amount),
    number(order.filled),
    cell(text.orderStates[order.order_status]),
    time(order.created_timestamp),
  ],
})

export const transferRow = (transfer: shapes.Transaction): TableRow => {
  const isIn = transfer.tx_type === 'deposit' || transfer.tx_type === 'receive'
  return {
    id: `${transfer.tx_hash}-${transfer.tx_type}-${transfer.collateral}-${transfer.amount}`,
    market: '',
    action: '',
    cells: [
      { text: text.transferKinds[transfer.tx_type], side: isIn ? 'buy' : 'sell' },
      cell(transfer.collateral_asset),
      number(transfer.amount),
      cell(transfer.counter_party ?? transfer.recipient ?? NOTHING),
      number(String(transfer.block_number)),
      time(transfer.finalized_timestamp),
    ],
  }
}

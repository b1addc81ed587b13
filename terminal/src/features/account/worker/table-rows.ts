// Formats orders, positions and past events as table rows.
import { fromRaw, type OrderSide, type shapes, toRaw } from 'openvenue'
import { showDecimal, showPercent } from '../../../text/decimal-text.ts'
import type { TableCell, TableRow } from '../../tables/table-protocol.ts'
import * as text from '../text.ts'
import { signed } from './account-view.ts'
import { isPositionNear } from './liquidation-risk.ts'

const NOTHING = '–'
const NS_PER_MS = 1_000_000n
const MONEY_DECIMALS = 2
const FEE_DECIMALS = 4
const RATE_DECIMALS = 4
const PERCENT_DECIMALS = 2
const DECIMALS = 18

/** Decimals of a market's prices; undefined while unknown, and for exact numbers of a file. */
export type PriceDigits = (market: string) => number | undefined
const EXACT: PriceDigits = () => undefined
/** Decimals of fees and payments; those of a file are exact. */
const feeDecimals = (digitsOf: PriceDigits) => (digitsOf === EXACT ? undefined : FEE_DECIMALS)

const cell = (content: string): TableCell => ({ text: content, side: '' })
const number = (decimal: string | null, decimals?: number): TableCell =>
  cell(decimal === null ? NOTHING : showDecimal(decimal, decimals))
/** A gain or a loss. Its sign matches its colour. */
const gain = (decimal: string | null): TableCell => {
  if (decimal === null) return cell(NOTHING)
  const shown = signed(decimal, MONEY_DECIMALS)
  return { text: shown, side: sideOf(shown) }
}
/** Returns a fraction of two decimals in percent with its sign; empty if it is unknown. */
function percentOf(part: string | null, whole: string | null): string {
  if (part === null || whole === null || toRaw(whole, DECIMALS) === 0n) return ''
  const one = 10n ** BigInt(DECIMALS)
  const fraction = (toRaw(part, DECIMALS) * one) / toRaw(whole, DECIMALS)
  return ` (${showPercent(fromRaw(fraction, DECIMALS), PERCENT_DECIMALS)})`
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
 * cut to `digits` decimals, those of the market's prices. `exits` are its take profits and stops.
 */
export function positionRow(
  position: PositionSource,
  digits?: number,
  exits: readonly shapes.Order[] = [],
): TableRow {
  const isLong = position.side === 'buy'
  const { mark_price: mark, liquidation_price: end } = position
  const profit = gain(position.unrealized_pnl)
  const roe = percentOf(position.unrealized_pnl, position.initial_margin)
  const distance = mark === null || end === null ? null : differenceOf(end, mark)
  return {
    id: position.instrument_id,
    market: position.instrument_name,
    action: 'close',
    edits: exits.map(({ order_id: id, stop }) => ({ id, name: text.exitNames[stop ?? ''] })),
    cells: [
      cell(position.instrument_name),
      {
        text: text.positionSize(isLong, showDecimal(position.amount)),
        side: position.side,
      },
      number(position.notional_value, MONEY_DECIMALS),
      number(position.avg_entry_price, digits),
      number(position.mark_price, digits),
      {
        ...cell(`${number(end, digits).text}${shownOnly(percentOf(distance, mark), digits)}`),
        ...liquidationBadge(position),
      },
      { ...profit, text: `${profit.text}${shownOnly(roe, digits)}` },
      number(position.initial_margin, MONEY_DECIMALS),
      gain(position.accumulated_funding),
      cell(exits.map((exit) => exitText(exit, digits)).join(' · ') || NOTHING),
    ],
  }
}

/** Percentages are displayed; a file has only the exact values. */
const shownOnly = (words: string, digits: number | undefined): string =>
  digits === undefined ? '' : words
const differenceOf = (a: string, b: string): string =>
  fromRaw(toRaw(a, DECIMALS) - toRaw(b, DECIMALS), DECIMALS)
const exitText = ({ stop, trigger }: shapes.Order, digits: number | undefined): string =>
  `${text.exitNames[stop ?? '']} ${number(trigger ?? null, digits).text}`

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

export const fillRow = (fill: shapes.Fill, digitsOf: PriceDigits = EXACT): TableRow => ({
  id: fill.trade_id,
  market: fill.instrument_name,
  action: '',
  cells: [
    cell(fill.instrument_name),
    sideCell(fill.side),
    number(fill.price),
    number(fill.amount),
    number(fill.quote_amount, MONEY_DECIMALS),
    cell(`${showDecimal(fill.fees, feeDecimals(digitsOf))} ${fill.fee_asset}`),
    gain(fill.pnl),
    cell(liquidityOf(fill)),
    time(fill.created_timestamp),
  ],
})

function liquidityOf({ trade_type: type, liquidity }: shapes.Fill): string {
  if (type === 'liquidation') return text.liquidation
  return liquidity === null ? NOTHING : text.liquidityRoles[liquidity]
}

export function fundingRow(paid: shapes.FundingPayment, digitsOf: PriceDigits = EXACT): TableRow {
  const payment = signed(paid.funding_payment, feeDecimals(digitsOf))
  return {
    id: paid.trade_id,
    market: paid.instrument_name,
    action: '',
    cells: [
      cell(paid.instrument_name),
      sideCell(paid.side),
      number(paid.amount),
      number(paid.mark_price, digitsOf(paid.instrument_name)),
      cell(showPercent(paid.funding_rate, RATE_DECIMALS)),
      { text: payment, side: sideOf(payment) },
      time(paid.created_timestamp),
    ],
  }
}

export const pastOrderRow = (order: shapes.PastOrder, digitsOf: PriceDigits = EXACT): TableRow => ({
  id: order.order_id,
  market: order.instrument_name,
  action: '',
  cells: [
    cell(order.instrument_name),
    sideCell(order.side),
    cell(typeOf(order)),
    number(order.price),
    number(order.avg_price, digitsOf(order.instrument_name)),
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

// Streams of `watch`: their channels and the rows of their messages.
import type { ChannelMessage, shapes } from 'openvenue'
import { bySide, type Column, numbers, timeText, words } from '../columns.ts'

type AnyMessage = ChannelMessage<string>
/** A row of a stream: members of the message, and the time at which the node created it. */
type StreamRow = Readonly<Record<string, unknown>>

export type Stream = Readonly<{
  channel: (market: string, options: Readonly<Record<string, unknown>>) => string
  isPrivate?: boolean
  rows: (message: AnyMessage) => readonly StreamRow[]
  columns: readonly Column<StreamRow>[]
}>

type Text = string | number | boolean | null | undefined
const member =
  (name: string) =>
  (row: StreamRow): Text =>
    row[name] as Text
const time = words('ts', (row: StreamRow) => timeText(Number(row.ts)), { title: 'time (UTC)' })
const word = (name: string, title?: string) => words(name, member(name), title ? { title } : {})
const number = (name: string, decimals?: number, title?: string) =>
  numbers(name, member(name), {
    ...(decimals !== undefined && { decimals }),
    ...(title !== undefined && { title }),
  })
const side = words('side', member('side'), { style: (row) => bySide({ side: String(row.side) }) })
const market = word('instrument_name', 'market')

/** A snapshot of events may be a list or null. */
const listed = (data: unknown): readonly StreamRow[] =>
  (Array.isArray(data) ? data : data === null ? [] : [data]) as readonly StreamRow[]

const dated = (rows: readonly StreamRow[], { ts, type }: AnyMessage): StreamRow[] =>
  type === 'undo' ? [] : rows.map((row) => ({ ...row, ts }))

/** Returns the rows in a member of the data. */
const inside =
  (...names: readonly string[]) =>
  (message: AnyMessage): StreamRow[] => {
    const data = message.data as Readonly<Record<string, unknown>>
    const name = names.find((candidate) => data[candidate] !== undefined)
    return dated(listed(name === undefined ? data : data[name]), message)
  }

const plain = (message: AnyMessage): StreamRow[] => dated(listed(message.data), message)

const ticked = (message: AnyMessage): StreamRow[] =>
  inside('tickers')(message).map((row) => {
    const { bid, ask, mark, index } = row as unknown as shapes.Ticker
    const best = { bid_price: bid?.price ?? null, ask_price: ask?.price ?? null }
    return { ...row, ...best, mark_price: mark.price, index_price: index.price }
  })

const RESOLUTION = '1'

/** Streams by name. Books are drawn as a whole and not listed here. */
export const STREAMS: Readonly<Record<string, Stream>> = {
  trades: {
    channel: (name) => `trades:${name}`,
    rows: plain,
    columns: [time, market, side, number('price'), number('amount'), word('trade_id')],
  },
  ticker: {
    channel: (name) => `ticker:${name}`,
    rows: ticked,
    columns: [
      ...[time, market, number('last_price', 8, 'last'), number('bid_price', 8, 'bid')],
      ...[number('ask_price', 8, 'ask'), number('mark_price', 4, 'mark')],
      ...[number('index_price', 4, 'index'), number('funding_rate', 8, 'funding')],
      number('volume_24h', 2, '24h volume'),
    ],
  },
  candles: {
    channel: (name, { resolution }) => `candles:${name}:${resolution ?? RESOLUTION}`,
    rows: plain,
    columns: [
      ...[time, number('open'), number('high'), number('low'), number('close')],
      ...[number('volume'), number('trades'), word('closed')],
    ],
  },
  funding: {
    channel: (name) => `funding:${name}`,
    rows: plain,
    columns: [time, number('funding_rate', 12), number('estimated_rate', 12)],
  },
  orders: {
    channel: () => 'orders',
    isPrivate: true,
    rows: inside('orders'),
    columns: [
      ...[time, market, side, number('amount'), number('price'), number('filled')],
      ...[word('order_status', 'status'), word('order_id')],
    ],
  },
  fills: {
    channel: () => 'fills',
    isPrivate: true,
    rows: inside('fill', 'fills'),
    columns: [
      ...[time, market, side, number('price'), number('amount'), number('fees')],
      ...[word('liquidity'), number('pnl', 6), word('order_id')],
    ],
  },
  positions: {
    channel: () => 'positions',
    isPrivate: true,
    rows: inside('positions'),
    columns: [
      ...[time, market, side, number('amount'), number('avg_entry_price', 8, 'entry')],
      ...[number('mark_price', 4, 'mark'), number('unrealized_pnl', 4)],
    ],
  },
  account: {
    channel: () => 'account',
    isPrivate: true,
    rows: inside('account'),
    columns: [
      ...[time, number('equity', 6), number('balance', 6), number('available_balance', 6)],
      ...[number('maintenance_margin', 6), number('unrealized_pnl', 6)],
    ],
  },
  transactions: {
    channel: () => 'transactions',
    isPrivate: true,
    rows: inside('transactions'),
    columns: [
      ...[time, word('tx_type', 'type'), number('amount')],
      ...[word('collateral_asset', 'token'), word('tx_hash')],
    ],
  },
  notifications: {
    channel: () => 'notifications',
    isPrivate: true,
    rows: inside('notifications'),
    columns: [time, word('type'), word('title'), word('message')],
  },
}

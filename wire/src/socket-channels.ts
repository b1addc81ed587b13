// Every socket channel with its payload: the source of the AsyncAPI document.
import Type, { type TObject, type TSchema } from 'typebox'
import { AccountObject } from './account.ts'
import { BookData } from './book-frames.ts'
import {
  BookTickersData,
  CandleData,
  channelFrame,
  IndexData,
  TickersData,
  UndoneData,
} from './channels.ts'
import { decimal, ns, nullable, strict } from './field.ts'
import { FillItem, FundingItem } from './fills.ts'
import { CurrentFunding } from './funding.ts'
import { instrumentMembers } from './instrument.ts'
import { LiquidationItem } from './liquidations.ts'
import { MarketObject } from './markets.ts'
import { NotificationItem } from './notifications.ts'
import { L3_ORDERS_MAX, OrderBookL3Data } from './order-book-l3.ts'
import { OrderItem } from './orders.ts'
import { PositionItem } from './positions.ts'
import { Statistics } from './statistics.ts'
import { TradeHistoryItem } from './trades.ts'
import { TransactionItem } from './transactions.ts'

/** A channel, or all channels whose names follow a pattern. */
export type ChannelDescription = Readonly<{
  /** Channel name; `{…}` is a parameter. */
  name: string
  isPrivate: boolean
  description: string
  /** Schemas of `data` by message type; absent types are never sent. */
  data: Readonly<{ snapshot: TSchema; update: TSchema; undo?: TSchema }>
}>

/** Descriptions of the parameters in channel names. */
export const CHANNEL_PARAMETERS = {
  name: 'Name of a market, as in `instrument_name`: ETH-PERP.',
  market: 'Name of a market, or asset and type of several: ETH-PERP, ETH:PERPETUAL, ETH:SPOT.',
  markets: 'Name of a market, or an asset for all of its markets: ETH-PERP, ETH.',
  asset: 'Symbol of an asset: ETH.',
  type: 'PERPETUAL or SPOT.',
  resolution: 'A resolution as /candles takes it: 1, 60, 1D.',
} as const

const timestamp = ns('Time of the block.')
const at = (members: Record<string, TSchema>) => strict({ timestamp, ...members })
/** A schema with additional leading members. */
const extended = (item: TObject, members: Record<string, TSchema>) =>
  strict({ ...members, ...item.properties })

const SocketFill = extended(FillItem, { filled: decimal('As `amount`.') })
const SocketTransaction = extended(TransactionItem, {
  transaction_id: Type.String({ description: 'Id used in an undo.' }),
})
const FlatPosition = strict(
  { ...instrumentMembers, amount: Type.Literal('0'), side: Type.Literal('buy') },
  'The position is closed; sent once.',
)

const same = (data: TSchema) => ({ snapshot: data, update: data })
const overview = same(at({ account: AccountObject }))
const book = same(BookData)
const ticker = same(TickersData)

const publicChannel = (
  name: string,
  description: string,
  data: ChannelDescription['data'],
): ChannelDescription => ({ name, description, data, isPrivate: false })

const privateChannel = (
  name: string,
  description: string,
  data: ChannelDescription['data'],
): ChannelDescription => ({ name, description, data, isPrivate: true })

export const SOCKET_CHANNELS: readonly ChannelDescription[] = [
  publicChannel('orderbook:{name}', 'The book, with each block that changes it.', book),
  publicChannel('orderbook-100ms:{name}', 'The book, at most ten times a second.', book),
  publicChannel('orderbook-500ms:{name}', 'The book, at most twice a second.', book),
  publicChannel(
    'orderbook-l3:{name}',
    `The best ${L3_ORDERS_MAX} orders of each side, one by one, with each block that changes them.`,
    same(OrderBookL3Data),
  ),
  publicChannel('ticker:{market}', 'Prices and volume of markets.', ticker),
  publicChannel('ticker-500ms:{market}', 'The same, at most twice a second.', ticker),
  publicChannel('book-ticker:{market}', 'Best bid and ask.', same(BookTickersData)),
  publicChannel(
    'trades:{markets}',
    'One message per trade. A snapshot, if requested, is the newest one.',
    {
      snapshot: nullable(TradeHistoryItem),
      update: TradeHistoryItem,
      undo: UndoneData,
    },
  ),
  publicChannel('trades-block:{markets}', 'One message per block with trades.', {
    ...same(Type.Array(TradeHistoryItem, { description: 'Newest first.' })),
    undo: UndoneData,
  }),
  publicChannel(
    'liquidations',
    'One message per position closed by force, in any market. GET /liquidations has past ones.',
    { snapshot: Type.Null(), update: LiquidationItem, undo: UndoneData },
  ),
  publicChannel('index:{asset}', 'The index price.', same(IndexData)),
  publicChannel('funding:{name}', 'Funding of a perpetual, as /funding.', same(CurrentFunding)),
  publicChannel('candles:{name}:{resolution}', 'The newest candle, and its close.', {
    ...same(CandleData),
    undo: CandleData,
  }),
  publicChannel('statistics:{asset}:{type}', 'As /statistics.', same(Statistics)),
  publicChannel(
    'markets',
    'All market objects, then changed ones.',
    same(Type.Array(MarketObject)),
  ),
  privateChannel('orders', 'Open orders, then each order on every change.', {
    snapshot: at({ orders: Type.Array(OrderItem) }),
    update: at({
      orders: Type.Array(OrderItem),
      removed: Type.Optional(
        Type.Array(Type.String(), { description: 'Ids of orders removed by an undo.' }),
      ),
    }),
  }),
  privateChannel('fills', 'One message per fill. A snapshot, if requested, has the newest.', {
    snapshot: at({ fills: Type.Array(SocketFill) }),
    update: at({ fill: SocketFill }),
    undo: UndoneData,
  }),
  privateChannel('positions', 'Open positions, then each position on every change.', {
    snapshot: at({ positions: Type.Array(PositionItem) }),
    update: at({ positions: Type.Array(Type.Union([PositionItem, FlatPosition])) }),
  }),
  privateChannel('account', 'Equity, margins and collaterals, as /account.', overview),
  privateChannel('balances', 'As `account`.', overview),
  privateChannel('fundings', 'One message per funding payment; snapshots as for `fills`.', {
    snapshot: at({ fundings: Type.Array(FundingItem) }),
    update: FundingItem,
    undo: UndoneData,
  }),
  privateChannel('transactions', 'Deposits, withdrawals and transfers; snapshots as for `fills`.', {
    snapshot: at({ transactions: Type.Array(SocketTransaction) }),
    update: SocketTransaction,
    undo: UndoneData,
  }),
  privateChannel('notifications', 'One message per notification; snapshots as for `fills`.', {
    snapshot: at({ notifications: Type.Array(NotificationItem) }),
    update: NotificationItem,
    undo: UndoneData,
  }),
]

/**
 * Returns whether a channel carries events, which an undo removes one by one, and not a state. An
 * old event sent first would be taken for a new one, so its snapshot is sent only on request.
 */
export const carriesEvents = ({ data }: ChannelDescription): boolean => data.undo === UndoneData

/** Returns the schema of the messages of a channel. */
export const frameSchema = ({ data }: ChannelDescription): TSchema => {
  const { snapshot, update, undo } = data
  const kinds = snapshot === update ? [snapshot] : [snapshot, update]
  return channelFrame(Type.Union(undo === undefined || undo === update ? kinds : [...kinds, undo]))
}

// Public trades: the plain list, newest first, and the family's wrapped format (interface 2.3).
import type { Market, Trade } from '@openvenue/core/records'
import { amountText, priceText } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { nsText } from './decimal.ts'
import { anyTime, decimal, InstrumentType, limit, named, ns, Side, seconds } from './field.ts'

/** Interface 8. */
export const TRADES_LIMIT_DEFAULT = 100
const TRADES_LIMIT_MAX = 1000

const identity = {
  trade_id: Type.String({ description: '<block>-<logIndex>; text order is chain order.' }),
  tx_hash: Type.String(),
}

export const TradeItem = named('Trade', {
  ...identity,
  instrument_name: Type.String(),
  is_buyer_taker: Type.Boolean(),
  side: Side,
  trade_type: Type.Literal('trade'),
  created_timestamp: seconds('Time of the block.'),
  price: decimal('Human units.'),
  amount: decimal('Human units.'),
  fees: Type.Literal('0'),
})
export type TradeItem = Static<typeof TradeItem>

export const Trades = Type.Array(TradeItem, { description: 'Newest first.' })

export const TradeHistoryItem = named('TradeHistoryItem', {
  ...identity,
  instrument_id: Type.String(),
  instrument_name: Type.String(),
  instrument_type: InstrumentType,
  side: Side,
  price: decimal('Human units.'),
  amount: decimal('Human units.'),
  created_timestamp: ns('Time of the block.'),
})
export type TradeHistoryItem = Static<typeof TradeHistoryItem>

export const TradeHistory = named(
  'TradeHistory',
  {
    count: Type.String({ pattern: '^[0-9]+$', description: 'Number of trades in the answer.' }),
    trade_history: Type.Array(TradeHistoryItem, { description: 'Newest first.' }),
  },
  'Recent trades, newest first.',
)

const from = {
  start_time: anyTime(
    'Returns the oldest trades from then on instead of the newest; still newest first.',
  ),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{12}-[0-9]{6}$',
      description:
        'With start_time: only trades after this trade_id. With the trade_id and the time of the ' +
        'newest trade of an answer, the next answer continues from it.',
    }),
  ),
}

export const TradesQuery = Type.Object({
  ...from,
  limit: limit(TRADES_LIMIT_MAX, TRADES_LIMIT_DEFAULT),
  offset: Type.Optional(
    Type.Unsafe<unknown>({
      type: 'integer',
      'x-ignored': true,
      description: 'Accepted and ignored.',
    }),
  ),
})
export const TradeHistoryQuery = Type.Object({
  ...from,
  limit: limit(TRADES_LIMIT_MAX, TRADES_LIMIT_DEFAULT),
})

/** Returns an item of the plain list. `side` is the taker's. */
export const encodeTrade = (market: Market, trade: Trade): TradeItem => ({
  trade_id: trade.id,
  tx_hash: trade.txHash,
  instrument_name: market.name,
  is_buyer_taker: trade.isTakerBuy,
  side: trade.isTakerBuy ? 'buy' : 'sell',
  trade_type: 'trade',
  created_timestamp: trade.seconds,
  price: priceText(market, trade.tick),
  amount: amountText(market, trade.lots),
  fees: '0',
})

/** Returns an item of the wrapped format. `side` is the taker's. */
export const encodeTradeHistoryItem = (market: Market, trade: Trade): TradeHistoryItem => ({
  trade_id: trade.id,
  tx_hash: trade.txHash,
  instrument_id: market.id,
  instrument_name: market.name,
  instrument_type: market.type as TradeHistoryItem['instrument_type'],
  side: trade.isTakerBuy ? 'buy' : 'sell',
  price: priceText(market, trade.tick),
  amount: amountText(market, trade.lots),
  created_timestamp: nsText(trade.seconds),
})

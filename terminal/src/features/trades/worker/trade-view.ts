// Formats a trade as a row.
import type { shapes } from 'openvenue'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import type { TradeRow } from '../../market/market-protocol.ts'

const NS_PER_MS = 1_000_000n

type TradeSteps = Readonly<{ price_step: string; amount_step: string }>

/** Returns the row of a trade in the digits of its market, with the local time of day. */
export const viewTrade = (
  trade: shapes.TradeHistoryItem,
  { price_step, amount_step }: TradeSteps,
): TradeRow => ({
  id: trade.trade_id,
  price: showDecimal(trade.price, decimalsOf(price_step)),
  amount: showDecimal(trade.amount, decimalsOf(amount_step)),
  isBuy: trade.side === 'buy',
  time: timeOfDay(Number(BigInt(trade.created_timestamp) / NS_PER_MS)),
})

const timeOfDay = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB')

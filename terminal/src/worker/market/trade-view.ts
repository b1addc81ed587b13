// Writes a trade as its row shows it.
import type { shapes } from 'openvenue'
import type { TradeRow } from '../protocol.ts'
import { showDecimal } from '../text/decimal-text.ts'

const NS_PER_MS = 1_000_000n

/** Returns the row of a trade; the time is of the day, where the page is. */
export const viewTrade = (trade: shapes.TradeHistoryItem): TradeRow => ({
  id: trade.trade_id,
  price: showDecimal(trade.price),
  amount: showDecimal(trade.amount),
  isBuy: trade.side === 'buy',
  time: timeOfDay(Number(BigInt(trade.created_timestamp) / NS_PER_MS)),
})

const timeOfDay = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB')

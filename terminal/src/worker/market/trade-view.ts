// Writes a trade as its row shows it.
import type { shapes } from 'openvenue'
import type { TradeRow } from '../protocol.ts'
import { decimalsOf, showDecimal } from '../text/decimal-text.ts'

const NS_PER_MS = 1_000_000n

type Steps = Readonly<{ price_step: string; amount_step: string }>

/** Returns the row of a trade in the digits of its market; the time is of the day, at the page. */
export const viewTrade = (
  trade: shapes.TradeHistoryItem,
  { price_step, amount_step }: Steps,
): TradeRow => ({
  id: trade.trade_id,
  price: showDecimal(trade.price, decimalsOf(price_step)),
  amount: showDecimal(trade.amount, decimalsOf(amount_step)),
  isBuy: trade.side === 'buy',
  time: timeOfDay(Number(BigInt(trade.created_timestamp) / NS_PER_MS)),
})

const timeOfDay = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB')

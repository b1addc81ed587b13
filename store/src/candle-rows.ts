// Candles of one series as digits, in one text: a thousand of them cost the driver one cell, and
// become JSON without having been numbers.
import type { Candle } from '@openvenue/core/records'
import type { CandleRow } from './store.ts'
import { sqlName } from './tables.ts'

/** None of them can be null, and none holds a space. `candlesOf` takes them in this order. */
const FIELDS = [
  'openSeconds',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'quoteUnits',
  'takerBuyVolume',
  'trades',
] as const satisfies readonly (keyof Candle & keyof CandleRow)[]

const LINE = FIELDS.map(sqlName).join(', ')

/** Returns the query of the first candles of a range in `order`. ARRAY keeps the order. */
export const candlesQuery = (order: 'ASC' | 'DESC') =>
  `SELECT array_to_string(ARRAY(SELECT concat_ws(' ', ${LINE}) FROM candles
    WHERE market = $1 AND resolution = $2 AND open_seconds BETWEEN $3 AND $4
    ORDER BY open_seconds ${order} LIMIT $5), ' ')`

/** Yields the candles in the text that `candlesQuery` returned, from its end if `isReversed`. */
export function* candleRowsOf(
  resolution: string,
  text: string,
  isReversed: boolean,
): Generator<CandleRow, void, undefined> {
  if (text === '') return
  const cells = text.split(' ')
  const last = cells.length - FIELDS.length
  for (let next = 0; next <= last; next += FIELDS.length) {
    const at = isReversed ? last - next : next
    yield {
      resolution,
      openSeconds: Number(cells[at]),
      open: cells[at + 1] as string,
      high: cells[at + 2] as string,
      low: cells[at + 3] as string,
      close: cells[at + 4] as string,
      volume: cells[at + 5] as string,
      quoteUnits: cells[at + 6] as string,
      takerBuyVolume: cells[at + 7] as string,
      trades: cells[at + 8] as string,
    }
  }
}

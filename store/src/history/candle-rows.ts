// Candles of one series as digits in a single text: the driver handles a thousand as one cell, and
// they become JSON without being parsed as numbers.
import type { Candle } from '@openvenue/core/records'
import { sqlName } from '../db/tables.ts'
import type { CandleRow } from '../store.ts'

/** None can be null or contain a space. In the order of `parseCandleRows`. */
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
    ORDER BY open_seconds ${order} LIMIT $5), E'\\n')`

/** Yields the candles of `candlesQuery`'s text, from its end if `isReversed`. */
export function* parseCandleRows(
  resolution: string,
  text: string,
  isReversed: boolean,
): Generator<CandleRow, void, undefined> {
  if (text === '') return
  for (const line of isReversed ? linesFromEnd(text) : splitLines(text)) {
    const cells = line.split(' ')
    yield {
      resolution,
      openSeconds: Number(cells[0]),
      open: cells[1] as string,
      high: cells[2] as string,
      low: cells[3] as string,
      close: cells[4] as string,
      volume: cells[5] as string,
      quoteUnits: cells[6] as string,
      takerBuyVolume: cells[7] as string,
      trades: cells[8] as string,
    }
  }
}

function* splitLines(text: string): Generator<string, void, undefined> {
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end)
    start = end + 1
  }
  yield text.slice(start)
}

function* linesFromEnd(text: string): Generator<string, void, undefined> {
  let end = text.length
  for (let split = text.lastIndexOf('\n'); split >= 0; split = text.lastIndexOf('\n', end - 1)) {
    yield text.slice(split + 1, end)
    end = split
  }
  yield text.slice(0, end)
}

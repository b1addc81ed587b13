// Reads what mark and index were, for the candles that are drawn.
import type { Rest, shapes } from 'openvenue'
import type { ChartChoice, Resolution } from '../chart-protocol.ts'
import type { WindowCandle } from './candle-window.ts'

const DAY_SECONDS = 86_400
/** Candles per request; the maximum of the interface. */
const PAGE = 500
/** Maximum number of requests for line values: candles of a quiet market are far apart. */
const PAGES_MAX = 4
const NS_PER_SECOND = 1_000_000_000n
/** The longest period that prices are asked for by. */
const PERIOD_SECONDS_MAX = 7 * DAY_SECONDS

type Point = Readonly<{ time: number; price: string }>
type Lines = Pick<ChartChoice, 'hasMark' | 'hasIndex'>

export type LineSource = Readonly<{ rest: Rest; market: shapes.Market; resolution: Resolution }>

/** Returns candles with the lines that are shown. A market without a mark has none. */
export async function withLines(
  source: LineSource,
  candles: readonly WindowCandle[],
  { hasMark, hasIndex }: Lines,
  signal: AbortSignal,
): Promise<readonly WindowCandle[]> {
  const read = (isRead: boolean, name: 'mark' | 'index') =>
    isRead ? readPoints(source, name, candles, signal) : undefined
  const [marks, indexes] = await Promise.all([read(hasMark, 'mark'), read(hasIndex, 'index')])
  const markAt = pointAt(marks ?? [])
  const indexAt = pointAt(indexes ?? [])
  return candles.map((candle) => ({
    ...candle,
    mark: marks === undefined ? undefined : (candle.mark ?? markAt(candle)),
    index: indexes === undefined ? undefined : (candle.index ?? indexAt(candle)),
  }))
}

async function readPoints(
  { rest, market, resolution }: LineSource,
  name: 'mark' | 'index',
  candles: readonly WindowCandle[],
  signal: AbortSignal,
): Promise<readonly Point[]> {
  const from = candles[0]?.time
  let to = candles.at(-1)?.close_time
  let points: readonly Point[] = []
  for (let page = 0; page < PAGES_MAX && from !== undefined && to !== undefined; page++) {
    const range = { start_time: from, end_time: to, limit: PAGE }
    const query = { ...range, resolution: periodSeconds(resolution) }
    const { instrument_name, underlying_asset: asset } = market
    const { history } =
      name === 'mark'
        ? await rest.call('GET /mark-history', { query: { ...query, instrument_name } }, { signal })
        : await rest.call('GET /index-history', { query: { ...query, asset } }, { signal })
    const older = history.map(([ns, price]) => ({
      time: Number(BigInt(ns) / NS_PER_SECOND),
      price,
    }))
    points = [...older, ...points]
    to = older.length < PAGE ? undefined : (older[0]?.time ?? 0) - 1
  }
  return points
}

/** Returns what finds the last price within a candle; asked for one candle after the other. */
function pointAt(points: readonly Point[]): (candle: WindowCandle) => string | undefined {
  let next = 0
  return ({ time, close_time }) => {
    let last: Point | undefined
    for (; (points[next]?.time ?? Number.POSITIVE_INFINITY) <= close_time; next++)
      last = points[next]
    return last === undefined || last.time < time - PERIOD_SECONDS_MAX ? undefined : last.price
  }
}

function periodSeconds(resolution: Resolution): number {
  const seconds: Readonly<Record<string, number>> = { '1D': 1, '3D': 3, '1W': 7, '1M': 7 }
  const days = seconds[resolution]
  return days === undefined ? Number(resolution) * 60 : days * DAY_SECONDS
}

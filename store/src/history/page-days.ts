// Finds the days with the rows of a page by the stored counts, so that a page only reads the
// partitions of its rows, however old they are.
import type { FillSet, HistoryKind, PageEnds } from './account-history.ts'

/** Counts exist for all fills and for those that are not trades; the difference is trades. */
export type CountedList = HistoryKind | FillSet

const KEPT: Readonly<Record<CountedList, string>> = {
  fill: 'fill',
  trades: 'fill',
  forced: 'forced',
  closedCycle: 'closedCycle',
  order: 'order',
}

/** Forced fills of the market and day of `c`. */
const FORCED = `coalesce((SELECT f.rows FROM history_counts f WHERE f.list = 'forced'
    AND (f.account, f.market, f.day) = (c.account, c.market, c.day)), 0)`

/**
 * Returns the text that finds the days between which the first $2 rows of account $1 in markets $3
 * are, of those from day $4 to $5. The day that they begin at may be cut in two, and so promises
 * nothing. Answers with two numbers, the one nearer to that day first, then the markets, with
 * spaces between them; with an empty text where no row is. Each market is looked at for as many
 * days as a page has rows, and one.
 */
export function daysText(list: CountedList, isAscending: boolean): string {
  const [direction, beyond, far, near] = isAscending
    ? (['ASC', '> $4', 'max', 'min'] as const)
    : (['DESC', '< $5', 'min', 'max'] as const)
  const rows = list === 'trades' ? `c.rows - ${FORCED}` : 'c.rows'
  // Orders of a day are counted by the partition of their end.
  const [ofDay, byDay] =
    list === 'order'
      ? [
          'sum(c.rows) AS rows, max(c.ended_partition) AS ended, min(c.ended_partition) AS rests',
          'GROUP BY c.day',
        ]
      : [`${rows} AS rows`, '']
  const ends = list === 'order' ? `(SELECT max(ended) || ',' || min(rests) FROM kept),` : ''
  return `WITH kept AS (
      SELECT m.market, c.* FROM unnest($3::text[]) m (market),
      LATERAL (
        SELECT c.day, ${ofDay} FROM history_counts c
        WHERE c.list = '${KEPT[list]}' AND c.account = $1 AND c.market = m.market
          AND c.day BETWEEN $4 AND $5 AND ${rows} > 0
        ${byDay} ORDER BY c.day ${direction} LIMIT (SELECT $2::bigint + 1)
      ) c
    )
    SELECT concat_ws(' ', ${near}(day), coalesce(${near}(day) FILTER (WHERE reached >= $2), ${far}(day)),
      ${ends} (SELECT string_agg(DISTINCT market, ' ') FROM kept))
    FROM (
      SELECT day, sum(sum(rows) FILTER (WHERE day ${beyond}))
        OVER (ORDER BY day ${direction}) AS reached
      FROM kept GROUP BY day
    ) days`
}

/** Days and markets of a page's rows; both days are inclusive. `ends`: of orders only. */
export type PageDays = Readonly<{
  first: number
  last: number
  markets: readonly string[]
  ends: PageEnds | undefined
}>

const ENDS = /^(-?\d+),(-?\d+)$/

/** Parses the result of `daysText`; undefined when there are no rows. */
export function parseDays(text: string): PageDays | undefined {
  if (text === '') return undefined
  const [first, second, third = '', ...others] = text.split(' ')
  const days = [Number(first), Number(second)]
  const [, last, least] = ENDS.exec(third) ?? []
  const isOrders = last !== undefined
  return {
    first: Math.min(...days),
    last: Math.max(...days),
    markets: isOrders ? others : [third, ...others],
    ends: isOrders ? { last: Number(last), isAnyResting: Number(least) < 0 } : undefined,
  }
}

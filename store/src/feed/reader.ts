// Reads for API nodes. Texts are exported for the test of their plans.
import { decodeChanges } from '@openvenue/core/codec'
import type { RecordOf } from '@openvenue/core/records'
import { type ReadFrom, readCellAt, withRows } from '../db/block-read.ts'
import { headerOfRow, readCheckpoint } from '../db/checkpoint.ts'
import type { Db, Param, Sql, SqlRow } from '../db/db.ts'
import { decodeLine, linesQuery, splitLines } from '../db/record-lines.ts'
import { columnList, decodeRecord, TABLES, textArray } from '../db/tables.ts'
import { candlesQuery, parseCandleRows } from '../history/candle-rows.ts'
import { decodeOwned, OWNED_QUERY } from '../history/owner-records.ts'
import {
  type FeedEntry,
  FeedGone,
  type ForcedClosesQuery,
  type ReadAt,
  type Reader,
  type Snapshot,
  type SnapshotWindows,
} from '../store.ts'
import type { FeedCache } from './feed-cache.ts'
import { readSnapshot } from './load.ts'

/**
 * Newest rows of a series, in one statement with the feed's position. With a known number, the
 * planner might read and sort all rows of small partitions.
 */
const newestAt = (kind: 'candle' | 'trade', series: string, order: string) =>
  `SELECT c.seq, w.* FROM checkpoint c LEFT JOIN LATERAL (
    SELECT ${columnList(kind)} FROM ${TABLES[kind].name} WHERE ${series} ORDER BY ${order}
    LIMIT (SELECT $1::bigint)
  ) w ON true`

/** Skips partitions since the market's last trade. */
const TRADES_OF = `market = $2
    AND seconds <= (SELECT last_trade_seconds FROM tickers WHERE market = $2)`

const forcedClosesBefore = (filter: string) => `SELECT ${columnList('forcedClose')}
    FROM forced_closes WHERE ${filter}seconds >= $1 AND (seconds, id) < ($2, $3)
    ORDER BY seconds DESC, id DESC LIMIT $4`

export const READS = {
  newestCandlesAt: newestAt('candle', 'market = $2 AND resolution = $3', 'open_seconds DESC'),
  newestTradesAt: newestAt('trade', TRADES_OF, 'seconds DESC, id DESC'),
  feed: `SELECT c.seq, f.seq, f.kind, f.number, f.hash, f.parent_hash, f.seconds, f.changes
    FROM checkpoint c LEFT JOIN LATERAL (
      SELECT * FROM feed WHERE seq > $1 ORDER BY seq LIMIT $2
    ) f ON true`,
  nextEntry: `SELECT c.seq, (SELECT min(f.seq) FROM feed f WHERE f.seq > $1) FROM checkpoint c`,
  oldestCandles: candlesQuery('ASC'),
  newestCandles: candlesQuery('DESC'),
  candleBefore: `SELECT open_seconds FROM candles
    WHERE market = $1 AND resolution = $2 AND open_seconds < $3 ORDER BY open_seconds DESC LIMIT 1`,
  settlements: linesQuery(
    'settlement',
    `SELECT ${columnList('settlement')} FROM funding_settlements
    WHERE market = $1 AND seconds BETWEEN $2 AND $3 ORDER BY seconds DESC LIMIT $4`,
    'ORDER BY seconds DESC',
  ),
  oldestTrades: linesQuery(
    'trade',
    `SELECT ${columnList('trade')} FROM trades
    WHERE market = $1 AND seconds BETWEEN $2 AND $3 AND id > $4 ORDER BY seconds, id LIMIT $5`,
    'ORDER BY seconds, id',
  ),
  forcedCloses: linesQuery('forcedClose', forcedClosesBefore(''), 'ORDER BY seconds DESC, id DESC'),
  forcedClosesOf: linesQuery(
    'forcedClose',
    forcedClosesBefore('market = $5 AND '),
    'ORDER BY seconds DESC, id DESC',
  ),
  prices: linesQuery(
    'priceMinute',
    `SELECT ${columnList('priceMinute')} FROM price_minutes t
    WHERE series = $1 AND open_seconds BETWEEN $2 AND $3 AND NOT EXISTS (
      SELECT FROM price_minutes l WHERE l.series = $1 AND l.open_seconds > t.open_seconds
        AND l.open_seconds < t.open_seconds - t.open_seconds % $4 + $4 AND l.open_seconds <= $3
    ) ORDER BY open_seconds DESC LIMIT $5`,
    'ORDER BY open_seconds DESC',
  ),
} as const

/** Returns the reader of `db`. */
export function createReader(db: Db, cache: FeedCache): Reader {
  return {
    snapshot: (windows) => followable(db, cache, windows),
    feedAfter: async (seq, limit) => cache.after(seq, limit) ?? readFeed(db, cache, seq, limit),
    onSignal: (signal) => cache.onSignal(signal),
    async owned(accounts) {
      const rows = await db.primary.query(OWNED_QUERY, [textArray(accounts)])
      return { seq: Number(rows[0]?.[0]), rows: rows.flatMap((row) => decodeOwned(row) ?? []) }
    },
    newestCandles: ({ market, resolution, limit }) =>
      readNewest(db, 'candle', READS.newestCandlesAt, [limit, market, resolution]),
    newestTrades: ({ market, limit }) =>
      readNewest(db, 'trade', READS.newestTradesAt, [limit, market]),
    async candles({ market, resolution, fromSeconds, toSeconds, limit, newest }, from = 'replica') {
      const text = newest ? READS.newestCandles : READS.oldestCandles
      const params = [market, resolution, fromSeconds, toSeconds, limit]
      return withRows(
        await readCellAt(db[from], { text, params }),
        (cell) => () => parseCandleRows(resolution, cell ?? '', newest),
      )
    },
    async candleBefore({ market, resolution, beforeSeconds }, from = 'replica') {
      const params = [market, resolution, beforeSeconds]
      return withRows(await readCellAt(db[from], { text: READS.candleBefore, params }), (cell) =>
        cell === null ? undefined : Number(cell),
      )
    },
    async settlements({ market, fromSeconds, toSeconds, limit }, from = 'replica') {
      const params = [market, fromSeconds, toSeconds, limit]
      return withRows(await readCellAt(db[from], { text: READS.settlements, params }), (cell) =>
        splitLines<'settlement'>(cell ?? '')
          .map((line) => decodeLine('settlement', line))
          .reverse(),
      )
    },
    async oldestTrades({ market, fromSeconds, toSeconds, afterId, limit }, from = 'replica') {
      const params = [market, fromSeconds, toSeconds, afterId, limit]
      return withRows(await readCellAt(db[from], { text: READS.oldestTrades, params }), (cell) =>
        splitLines<'trade'>(cell ?? '').map((line) => decodeLine('trade', line)),
      )
    },
    forcedCloses: (query, from = 'replica') => readForcedCloses(db[from], query),
    async prices({ series, fromSeconds, toSeconds, periodSeconds, limit }, from = 'replica') {
      const params = [series, fromSeconds, toSeconds, periodSeconds, limit]
      return withRows(await readCellAt(db[from], { text: READS.prices, params }), (cell) =>
        splitLines<'priceMinute'>(cell ?? '')
          .map((line) => decodeLine('priceMinute', line))
          .reverse(),
      )
    },
    async ping() {
      await db.ping()
    },
  }
}

async function readForcedCloses(
  sql: Sql,
  { market, fromSeconds, toSeconds, before, limit }: ForcedClosesQuery,
) {
  const { seconds, id } = before ?? { seconds: toSeconds + 1, id: '' }
  const params = [fromSeconds, seconds, id, limit]
  const query =
    market === undefined
      ? { text: READS.forcedCloses, params }
      : { text: READS.forcedClosesOf, params: [...params, market] }
  return withRows(await readCellAt(sql, query), (cell) =>
    splitLines<'forcedClose'>(cell ?? '').map((line) => decodeLine('forcedClose', line)),
  )
}

/**
 * Loads from the replica if the feed continues from its position, both before and after the load;
 * otherwise from the primary, since a position that the feed has left would be loaded again and
 * again.
 */
async function followable(db: Db, cache: FeedCache, windows: SnapshotWindows): Promise<Snapshot> {
  const load = async (from: ReadFrom) => {
    const snapshot = await db.load((view) => readSnapshot(view, windows), from)
    cache.see(snapshot.seq)
    return snapshot
  }
  const goesOnFrom = async (seq: number) =>
    cache.after(seq, 1) !== undefined || (await hasNextEntry(db, seq))
  const { seq } = await db.load(readCheckpoint)
  if (await goesOnFrom(seq)) {
    const snapshot = await load('replica')
    if (await goesOnFrom(snapshot.seq)) return snapshot
  }
  return load('primary')
}

/** Returns whether the primary's feed has the entry after `seq`, if there is one. */
async function hasNextEntry(db: Db, seq: number): Promise<boolean> {
  const [row = []] = await db.feed.query(READS.nextEntry, [seq])
  const [last, next] = row
  return Number(next ?? Number(last) + 1) === seq + 1
}

/** Returns the rows of `newestAt`, oldest first. */
async function readNewest<K extends 'candle' | 'trade'>(
  db: Db,
  kind: K,
  text: string,
  params: readonly Param[],
): Promise<ReadAt<RecordOf<K>[]>> {
  const rows = await db.primary.query(text, params)
  const records: RecordOf<K>[] = []
  for (const [, ...cells] of rows)
    if (cells[0] !== null) records.push(decodeRecord(kind, cells, records.at(-1)))
  return { seq: Number(rows[0]?.[0]), rows: records.reverse() }
}

/** Reads new entries from the primary: a replica may lag behind the signal. */
async function readFeed(db: Db, cache: FeedCache, seq: number, limit: number) {
  const taken = cache.reading()
  try {
    const entries = decodeEntries(await db.feed.query(READS.feed, [seq, limit]), seq)
    taken(seq, entries, entries.length < limit)
    return entries
  } catch (error) {
    if (error instanceof FeedGone) cache.gone()
    throw error
  }
}

/** Decodes rows of `READS.feed`; throws `FeedGone` when the next entry is missing. */
function decodeEntries(rows: readonly SqlRow[], seq: number): FeedEntry[] {
  const last = Number(rows[0]?.[0])
  const entries = rows.flatMap((row) => (row[1] === null ? [] : [decodeEntry(row.slice(1))]))
  const next = entries[0]?.seq ?? last + 1
  if (next !== seq + 1) throw new FeedGone(`the feed goes from ${next} to ${last} (after ${seq})`)
  return entries
}

function decodeEntry([seq, kind, ...rest]: SqlRow): FeedEntry {
  const [number, hash, parentHash, seconds, changes] = rest
  return {
    seq: Number(seq),
    kind: kind === 'undo' ? 'undo' : 'apply',
    header: headerOfRow([number, hash, parentHash, seconds] as SqlRow),
    changes: decodeChanges(String(changes)),
  }
}

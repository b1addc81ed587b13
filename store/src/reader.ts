// Reads for api nodes. Texts are exported for the test that looks at their plans.
import { decodeChanges } from '@openvenue/core/codec'
import { candleRowsOf, candlesQuery } from './candle-rows.ts'
import { headerOfRow } from './checkpoint.ts'
import type { Db, Row } from './db.ts'
import type { Hub } from './hub.ts'
import { readSnapshot } from './load.ts'
import { type FeedEntry, FeedGone, type Reader } from './store.ts'
import { columnsOf, recordOf } from './tables.ts'

export const READS = {
  feed: `SELECT c.seq, f.seq, f.kind, f.number, f.hash, f.parent_hash, f.seconds, f.changes
    FROM checkpoint c LEFT JOIN LATERAL (
      SELECT * FROM feed WHERE seq > $1 ORDER BY seq LIMIT $2
    ) f ON true`,
  oldestCandles: candlesQuery('ASC'),
  newestCandles: candlesQuery('DESC'),
  candleBefore: `SELECT open_seconds FROM candles
    WHERE market = $1 AND resolution = $2 AND open_seconds < $3 ORDER BY open_seconds DESC LIMIT 1`,
  settlements: `SELECT ${columnsOf('settlement')} FROM funding_settlements
    WHERE market = $1 AND seconds BETWEEN $2 AND $3 ORDER BY seconds DESC LIMIT $4`,
} as const

/** Returns the reader of `db`. */
export function createReader(db: Db, hub: Hub): Reader {
  return {
    snapshot: (windows) => db.readTransaction((sql) => readSnapshot(sql, windows)),
    async feedAfter(seq, limit) {
      // News comes from the primary: a replica may lag behind what woke the reader.
      return (
        hub.after(seq, limit) ?? entriesOf(await db.primary.query(READS.feed, [seq, limit]), seq)
      )
    },
    onWake: hub.onWake,
    async candles({ market, resolution, fromSeconds, toSeconds, limit, newest }) {
      const text = newest ? READS.newestCandles : READS.oldestCandles
      const params = [market, resolution, fromSeconds, toSeconds, limit]
      const [[candles] = []] = await db.replica.query(text, params)
      return () => candleRowsOf(resolution, candles ?? '', newest)
    },
    async candleBefore({ market, resolution, beforeSeconds }) {
      const params = [market, resolution, beforeSeconds]
      const [row] = await db.replica.query(READS.candleBefore, params)
      return row && Number(row[0])
    },
    async settlements({ market, fromSeconds, toSeconds, limit }) {
      const params = [market, fromSeconds, toSeconds, limit]
      const rows = await db.replica.query(READS.settlements, params)
      return rows.map((row) => recordOf('settlement', row)).reverse()
    },
    async ping() {
      await db.ping()
    },
  }
}

/** Returns the entries of rows of `READS.feed`; throws `FeedGone` where the next one is missing. */
function entriesOf(rows: readonly Row[], seq: number): FeedEntry[] {
  const last = Number(rows[0]?.[0])
  const entries = rows.flatMap((row) => (row[1] === null ? [] : [entryOf(row.slice(1))]))
  const next = entries[0]?.seq ?? last + 1
  if (next !== seq + 1) throw new FeedGone(`the feed goes from ${next} to ${last} (after ${seq})`)
  return entries
}

function entryOf([seq, kind, ...rest]: Row): FeedEntry {
  const [number, hash, parentHash, seconds, changes] = rest
  return {
    seq: Number(seq),
    kind: kind === 'undo' ? 'undo' : 'apply',
    header: headerOfRow([number, hash, parentHash, seconds] as Row),
    changes: decodeChanges(String(changes)),
  }
}

// Reads the state, and the windows of history that a snapshot adds to it.
import type { RecordKind, RecordOf } from '@openvenue/core/records'
import { emptyState, fold, loaded, type StateKind, type VenueState } from '@openvenue/core/state'
import { readCheckpoint } from './checkpoint.ts'
import type { Param, View } from './db.ts'
import type { Snapshot, SnapshotWindows } from './store.ts'
import { columnsOf, recordOf, TABLES } from './tables.ts'

/** Returns the state at the checkpoint. `sql` reads one unchanging view. */
export async function readState(sql: View): Promise<{ seq: number; state: VenueState }> {
  const state = emptyState()
  const { seq, head } = await readCheckpoint(sql)
  state.head = head
  for (const what of Object.keys(state.records) as StateKind[]) {
    const records = await readRecords(sql, what, stateQuery(what))
    fold(
      state,
      records.map((record) => loaded(what, record)),
    )
  }
  return { seq, state }
}

/** Returns the state with windows of history. `sql` reads one unchanging view. */
export async function readSnapshot(sql: View, windows: SnapshotWindows): Promise<Snapshot> {
  const { seq, state } = await readState(sql)
  const { trades, candles, settlements, priceSeconds, poolHoursFrom } = windows
  const read = <K extends RecordKind>(what: K, param: Param) =>
    readRecords(sql, what, windowQuery(what as keyof typeof WINDOWS), [param])
  const newestFirst = await read('trade', trades)
  return {
    seq,
    state,
    trades: Map.groupBy(newestFirst, ({ market }) => market),
    candles: Map.groupBy(
      (await read('candle', candles)).reverse(),
      ({ market, resolution }) => `${market}|${resolution}`,
    ),
    priceMinutes: Map.groupBy(await read('priceMinute', priceSeconds), ({ series }) => series),
    settlements: Map.groupBy(
      (await read('settlement', settlements)).reverse(),
      ({ market }) => market,
    ),
    poolHours: Map.groupBy(await read('poolHour', poolHoursFrom), ({ pool }) => pool),
  }
}

/** Reads what `text`, which selects `columnsOf(what)`, finds. */
export async function readRecords<K extends RecordKind>(
  sql: View,
  what: K,
  text: string,
  params: readonly Param[] = [],
): Promise<RecordOf<K>[]> {
  const records: RecordOf<K>[] = []
  await sql.each(text, params, (row) => records.push(recordOf(what, row, records.at(-1))))
  return records
}

/** Returns the query of all records of a kind that the state holds, in the order of their key. */
export function stateQuery(what: StateKind): string {
  const { name, key, slot } = TABLES[what]
  if (slot !== undefined) return newestQuery(what, '1')
  const filter = what === 'order' ? ' WHERE resting_lots > 0' : ''
  return `SELECT ${columnsOf(what)} FROM ${name}${filter} ORDER BY ${key.map((column) => column.name).join(', ')}`
}

const WINDOWS = {
  trade: () => newestQuery('trade', '$1'),
  settlement: () => newestQuery('settlement', '$1'),
  candle: () => newestQuery('candle', '$1'),
  priceMinute: () => seriesQuery('priceMinute', 'r.open_seconds >= $1', 'ORDER BY r.open_seconds'),
  poolHour: () => seriesQuery('poolHour', 'r.open_seconds >= $1', 'ORDER BY r.open_seconds'),
} as const

/** Returns the query of the window of a kind. Its parameter is that kind's of `SnapshotWindows`. */
export const windowQuery = (what: keyof typeof WINDOWS) => WINDOWS[what]()

/** What a series of rows goes by, and its order, where the record has no slot. */
const SERIES: Partial<Record<RecordKind, Readonly<{ slot: readonly string[]; order: string }>>> = {
  trade: { slot: ['market'], order: 'id' },
  settlement: { slot: ['market'], order: 'seconds' },
}

const newestQuery = (what: RecordKind, limit: string) => {
  const { order } = SERIES[what] ?? { order: 'open_seconds' }
  return seriesQuery(what, 'true', `ORDER BY r.${order} DESC LIMIT ${limit}`)
}

/**
 * Returns a query of some rows of every series. It goes from one series to the next in the index,
 * and so reads no more rows than it returns, however long the history.
 */
function seriesQuery(what: RecordKind, filter: string, tail: string): string {
  const { name, slot } = TABLES[what]
  const by = SERIES[what]?.slot ?? (slot ?? []).map((column) => column.name)
  const list = (prefix: string) => by.map((column) => `${prefix}${column}`).join(', ')
  const matches = by.map((column) => `r.${column} = s.${column}`).join(' AND ')
  return `WITH RECURSIVE series AS (
      (SELECT ${list('')} FROM ${name} ORDER BY ${list('')} LIMIT 1)
      UNION ALL
      SELECT next.* FROM series s, LATERAL (
        SELECT ${list('')} FROM ${name} WHERE (${list('')}) > (${list('s.')})
        ORDER BY ${list('')} LIMIT 1
      ) next
    )
    SELECT ${columnsOf(what, 'w.')} FROM series s, LATERAL (
      SELECT * FROM ${name} r WHERE ${matches} AND ${filter} ${tail}
    ) w`
}

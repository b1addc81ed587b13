// Reads the state, and the windows of history of a snapshot. Rows go straight to their destination:
// a load needs no more memory at its peak than its result.
import type { RecordKind, RecordOf } from '@openvenue/core/records'
import { emptyState, fold, loaded, type StateKind, type VenueState } from '@openvenue/core/state'
import { readCheckpoint } from '../db/checkpoint.ts'
import type { DbView, Param } from '../db/db.ts'
import { columnList, decodeRecord, RESTING_SECONDS, TABLES } from '../db/tables.ts'
import type { Snapshot, SnapshotWindows } from '../store.ts'

/** A statement, its parameters, and the kind whose `columnList` it selects. */
type Rows<K extends RecordKind> = Readonly<{
  kind: K
  text: string
  params?: readonly Param[]
}>

/** Returns the state at the checkpoint, of all kinds or `kinds`. `sql` reads one view. */
export async function readState(
  sql: DbView,
  kinds?: readonly StateKind[],
): Promise<{ seq: number; state: VenueState }> {
  const state = emptyState()
  const { seq, head } = await readCheckpoint(sql)
  state.head = head
  for (const kind of kinds ?? (Object.keys(state.records) as StateKind[]))
    await eachRecord(sql, { kind, text: stateQuery(kind) }, (record) =>
      fold(state, [loaded(kind, record)]),
    )
  return { seq, state }
}

/** Returns the state with windows of history. `sql` reads one consistent view. */
export async function readSnapshot(sql: DbView, windows: SnapshotWindows): Promise<Snapshot> {
  const { seq, state } = await readState(sql, windows.kinds)
  const { trades, settlements, priceSeconds, poolHoursFrom } = windows
  return {
    seq,
    state,
    trades: await readWindow(sql, windowRows('trade', trades), ({ market }) => market),
    candles: await readCandles(sql, windows.candles),
    priceMinutes: await readWindow(
      sql,
      windowRows('priceMinute', priceSeconds),
      ({ series }) => series,
    ),
    settlements: reversed(
      await readWindow(sql, windowRows('settlement', settlements), ({ market }) => market),
    ),
    poolHours: await readWindow(sql, windowRows('poolHour', poolHoursFrom), ({ pool }) => pool),
  }
}

/** Returns the rows of the series named by `seriesKey`, each in the order of reading. */
async function readWindow<K extends RecordKind>(
  sql: DbView,
  rows: Rows<K>,
  seriesKey: (record: RecordOf<K>) => string,
  into = new Map<string, RecordOf<K>[]>(),
): Promise<Map<string, RecordOf<K>[]>> {
  await eachRecord(sql, rows, (record) => {
    const series = seriesKey(record)
    const window = into.get(series)
    if (window === undefined) into.set(series, [record])
    else window.push(record)
  })
  return into
}

async function readCandles(sql: DbView, windows: SnapshotWindows['candles']) {
  const candles = new Map<string, RecordOf<'candle'>[]>()
  for (const params of Object.entries(windows)) {
    const rows = { kind: 'candle', text: candlesQuery, params } as const
    await readWindow(sql, rows, ({ market, resolution }) => `${market}|${resolution}`, candles)
  }
  return reversed(candles)
}

function reversed<T>(windows: Map<string, T[]>): Map<string, T[]> {
  for (const rows of windows.values()) rows.reverse()
  return windows
}

const windowRows = <K extends keyof typeof WINDOWS>(kind: K, param: Param): Rows<K> => ({
  kind,
  text: windowQuery(kind),
  params: [param],
})

/** Passes on the records of a statement one after the other. */
async function eachRecord<K extends RecordKind>(
  sql: DbView,
  { kind, text, params = [] }: Rows<K>,
  take: (record: RecordOf<K>) => void,
): Promise<void> {
  let before: RecordOf<K> | undefined
  await sql.each(text, params, (row) => {
    before = decodeRecord(kind, row, before)
    take(before)
  })
}

/** Returns the query of all records of a kind in the state, in the order of their key. */
export function stateQuery(kind: StateKind): string {
  const { name, key, slot } = TABLES[kind]
  if (slot !== undefined) return newestQuery(kind, '1')
  const filter = kind === 'order' ? ` WHERE ended_seconds = ${RESTING_SECONDS}` : ''
  return `SELECT ${columnList(kind)} FROM ${name}${filter} ORDER BY ${key.map((column) => column.name).join(', ')}`
}

/** The newest $1 trades of each market. */
const TRADES = `SELECT ${columnList('trade', 'w.')} FROM markets m, LATERAL (
    SELECT * FROM trades r WHERE r.market = m.id ORDER BY r.seconds DESC, r.id DESC LIMIT $1
  ) w`

const WINDOWS = {
  trade: () => TRADES,
  settlement: () => newestQuery('settlement', '$1'),
  priceMinute: () => seriesQuery('priceMinute', 'r.open_seconds >= $1', 'ORDER BY r.open_seconds'),
  poolHour: () => seriesQuery('poolHour', 'r.open_seconds >= $1', 'ORDER BY r.open_seconds'),
} as const

/** Returns the query of a kind's window. Its parameter is a member of `SnapshotWindows`. */
export const windowQuery = (kind: keyof typeof WINDOWS) => WINDOWS[kind]()

/** The newest $2 candles of each market at resolution $1. */
export const candlesQuery = `SELECT ${columnList('candle', 'w.')} FROM markets m, LATERAL (
    SELECT * FROM candles r WHERE r.market = m.id AND r.resolution = $1
    ORDER BY r.open_seconds DESC LIMIT $2
  ) w`
/** The slot and order of series whose record has no slot. */
const SERIES: Partial<Record<RecordKind, Readonly<{ slot: readonly string[]; order: string }>>> = {
  settlement: { slot: ['market'], order: 'seconds' },
}

const newestQuery = (kind: RecordKind, limit: string) => {
  const { order } = SERIES[kind] ?? { order: 'open_seconds' }
  return seriesQuery(kind, 'true', `ORDER BY r.${order} DESC LIMIT ${limit}`)
}

/**
 * Returns a query of some rows of every series. It jumps between series in the index, and so reads
 * no more rows than it returns, however long the history.
 */
function seriesQuery(kind: RecordKind, filter: string, tail: string): string {
  const { name, slot } = TABLES[kind]
  const by = SERIES[kind]?.slot ?? (slot ?? []).map((column) => column.name)
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
    SELECT ${columnList(kind, 'w.')} FROM series s, LATERAL (
      SELECT * FROM ${name} r WHERE ${matches} AND ${filter} ${tail}
    ) w`
}

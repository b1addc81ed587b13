// Reads account history from the database.
import type { RecordKind } from '@openvenue/core/records'
import {
  type AccountHistory,
  type HistoryKind,
  type HistoryQuery,
  type HistoryRow,
  type Place,
  placeOf,
} from './account-history.ts'
import {
  countQuery,
  fundingPaymentsQuery,
  numberQuery,
  pageQuery,
  type Query,
  STATEMENT_RANGES_MAX,
  transfersQuery,
  walletsQuery,
} from './account-queries.ts'
import type { Db, Sql } from './db.ts'
import { recordsOfLines } from './record-lines.ts'

/** Returns the history in `db`. */
export function createAccountHistory(db: Db): AccountHistory {
  const read = ({ text, params }: Query) => db.replica.query(text, params)
  return {
    rows: (kind, query) => pageOf(db, kind, query),
    count: async (kind, filter) => Number((await read(countQuery(kind, filter)))[0]?.[0]),
    transfers: async (query) =>
      query.types.length === 0 ? [] : readRecords(db.replica, 'transfer', transfersQuery(query)),
    fundingPayments: (account, limit) =>
      readRecords(db.replica, 'fundingPayment', fundingPaymentsQuery(account, limit)),
    numberOf: async (wallet) => {
      const [row] = await read(numberQuery(wallet))
      return row && Number(row[0])
    },
    walletsOf: async (accounts) => {
      const rows = await read(walletsQuery(accounts))
      return new Map(rows.map(([account, wallet]) => [Number(account), String(wallet)]))
    },
  }
}

async function pageOf<K extends HistoryKind>(
  db: Db,
  kind: K,
  query: HistoryQuery,
): Promise<readonly HistoryRow[K][]> {
  const read = async (sql: Sql, markets: readonly string[]) =>
    (await readRecords(sql, kind, pageQuery(kind, query, markets))) as HistoryRow[K][]
  const [markets, ...others] = groupsOf(query.markets)
  if (markets === undefined) return []
  if (others.length === 0) return read(db.replica, markets)
  // From one view: between two, a walk would pass over what was committed to the first part.
  return db.readTransaction(async (sql) => {
    const rows: HistoryRow[K][] = []
    for (const part of [markets, ...others]) rows.push(...(await read(sql, part)))
    return firstOf(kind, query, rows)
  })
}

const readRecords = async <K extends RecordKind>(sql: Sql, what: K, { text, params }: Query) =>
  recordsOfLines(what, String((await sql.query(text, params))[0]?.[0]))

/** Returns the markets, each once, as the statements take them. */
function groupsOf(markets: readonly string[]): string[][] {
  const distinct = [...new Set(markets)]
  const groups: string[][] = []
  for (let start = 0; start < distinct.length; start += STATEMENT_RANGES_MAX) {
    groups.push(distinct.slice(start, start + STATEMENT_RANGES_MAX))
  }
  return groups
}

/** Returns the first rows of a query among the first ones of its parts. */
function firstOf<K extends HistoryKind>(
  kind: K,
  { isAscending, limit }: HistoryQuery,
  rows: readonly HistoryRow[K][],
): readonly HistoryRow[K][] {
  const placed = rows.map((row) => ({ row, place: placeOf(kind, row) }))
  const sign = isAscending ? 1 : -1
  placed.sort((one, other) => sign * comparePlaces(one.place, other.place))
  return placed.slice(0, limit).map(({ row }) => row)
}

const comparePlaces = (one: Place, other: Place) => {
  if (one.seconds !== other.seconds) return one.seconds - other.seconds
  return one.id < other.id ? -1 : 1
}

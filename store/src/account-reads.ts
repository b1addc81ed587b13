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
  fundingPaymentsQuery,
  numberQuery,
  ownerQuery,
  pageQuery,
  type Query,
  STATEMENT_RANGES_MAX,
  transfersQuery,
  walletsQuery,
} from './account-queries.ts'
import type { Db, Sql } from './db.ts'
import { countQuery } from './history-counts.ts'
import { type Line, linesOf, recordOfLine } from './record-lines.ts'

/** Returns the history in `db`. */
export function createAccountHistory(db: Db): AccountHistory {
  const read = ({ text, params }: Query) => db.replica.query(text, params)
  return {
    rows: async (kind, query) => (await pageOf(db, kind, query)).map((line) => rowOf(kind, line)),
    lines: (kind, query) => pageOf(db, kind, query),
    count: async (kind, filter) => {
      const [row = []] = await read(countQuery(kind, filter))
      return { rows: Number(row[0]), isExact: row[1] === 't' }
    },
    transfers: async (query) =>
      query.types.length === 0 ? [] : readRecords(db.replica, 'transfer', transfersQuery(query)),
    fundingPayments: (account, limit) =>
      readRecords(db.replica, 'fundingPayment', fundingPaymentsQuery(account, limit)),
    numberOf: async (wallet) => {
      const [row] = await read(numberQuery(wallet))
      return row && Number(row[0])
    },
    ownerOf: async (address) => {
      const [row] = await read(ownerQuery(address))
      return row === undefined ? undefined : String(row[0])
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
): Promise<readonly Line<K>[]> {
  const read = (sql: Sql, markets: readonly string[]) =>
    readLines<K>(sql, pageQuery(kind, query, markets))
  const [markets, ...others] = groupsOf(query.markets)
  if (markets === undefined) return []
  if (others.length === 0) return read(db.replica, markets)
  // From one view: between two, a walk would pass over what was committed to the first part.
  return db.readTransaction(async (sql) => {
    const lines: Line<K>[] = []
    for (const part of [markets, ...others]) lines.push(...(await read(sql, part)))
    return firstOf(kind, query, lines)
  })
}

const readLines = async <K extends RecordKind>(sql: Sql, { text, params }: Query) =>
  linesOf<K>(String((await sql.query(text, params))[0]?.[0]))

const readRecords = async <K extends RecordKind>(sql: Sql, what: K, query: Query) =>
  (await readLines<K>(sql, query)).map((line) => recordOfLine(what, line))

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
  lines: readonly Line<K>[],
): readonly Line<K>[] {
  const placed = lines.map((line) => ({ line, place: placeOf(kind, rowOf(kind, line)) }))
  const sign = isAscending ? 1 : -1
  placed.sort((one, other) => sign * comparePlaces(one.place, other.place))
  return placed.slice(0, limit).map(({ line }) => line)
}

const rowOf = <K extends HistoryKind>(kind: K, line: Line<K>) =>
  recordOfLine<HistoryKind>(kind, line) as HistoryRow[K]

const comparePlaces = (one: Place, other: Place) => {
  if (one.seconds !== other.seconds) return one.seconds - other.seconds
  return one.id < other.id ? -1 : 1
}

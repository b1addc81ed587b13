// Reads account history from the database.
import type { RecordKind, RecordOf } from '@openvenue/core/records'
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
import type { Db, Row } from './db.ts'
import { recordOf } from './tables.ts'

/** Returns the history in `db`. */
export function createAccountHistory(db: Db): AccountHistory {
  const read = ({ text, params }: Query) => db.replica.query(text, params)
  const readRecords = async <K extends RecordKind>(what: K, query: Query) =>
    recordsOf(what, await read(query))
  return {
    rows: async (kind, query) => {
      const groups = groupsOf(query.markets)
      const pages = await Promise.all(
        groups.map((markets) => readRecords(kind, pageQuery(kind, query, markets))),
      )
      return mergedOf(kind, query, pages as HistoryRow[typeof kind][][])
    },
    count: async (kind, filter) => Number((await read(countQuery(kind, filter)))[0]?.[0]),
    transfers: async (query) =>
      query.types.length === 0 ? [] : readRecords('transfer', transfersQuery(query)),
    fundingPayments: (account, limit) =>
      readRecords('fundingPayment', fundingPaymentsQuery(account, limit)),
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

function recordsOf<K extends RecordKind>(what: K, rows: readonly Row[]): RecordOf<K>[] {
  const records: RecordOf<K>[] = []
  for (const row of rows) records.push(recordOf(what, row, records.at(-1)))
  return records
}

/** Returns the markets, each once, as the statements take them. */
function groupsOf(markets: readonly string[]): string[][] {
  const distinct = [...new Set(markets)]
  const groups: string[][] = []
  for (let start = 0; start < distinct.length; start += STATEMENT_RANGES_MAX) {
    groups.push(distinct.slice(start, start + STATEMENT_RANGES_MAX))
  }
  return groups
}

/** Returns the first rows of several pages. */
function mergedOf<K extends HistoryKind>(
  kind: K,
  { isAscending, limit }: HistoryQuery,
  pages: readonly (readonly HistoryRow[K][])[],
): readonly HistoryRow[K][] {
  const [only, ...others] = pages
  if (only === undefined || others.length === 0) return only ?? []
  const places = pages.flat().map((row) => ({ row, place: placeOf(kind, row) }))
  const sign = isAscending ? 1 : -1
  places.sort((one, other) => sign * comparePlaces(one.place, other.place))
  return places.slice(0, limit).map(({ row }) => row)
}

const comparePlaces = (one: Place, other: Place) => {
  if (one.seconds !== other.seconds) return one.seconds - other.seconds
  return one.id < other.id ? -1 : 1
}

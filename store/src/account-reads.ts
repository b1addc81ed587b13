// Reads account history from the database.
import type { RecordKind } from '@openvenue/core/records'
import { daySumsQuery, daysQuery, parseDaySums, parseDays } from './account-days.ts'
import {
  type AccountHistory,
  type CursorPosition,
  cursorPosition,
  type HistoryKind,
  type HistoryQuery,
  type HistoryRow,
  type LinesPage,
  type SigningKey,
} from './account-history.ts'
import {
  fundingPaymentsQuery,
  numberQuery,
  orderQuery,
  ownerQuery,
  pageQuery,
  STATEMENT_RANGES_MAX,
  signingKeyQuery,
  transfersQuery,
  walletsQuery,
} from './account-queries.ts'
import {
  type BlockRead,
  type Query,
  type ReadFrom,
  readCellAt,
  readRowAt,
  withRows,
} from './block-read.ts'
import { readCheckpoint } from './checkpoint.ts'
import type { Cell, Db, Sql } from './db.ts'
import { countQuery } from './history-counts.ts'
import { decodeLine, type Line, splitLines } from './record-lines.ts'

/** Returns the history in `db`. */
export function createAccountHistory(db: Db): AccountHistory {
  const read = (query: Query, from: ReadFrom = 'replica') => readCellAt(db[from], query)
  const readRecords = async <K extends RecordKind>(what: K, query: Query, from?: ReadFrom) =>
    withRows(await read(query, from), (cell) =>
      splitLines<K>(cell ?? '').map((line) => decodeLine(what, line)),
    )
  return {
    rows: async (kind, query, from) =>
      withRows(await readPage(db, kind, query, from), ({ lines }) =>
        lines.map((line) => decodeRow(kind, line)),
      ),
    lines: (kind, query, from) => readPage(db, kind, query, from),
    count: async (kind, filter, from = 'replica') =>
      withRows(await readRowAt(db[from], countQuery(kind, filter)), ([rows, isExact]) => ({
        rows: Number(rows),
        isExact: isExact === 't',
      })),
    order: async (name, from) =>
      withRows(await readRecords('order', orderQuery(name), from), ([order]) => order),
    transfers: (query, from) =>
      readRecords('transfer', query.types.length === 0 ? NOTHING : transfersQuery(query), from),
    fundingPayments: (account, limit, from) =>
      readRecords('fundingPayment', fundingPaymentsQuery(account, limit), from),
    daySums: async (account, days, from) =>
      withRows(await read(daySumsQuery(account, days), from), parseDaySums),
    days: async (account, day, from) =>
      withRows(await read(daysQuery(account, day), from), parseDays),
    accountNumber: async (wallet, from) =>
      withRows(await read(numberQuery(wallet), from), (cell) =>
        cell === null ? undefined : Number(cell),
      ),
    ownerOf: async (address, from) =>
      withRows(await read(ownerQuery(address), from), (cell) => cell ?? undefined),
    signingKey: async (key, from) => withRows(await read(signingKeyQuery(key), from), signingKeyIn),
    readWallets: async (accounts, from) =>
      withRows(await read(walletsQuery(accounts), from), walletsIn),
  }
}

/** Selects no lines. */
const NOTHING: Query = { text: `SELECT ''`, params: [] }

function signingKeyIn(cell: Cell): SigningKey | undefined {
  const [account, expiry, revoked = ''] = (cell ?? '').split(' ')
  if (revoked === '') return undefined
  const isRevoked = revoked.startsWith('t')
  return { account: Number(account), expirySeconds: Number(expiry), isRevoked }
}

function walletsIn(cell: Cell): ReadonlyMap<number, string> {
  const pairs = cell === null ? [] : cell.split('\n').map((line) => line.split(' '))
  return new Map(pairs.map(([account, wallet]) => [Number(account), String(wallet)]))
}

type LinesQuery = HistoryQuery & Readonly<{ isBehindAsked?: boolean }>

async function readPage<K extends HistoryKind>(
  db: Db,
  kind: K,
  query: LinesQuery,
  from: ReadFrom = 'replica',
): Promise<BlockRead<LinesPage<K>>> {
  const groups = groupMarkets(query.markets)
  const [markets = [], ...others] = groups
  if (others.length === 0 && query.isBehindAsked !== true) {
    const one = markets.length === 0 ? NOTHING : pageQuery(kind, query, markets)
    return withRows(await readCellAt(db[from], one), (cell) => ({ lines: splitLines(cell ?? '') }))
  }
  // From one view: between two, a scan would pass over what was committed to the first part.
  return db.readTransaction(async (sql) => {
    const { seq, head } = await readCheckpoint(sql)
    const lines = await linesIn(sql, kind, query, groups)
    if (query.isBehindAsked !== true) return { seq, head, rows: { lines } }
    const behind = await linesIn(sql, kind, behindQuery(kind, query, lines), groups)
    return { seq, head, rows: { lines, hasBehind: behind.length > 0 } }
  }, from)
}

/** Returns what finds a row before the first of `lines`. Beyond an empty page there is nothing. */
function behindQuery<K extends HistoryKind>(
  kind: K,
  query: HistoryQuery,
  [first]: readonly Line<K>[],
): HistoryQuery {
  const after = first === undefined ? undefined : cursorPosition(kind, decodeRow(kind, first))
  return { ...query, after, isAscending: !query.isAscending, limit: 1 }
}

/** Reads the first lines of a query, whose markets are in `groups`. */
async function linesIn<K extends HistoryKind>(
  sql: Sql,
  kind: K,
  query: HistoryQuery,
  groups: readonly (readonly string[])[],
): Promise<readonly Line<K>[]> {
  const lines: Line<K>[] = []
  for (const markets of groups) {
    const { text, params } = pageQuery(kind, query, markets)
    lines.push(...splitLines<K>(String((await sql.query(text, params))[0]?.[0])))
  }
  return groups.length > 1 ? firstLines(kind, query, lines) : lines
}

/** Returns the markets, each once, as the statements take them. */
function groupMarkets(markets: readonly string[]): string[][] {
  const distinct = [...new Set(markets)]
  const groups: string[][] = []
  for (let start = 0; start < distinct.length; start += STATEMENT_RANGES_MAX) {
    groups.push(distinct.slice(start, start + STATEMENT_RANGES_MAX))
  }
  return groups
}

/** Returns the first rows of a query among the first ones of its parts. */
function firstLines<K extends HistoryKind>(
  kind: K,
  { isAscending, limit }: HistoryQuery,
  lines: readonly Line<K>[],
): readonly Line<K>[] {
  const positioned = lines.map((line) => ({
    line,
    position: cursorPosition(kind, decodeRow(kind, line)),
  }))
  const sign = isAscending ? 1 : -1
  positioned.sort((one, other) => sign * comparePositions(one.position, other.position))
  return positioned.slice(0, limit).map(({ line }) => line)
}

const decodeRow = <K extends HistoryKind>(kind: K, line: Line<K>) =>
  decodeLine<HistoryKind>(kind, line) as HistoryRow[K]

const comparePositions = (one: CursorPosition, other: CursorPosition) => {
  if (one.seconds !== other.seconds) return one.seconds - other.seconds
  return one.id < other.id ? -1 : 1
}

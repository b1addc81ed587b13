// Reads account history from the database.
import type { RecordKind } from '@openvenue/core/records'
import { type ReadFrom, readCellAt, readRowAt, type SqlQuery, withRows } from '../db/block-read.ts'
import type { Cell, Db } from '../db/db.ts'
import { decodeLine, splitLines } from '../db/record-lines.ts'
import { daySumsQuery, daysQuery, parseDaySums, parseDays } from './account-days.ts'
import type { AccountHistory, SigningKey } from './account-history.ts'
import {
  fundingPaymentsQuery,
  numberQuery,
  orderQuery,
  ownerQuery,
  signingKeyQuery,
  transfersQuery,
  walletsQuery,
} from './account-queries.ts'
import { countQuery, parseCount } from './counts.ts'
import { decodeRow, HistoryPages, NOTHING } from './pages.ts'

/** Returns the history in `db`. */
export function createAccountHistory(db: Db): AccountHistory {
  const pages = new HistoryPages(db)
  const read = (query: SqlQuery, from: ReadFrom = 'replica') => readCellAt(db[from], query)
  const readRecords = async <K extends RecordKind>(kind: K, query: SqlQuery, from?: ReadFrom) =>
    withRows(await read(query, from), (cell) =>
      splitLines<K>(cell ?? '').map((line) => decodeLine(kind, line)),
    )
  return {
    rows: async (kind, query, from) =>
      withRows(await pages.read(kind, query, from), ({ lines }) =>
        lines.map((line) => decodeRow(kind, line)),
      ),
    lines: (kind, query, from) => pages.read(kind, query, from),
    count: async (kind, filter, from = 'replica') =>
      withRows(await readRowAt(db[from], countQuery(kind, filter)), parseCount),
    // Most orders asked for rest, or ended lately; only others are searched in old partitions.
    order: async (name, from) => {
      const recent = pages.recentSeconds()
      const found = await readRecords('order', orderQuery(name, recent), from)
      pages.seeHead(found.head)
      const isWhole = recent === 0 || found.rows.length > 0
      const orders = isWhole ? found : await readRecords('order', orderQuery(name), from)
      return withRows(orders, ([order]) => order)
    },
    transfers: (query, from) =>
      readRecords('transfer', query.types.length === 0 ? NOTHING : transfersQuery(query), from),
    fundingPayments: (account, limit, from) =>
      readRecords('fundingPayment', fundingPaymentsQuery(account, limit), from),
    daySums: async (account, days, from) =>
      withRows(await read(daySumsQuery(account, days), from), parseDaySums),
    days: async (account, range, from = 'replica') =>
      withRows(
        await readRowAt(db[from], daysQuery(account, range)),
        ([sums = null, days = null]) => ({
          sums: parseDaySums(sums),
          days: parseDays(days),
        }),
      ),
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

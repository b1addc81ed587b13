// GET /account/trades/csv and /account/transactions/csv: an account's history as tables, oldest
// first, in consecutive pieces of a bounded number of rows.

import { setImmediate as otherTurn } from 'node:timers/promises'
import type { Header } from '@openvenue/core/events'
import type { Transfer } from '@openvenue/core/records'
import { decodeWrittenLine, type RecordLine } from '@openvenue/store/db/record-lines'
import {
  type CursorPosition,
  linePosition,
  TRANSFER_TYPES,
} from '@openvenue/store/history/account-history'
import {
  CSV_CURSOR_HEADER,
  CSV_ROWS_MAX,
  CSV_TYPE,
  csvHead,
  csvLine,
  csvTable,
  TRADE_COLUMNS,
  TRANSACTION_COLUMNS,
  TradesCsvQuery,
  TransactionsCsvQuery,
} from '@openvenue/wire/csv'
import type { Static } from '@openvenue/wire/field'
import { encodeFill } from '@openvenue/wire/fills'
import type { FastifyReply } from 'fastify'
import { filterMarkets, marketsPrint, timeRangeOr400 } from '../account/account-filter.ts'
import { HEAVY_WEIGHT } from '../http/limits.ts'
import { requireMinBlock } from '../http/min-block.ts'
import { buildPage, exactly, type ListName, planScan } from '../http/page.ts'
import { orUnavailable } from '../http/refusals.ts'
import { type AccountRequest, accountGet } from './account-route.ts'
import { fillSetOr400 } from './account-trades.ts'
import type { HistoryParts } from './history-page.ts'
import type { Parts, Routes } from './route.ts'
import { encodeTransfers } from './transaction-history.ts'

/** Rows encoded before other requests get a turn. */
const TURN_ROWS = 500

type CsvParts = HistoryParts | 'settings' | 'authenticate'

export const accountCsvRoutes: Routes<CsvParts> = (host, deps) => {
  accountGet(
    host,
    deps,
    {
      path: '/account/trades/csv',
      below: '/trades/csv',
      summary: 'Fills of the account as a table',
      query: TradesCsvQuery,
      body: csvTable(TRADE_COLUMNS),
      contentType: 'text/csv',
      weight: HEAVY_WEIGHT,
    },
    (request) => answerTrades(deps, request),
  )
  accountGet(
    host,
    deps,
    {
      path: '/account/transactions/csv',
      below: '/transactions/csv',
      summary: 'Deposits, withdrawals and transfers as a table',
      query: TransactionsCsvQuery,
      body: csvTable(TRANSACTION_COLUMNS),
      contentType: 'text/csv',
      weight: HEAVY_WEIGHT,
    },
    (request) => answerTransactions(deps, request),
  )
}

async function answerTrades(
  deps: Parts<CsvParts>,
  { caller: { account }, query, reply }: AccountRequest<typeof TradesCsvQuery>,
): Promise<FastifyReply> {
  const { model, history, wallets, fresh } = deps
  const range = timeRangeOr400(query)
  const fills = fillSetOr400(query.trade_types)
  const print = marketsPrint(model, query)
  const name = listName('trades.csv', [account, print, range, fills.print])
  const scan = planScan(pageOf(query), name)
  const markets = new Map(filterMarkets(model, query).map(({ market }) => [market.id, market]))
  const number = await orUnavailable(wallets.accountNumber(account))
  const isNothing = number === undefined || markets.size === 0 || fills.isNothing
  if (isNothing)
    return sendTable(reply, 'trades', { head: model.head, rows: [], columns: TRADE_COLUMNS })
  const filter = {
    account: number,
    markets: [...markets.keys()],
    ...range,
    ...scan,
    fills: fills.rows.fills,
  }
  const { rows, head } = await orUnavailable(
    fresh.read((from) => history.lines('fill', filter, from)),
  )
  const decode = (line: RecordLine<'fill'>) => decodeWrittenLine('fill', line)
  const { shown, next } = cut(rows.lines, [query, name], (line) => linePosition('fill', line))
  const encode = (line: RecordLine<'fill'>) => {
    const fill = decode(line)
    const market = markets.get(String(fill.market))
    return market === undefined ? undefined : encodeFill(market, fill, account)
  }
  const columns = TRADE_COLUMNS
  return sendTable(reply, 'trades', { head, rows: await encodeRows(shown, encode), next, columns })
}

async function answerTransactions(
  deps: Parts<CsvParts>,
  { caller: { account }, query, reply }: AccountRequest<typeof TransactionsCsvQuery>,
): Promise<FastifyReply> {
  const { model, history, wallets, fresh } = deps
  const range = timeRangeOr400(query)
  const { tx_type } = query
  const name = listName('transactions.csv', [account, range, tx_type])
  const { after, limit } = planScan(pageOf(query), name)
  const columns = TRANSACTION_COLUMNS
  const number = await orUnavailable(wallets.accountNumber(account))
  if (number === undefined)
    return sendTable(reply, 'transactions', { head: model.head, rows: [], columns })
  const types = tx_type === undefined ? TRANSFER_TYPES : [tx_type]
  const order = { isAscending: true, offset: 0, limit }
  const filter = { account: number, types, ...range, ...order, after }
  const { rows, head } = await orUnavailable(fresh.read((from) => history.transfers(filter, from)))
  const { shown, next } = cut(rows, [query, name], transferPosition)
  const items = await encodeTransfers(deps, account, shown)
  return sendTable(reply, 'transactions', { head, rows: items, next, columns })
}

type CsvQuery = Pick<Static<typeof TransactionsCsvQuery>, 'limit' | 'cursor'>

const listName = (list: string, filter: readonly unknown[]): ListName => ({
  list,
  isAscending: true,
  filter,
})

const pageOf = ({ limit = CSV_ROWS_MAX, cursor }: CsvQuery) =>
  cursor === undefined ? { limit } : { limit, cursor }

const transferPosition = ({ seconds, id }: Transfer): CursorPosition => ({ seconds, id })

/** Returns the rows of an answer, and the cursor of the rows after them. */
function cut<T>(
  read: readonly T[],
  [query, name]: readonly [CsvQuery, ListName],
  position: (row: T) => CursorPosition,
): Readonly<{ shown: readonly T[]; next: string | null }> {
  const parts = { read, cursorPosition: position, total: exactly(0), hasBehind: false }
  const { rows, pagination } = buildPage(pageOf(query), name, parts)
  return { shown: rows, next: pagination.next_cursor }
}

/** Encodes row by row, and yields to other requests in between. */
async function encodeRows<T>(
  rows: readonly T[],
  encode: (row: T) => object | undefined,
): Promise<object[]> {
  const encoded: object[] = []
  for (const [index, row] of rows.entries()) {
    const item = encode(row)
    if (item !== undefined) encoded.push(item)
    if (index % TURN_ROWS === TURN_ROWS - 1) await otherTurn()
  }
  return encoded
}

type CsvTable = Readonly<{
  head: Header | undefined
  rows: readonly object[]
  columns: readonly string[]
  next?: string | null
}>

async function sendTable(
  reply: FastifyReply,
  name: string,
  { head, rows, columns, next = null }: CsvTable,
): Promise<FastifyReply> {
  requireMinBlock(reply.request, head)
  const lines = [csvHead(columns)]
  for (const [index, row] of rows.entries()) {
    lines.push(csvLine(columns, row as Readonly<Record<string, unknown>>))
    if (index % TURN_ROWS === TURN_ROWS - 1) await otherTurn()
  }
  if (next !== null) reply.header(CSV_CURSOR_HEADER, next)
  if (head !== undefined)
    reply
      .header('x-block-number', head.number)
      .header('x-block-hash', head.hash)
      .header('x-data-age-ms', reply.server.freshness.ageMs())
  reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  return reply.type(CSV_TYPE).send(lines.join(''))
}

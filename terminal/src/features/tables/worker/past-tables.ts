// Reads history tables, and all fills, from the venue page by page.
import type { Rest, shapes } from 'openvenue'
import { showDecimal } from '../../../text/decimal-text.ts'
import {
  fillRow,
  fundingRow,
  type PriceDigits,
  pastOrderRow,
  transferRow,
} from '../../account/worker/table-rows.ts'
import {
  PAGE_ROWS,
  type PagedTab,
  type PastPage,
  type TableRow,
  type WholeTable,
} from '../table-protocol.ts'
import * as text from '../text.ts'

/** Maximum number of rows in a file. */
export const EXPORT_ROWS_MAX = 10_000
const EXPORT_PAGE = 1_000
/** The venue lists only this many of the newest funding payments (interface 8). */
const FUNDING_ROWS_MAX = 500
/** Maximum number of pages searched for the row after which older ones start. */
const BEHIND_PAGES_MAX = 3

/**
 * `market` is empty for all markets; `cursor` is the start of the page, empty for the newest row.
 */
export type PastPageRequest = Readonly<{
  tab: PagedTab
  market: string
  cursor: string
  limit: number
}>

/**
 * Returns one page, and the cursor of the next older one. Without `digitsOf`, its numbers are
 * exact, as in a file.
 */
export async function readPage(
  rest: Rest,
  request: PastPageRequest,
  digitsOf?: PriceDigits,
): Promise<PastPage> {
  const { tab, market, cursor, limit } = request
  const query = { ...(market === '' ? {} : { instrument_name: market }), limit }
  const from = cursor === '' ? query : { ...query, cursor }
  switch (tab) {
    case 'funding': {
      const paid = await readFunding(rest, { ...query, offset: Number(cursor) })
      return byOffset(
        request,
        paid.map((payment) => fundingRow(payment, digitsOf)),
      )
    }
    case 'transfers':
      return byOffset(request, await readTransfers(rest, { limit, offset: Number(cursor) }))
    case 'history': {
      const answer = await rest.call('GET /order-history', { query: from })
      const rows = answer.order_history.map((order) => pastOrderRow(order, digitsOf))
      return { rows, older: olderOf(answer.pagination) }
    }
    case 'fills': {
      const answer = await rest.call('GET /trade-history', { query: from })
      const { trade_history, pagination } = answer as FillsPage
      const rows = trade_history.map((fill) => fillRow(fill, digitsOf))
      return { rows, older: olderOf(pagination) }
    }
  }
}

/**
 * Returns the page of fills older than the one of that id. If the venue no longer has that fill,
 * because a reorg undid its block, returns the newest page.
 */
export async function readBehind(
  rest: Rest,
  { market, id }: Readonly<{ market: string; id: string }>,
  digitsOf?: PriceDigits,
): Promise<PastPage> {
  const read = (cursor: string) =>
    readPage(rest, { tab: 'fills', market, cursor, limit: PAGE_ROWS }, digitsOf)
  const newest = await read('')
  let page = newest
  for (let pages = 1; pages <= BEHIND_PAGES_MAX; pages++) {
    const at = page.rows.findLastIndex((row) => row.id === id)
    const rows = page.rows.slice(at + 1)
    if (at >= 0 && (rows.length > 0 || page.older === '')) return { rows, older: page.older }
    if (page.older === '') return newest
    page = await read(page.older)
    if (at >= 0) return page
  }
  return newest
}

type FillsPage = Readonly<{
  trade_history: readonly shapes.Fill[]
  pagination: shapes.Pagination
}>

/** Returns all rows, newest first, up to the limits of a file and of the venue. */
export async function readWhole(
  rest: Rest,
  request: Pick<PastPageRequest, 'tab' | 'market'>,
): Promise<WholeTable> {
  const rows: TableRow[] = []
  let cursor = ''
  do {
    const page = await readPage(rest, { ...request, cursor, limit: EXPORT_PAGE })
    rows.push(...page.rows)
    cursor = page.older
  } while (cursor !== '' && rows.length < EXPORT_ROWS_MAX)
  const isCut = cursor !== '' || rows.length > EXPORT_ROWS_MAX
  return { rows: rows.slice(0, EXPORT_ROWS_MAX), limit: limitText(request.tab, rows.length, isCut) }
}

/** Describes the rows that are missing from a file. */
function limitText(tab: PagedTab, rows: number, isCut: boolean): string {
  if (isCut) return text.fileLimit(showDecimal(`${EXPORT_ROWS_MAX}`))
  if (tab !== 'funding' || rows < FUNDING_ROWS_MAX) return ''
  return text.fundingFileLimit(FUNDING_ROWS_MAX)
}

const olderOf = ({ has_next, next_cursor }: shapes.Pagination): string =>
  has_next ? (next_cursor ?? '') : ''

/** Without a cursor from the venue, a full page may be followed by another one. */
function byOffset({ cursor, limit }: PastPageRequest, rows: readonly TableRow[]): PastPage {
  return { rows, older: rows.length < limit ? '' : String(Number(cursor) + limit) }
}

type Offset = Readonly<{ limit: number; offset: number }>

async function readFunding(rest: Rest, query: Offset & Readonly<{ instrument_name?: string }>) {
  const answer = await rest.call('GET /trade-history', {
    query: { ...query, trade_types: 'funding' },
  })
  return answer.trade_history as readonly shapes.FundingPayment[]
}

async function readTransfers(rest: Rest, query: Offset) {
  const { transaction_history } = await rest.call('GET /transaction-history', { query })
  return transaction_history.map(transferRow)
}

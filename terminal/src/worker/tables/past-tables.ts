// Reads the tables of what is over, and of all fills, from the venue: a page at a time.
import type { Rest, shapes } from 'openvenue'
import { showDecimal } from '../text/decimal-text.ts'
import {
  PAGE_ROWS,
  type PagedTab,
  type PastPage,
  type TableRow,
  type WholeTable,
} from './table-protocol.ts'
import { fillRow, fundingRow, pastOrderRow, transferRow } from './table-rows.ts'

/** A file has so many rows at most. */
export const EXPORT_ROWS_MAX = 10_000
const EXPORT_PAGE = 1_000
/** The venue reads no more payments of funding, the newest ones (interface 8). */
const FUNDING_ROWS_MAX = 500
/** So many pages are looked through for the row that older ones begin behind. */
const BEHIND_PAGES_MAX = 3

/** `market` is empty for all; `cursor` where the page begins, empty at the newest row. */
export type PageAsked = Readonly<{
  tab: PagedTab
  market: string
  cursor: string
  limit: number
}>

/** Returns one page, and where the next older one begins. */
export async function readPage(rest: Rest, asked: PageAsked): Promise<PastPage> {
  const { tab, market, cursor, limit } = asked
  const query = { ...(market === '' ? {} : { instrument_name: market }), limit }
  const from = cursor === '' ? query : { ...query, cursor }
  switch (tab) {
    case 'funding':
      return byOffset(asked, await readFunding(rest, { ...query, offset: Number(cursor) }))
    case 'transfers':
      return byOffset(asked, await readTransfers(rest, { limit, offset: Number(cursor) }))
    case 'history': {
      const answer = await rest.call('GET /order-history', { query: from })
      return { rows: answer.order_history.map(pastOrderRow), older: olderOf(answer.pagination) }
    }
    case 'fills': {
      const answer = await rest.call('GET /trade-history', { query: from })
      const { trade_history, pagination } = answer as FillsPage
      return { rows: trade_history.map(fillRow), older: olderOf(pagination) }
    }
  }
}

/**
 * Returns the page of fills that begins behind the one of that id. One that the venue does not have
 * any more, since its block was taken back, is behind nothing: the newest page comes then.
 */
export async function readBehind(
  rest: Rest,
  { market, id }: Readonly<{ market: string; id: string }>,
): Promise<PastPage> {
  const read = (cursor: string) =>
    readPage(rest, { tab: 'fills', market, cursor, limit: PAGE_ROWS })
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
  asked: Pick<PageAsked, 'tab' | 'market'>,
): Promise<WholeTable> {
  const rows: TableRow[] = []
  let cursor = ''
  do {
    const page = await readPage(rest, { ...asked, cursor, limit: EXPORT_PAGE })
    rows.push(...page.rows)
    cursor = page.older
  } while (cursor !== '' && rows.length < EXPORT_ROWS_MAX)
  const isCut = cursor !== '' || rows.length > EXPORT_ROWS_MAX
  return { rows: rows.slice(0, EXPORT_ROWS_MAX), limit: limitText(asked.tab, rows.length, isCut) }
}

/** Says what a file does not have. */
function limitText(tab: PagedTab, rows: number, isCut: boolean): string {
  if (isCut)
    return `The file has the newest ${showDecimal(`${EXPORT_ROWS_MAX}`)} rows: older ones are not in it.`
  if (tab !== 'funding' || rows < FUNDING_ROWS_MAX) return ''
  return `The venue lists the newest ${FUNDING_ROWS_MAX} payments of funding: older ones are not in the file.`
}

const olderOf = ({ has_next, next_cursor }: shapes.Pagination): string =>
  has_next ? (next_cursor ?? '') : ''

/** Where the venue has no cursor, a full page may have another one behind it. */
function byOffset({ cursor, limit }: PageAsked, rows: readonly TableRow[]): PastPage {
  return { rows, older: rows.length < limit ? '' : String(Number(cursor) + limit) }
}

type Offset = Readonly<{ limit: number; offset: number }>

async function readFunding(rest: Rest, query: Offset & Readonly<{ instrument_name?: string }>) {
  const answer = await rest.call('GET /trade-history', {
    query: { ...query, trade_types: 'funding' },
  })
  return (answer.trade_history as readonly shapes.FundingPayment[]).map(fundingRow)
}

async function readTransfers(rest: Rest, query: Offset) {
  const { transaction_history } = await rest.call('GET /transaction-history', { query })
  return transaction_history.map(transferRow)
}

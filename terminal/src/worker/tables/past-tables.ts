// Reads the tables of what is over, and of all fills, from the venue.
import { pages, type Rest, type shapes } from 'openvenue'
import type { PastTab, TableRow } from './table-protocol.ts'
import { fillRow, fundingRow, pastOrderRow, transferRow } from './table-rows.ts'

const PAGE = 200
/** A file has so many rows at most. */
export const EXPORT_ROWS_MAX = 10_000
const EXPORT_PAGE = 1_000

type Asked = Readonly<{ tab: PastTab | 'fills'; market: string; isWhole: boolean }>

/** Returns the newest rows; with `isWhole` all of them, up to the limit of a file. */
export function readPast(
  rest: Rest,
  { tab, market, isWhole }: Asked,
): Promise<readonly TableRow[]> {
  const filter = market === '' ? {} : { instrument_name: market }
  const limit = isWhole ? EXPORT_PAGE : PAGE
  const query = { ...filter, limit }
  const rowsMax = isWhole ? EXPORT_ROWS_MAX : PAGE
  switch (tab) {
    case 'funding':
      return readFunding(rest, query)
    case 'transfers':
      return readTransfers(rest, limit)
    case 'history':
      return collect(pages(rest, 'GET /order-history', { query }), rowsMax, (page) =>
        page.order_history.map(pastOrderRow),
      )
    case 'fills':
      return collect(pages(rest, 'GET /trade-history', { query }), rowsMax, (page) =>
        (page.trade_history as readonly shapes.Fill[]).map(fillRow),
      )
  }
}

async function collect<Page>(
  all: AsyncIterable<Page>,
  rowsMax: number,
  rowsOf: (page: Page) => readonly TableRow[],
): Promise<readonly TableRow[]> {
  const rows: TableRow[] = []
  for await (const page of all) {
    rows.push(...rowsOf(page))
    if (rows.length >= rowsMax) break
  }
  return rows.slice(0, rowsMax)
}

async function readFunding(
  rest: Rest,
  query: Readonly<{ instrument_name?: string; limit: number }>,
) {
  const answer = await rest.call('GET /trade-history', {
    query: { ...query, trade_types: 'funding' },
  })
  return (answer.trade_history as readonly shapes.FundingPayment[]).map(fundingRow)
}

async function readTransfers(rest: Rest, limit: number) {
  const { transaction_history } = await rest.call('GET /transaction-history', { query: { limit } })
  return transaction_history.map(transferRow)
}

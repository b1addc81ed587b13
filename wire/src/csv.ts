// Rows of an account as a table for spreadsheets and tax programs (RFC 4180).
import Type from 'typebox'
import { marketFilter, timeRange } from './account-query.ts'
import { choice, limit } from './field.ts'
import { FillItem } from './fills.ts'
import { TransactionItem, TX_TYPES } from './transactions.ts'

/** Rows of one answer; the next begins at its cursor. */
export const CSV_ROWS_MAX = 10_000
/** Names the cursor of the next answer; absent with the last. */
export const CSV_CURSOR_HEADER = 'x-next-cursor'
export const CSV_TYPE = 'text/csv; charset=utf-8'

const page = {
  ...timeRange,
  limit: limit(CSV_ROWS_MAX, CSV_ROWS_MAX),
  cursor: Type.Optional(
    Type.String({ description: 'X-Next-Cursor of an answer to the same query: the rows after.' }),
  ),
}

export const TradesCsvQuery = Type.Object({
  ...marketFilter,
  trade_types: Type.Optional(
    Type.String({
      description:
        'One or several of trade, liquidation, parted by commas; both unless given. Funding: /trade-history?trade_types=funding.',
    }),
  ),
  ...page,
})

export const TransactionsCsvQuery = Type.Object({
  tx_type: Type.Optional(choice(TX_TYPES, { description: 'Only transactions of this type.' })),
  ...page,
})

export const TRADE_COLUMNS = Object.keys(FillItem.properties)
export const TRANSACTION_COLUMNS = Object.keys(TransactionItem.properties)

/** Returns the schema of a table with such columns. */
export const csvTable = (columns: readonly string[]) =>
  Type.String({
    description: `Oldest first; null is empty. Columns: ${columns.join(', ')}.`,
  })

/** Returns the line of a row; with the names themselves, that of the head. */
export const csvLine = (columns: readonly string[], row: Readonly<Record<string, unknown>>) =>
  `${columns.map((name) => csvCell(row[name])).join(',')}\r\n`

/** Returns the line of the names of columns. */
export const csvHead = (columns: readonly string[]) => `${columns.join(',')}\r\n`

function csvCell(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// Account rows as CSV for spreadsheets and tax software (RFC 4180).
import Type from 'typebox'
import { marketFilter, timeRange } from './account-query.ts'
import { choice, limit } from './field.ts'
import { FillItem } from './fills.ts'
import { TransactionItem, TX_TYPES } from './transactions.ts'

/** Maximum rows per answer; the next one continues at the cursor. */
export const CSV_ROWS_MAX = 10_000
/** Response header with the cursor of the next page; absent on the last page. */
export const CSV_CURSOR_HEADER = 'x-next-cursor'
export const CSV_TYPE = 'text/csv; charset=utf-8'

const page = {
  ...timeRange,
  limit: limit(CSV_ROWS_MAX, CSV_ROWS_MAX),
  cursor: Type.Optional(
    Type.String({ description: 'X-Next-Cursor of an answer to the same query.' }),
  ),
}

export const TradesCsvQuery = Type.Object({
  ...marketFilter,
  trade_types: Type.Optional(
    Type.String({
      description:
        'One or more of trade, liquidation, separated by commas; both by default. Funding: /trade-history?trade_types=funding.',
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

/** Returns the schema of a table with these columns. */
export const csvTable = (columns: readonly string[]) =>
  Type.String({ description: `Oldest first; null is empty. Columns: ${columns.join(', ')}.` })

/** Returns the CSV line of a row. */
export const csvLine = (columns: readonly string[], row: Readonly<Record<string, unknown>>) =>
  `${columns.map((name) => csvCell(row[name])).join(',')}\r\n`

/** Returns the header line. */
export const csvHead = (columns: readonly string[]) => `${columns.join(',')}\r\n`

function csvCell(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// Writes a table as a CSV file that a spreadsheet reads.
import type { TableRow, TableTexts } from './table-protocol.ts'

const NUMBER_SHOWN = /^[+-]?\d{1,3}(,\d{3})*(\.\d+)?$/
/** A spreadsheet would compute such a text. */
const FORMULA = /^[=@\t\r]|^[+-](?!\d)/

/** Returns the file's text: numbers without commas, texts quoted where they need it. */
export const csvText = (columns: readonly string[], rows: readonly TableRow[]): string =>
  csvOf({ columns, rows: rows.map(({ cells }) => cells.map(({ text }) => text)) })

/** The same of texts as the page shows them. */
export const csvOf = ({ columns, rows }: TableTexts): string =>
  [columns, ...rows].map((line) => `${line.map(field).join(',')}\r\n`).join('')

function field(text: string): string {
  const plain = NUMBER_SHOWN.test(text) ? text.replaceAll(',', '') : text.replace(/^[▲▼] /, '')
  const safe = FORMULA.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

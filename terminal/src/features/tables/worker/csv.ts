// Writes a table as a CSV file for spreadsheets.
import type { TableRow, TableTexts } from '../table-protocol.ts'

const NUMBER_SHOWN = /^[+-]?\d{1,3}(,\d{3})*(\.\d+)?$/
/** Texts that a spreadsheet would evaluate as a formula. */
const FORMULA = /^[=@\t\r]|^[+-](?!\d)/

/** Returns the text of the file: numbers without commas, texts quoted where necessary. */
export const csvText = (columns: readonly string[], rows: readonly TableRow[]): string =>
  csvOf({ columns, rows: rows.map(({ cells }) => cells.map(({ text }) => text)) })

/** Does the same for a table of displayed texts. */
export const csvOf = ({ columns, rows }: TableTexts): string =>
  [columns, ...rows].map((line) => `${line.map(field).join(',')}\r\n`).join('')

function field(text: string): string {
  const plain = NUMBER_SHOWN.test(text) ? text.replaceAll(',', '') : text.replace(/^[▲▼] /, '')
  const safe = FORMULA.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

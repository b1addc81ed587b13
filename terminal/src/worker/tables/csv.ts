// Writes a table as a CSV file that a spreadsheet reads.
import type { TableRow } from './table-protocol.ts'

const NUMBER_SHOWN = /^[+-]?\d{1,3}(,\d{3})*(\.\d+)?$/
/** A spreadsheet would compute such a text. */
const FORMULA = /^[=@\t\r]|^[+-](?!\d)/

/** Returns the file's text: numbers without commas, texts quoted where they need it. */
export function csvText(columns: readonly string[], rows: readonly TableRow[]): string {
  const lines = [columns, ...rows.map(({ cells }) => cells.map(({ text }) => text))]
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('')
}

function field(text: string): string {
  const plain = NUMBER_SHOWN.test(text) ? text.replaceAll(',', '') : text.replace(/^[▲▼] /, '')
  const safe = FORMULA.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

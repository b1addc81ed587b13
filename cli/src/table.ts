// Formats rows as a table with numbers aligned at their decimal points.

export type Align = 'left' | 'decimal'
export type Cell = Readonly<{ text: string; style?: Style }>
export type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

const GAP = '  '
const CODES: Readonly<Record<Style, number>> = { green: 32, red: 31, yellow: 33, dim: 2, bold: 1 }

/** Returns `text` with the ANSI codes of a style. */
export const paint = (text: string, style: Style): string => `\x1b[${CODES[style]}m${text}\x1b[0m`

type TableColumn = Readonly<{ title: string; align: Align }>

/** Characters of a column before and from the decimal point of its numbers. */
export type Widths = Readonly<{ left: number; right: number }>

/** Returns the widths that the cells and the title of a column need. */
export function widthsOf({ title, align }: TableColumn, texts: readonly string[]): Widths {
  if (align === 'left') return { left: longest([title, ...texts]), right: 0 }
  const parts = texts.map(splitDecimal)
  const right = longest(parts.map(([, fraction]) => fraction))
  const left = longest(parts.map(([whole]) => whole))
  return { left: Math.max(left, title.length - right), right }
}

/** Pads `text` to the width of its column. */
function pad(text: string, align: Align, { left, right }: Widths): string {
  if (align === 'left') return text.padEnd(left)
  const [whole, fraction] = splitDecimal(text)
  return whole.padStart(left) + fraction.padEnd(right)
}

/** Returns the lines of a table, title line first, without trailing spaces. */
export function tableLines(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  hasColour: boolean,
): string[] {
  const widths = columns.map((column, at) =>
    widthsOf(
      column,
      rows.map((row) => row[at]?.text ?? ''),
    ),
  )
  const titles = columns.map((column, at) => titleOf(column, widths[at] as Widths))
  const head = titles.join(GAP).trimEnd()
  const lines = rows.map((row) => rowLine(columns, widths, { row, hasColour }))
  return [hasColour ? paint(head, 'dim') : head, ...lines]
}

/** Returns one line of a table with known widths. */
export function rowLine(
  columns: readonly TableColumn[],
  widths: readonly Widths[],
  { row, hasColour }: Readonly<{ row: readonly Cell[]; hasColour: boolean }>,
): string {
  const cells = columns.map(({ align }, at) => {
    const { text = '', style } = row[at] ?? {}
    const padded = pad(text, align, widths[at] as Widths)
    return style !== undefined && hasColour ? paint(padded, style) : padded
  })
  return cells.join(GAP).trimEnd()
}

/** Right-aligns titles of numbers with their last digits. */
export function titleOf({ title, align }: TableColumn, { left, right }: Widths): string {
  return align === 'left' ? title.padEnd(left) : title.padStart(left + right)
}

const longest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, text.length), 0)

function splitDecimal(text: string): readonly [whole: string, fraction: string] {
  const at = /^[-+]?\d+\./.test(text) ? text.indexOf('.') : text.length
  return [text.slice(0, at), text.slice(at)]
}

/** Truncates decimal text to `decimals` decimals, for display only. */
export function cutDecimals(text: string, decimals: number): string {
  const at = text.indexOf('.')
  if (at === -1 || text.length - at - 1 <= decimals) return text
  const cut = text.slice(0, at + 1 + decimals).replace(/\.?0*$/, '')
  return cut === '-0' ? '0' : cut
}

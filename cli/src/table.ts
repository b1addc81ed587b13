// Lays rows out for people: columns side by side, numbers aligned at their decimal points.

export type Align = 'left' | 'decimal'
export type Cell = Readonly<{ text: string; style?: Style }>
export type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

const GAP = '  '
const CODES: Readonly<Record<Style, number>> = { green: 32, red: 31, yellow: 33, dim: 2, bold: 1 }

/** Returns `text` in a style of ANSI terminals. */
export const paint = (text: string, style: Style): string => `\x1b[${CODES[style]}m${text}\x1b[0m`

export type TableColumn = Readonly<{ title: string; align: Align }>

/** How many characters a column takes before and after the decimal points of its numbers. */
export type Widths = Readonly<{ left: number; right: number }>

/** Returns the widths that the cells of a column need, its title included. */
export function widthsOf({ title, align }: TableColumn, texts: readonly string[]): Widths {
  if (align === 'left') return { left: longest([title, ...texts]), right: 0 }
  const parts = texts.map(splitDecimal)
  const right = longest(parts.map(([, fraction]) => fraction))
  const left = longest(parts.map(([whole]) => whole))
  return { left: Math.max(left, title.length - right), right }
}

/** Returns `text` as wide as its column. */
export function pad(text: string, align: Align, { left, right }: Widths): string {
  if (align === 'left') return text.padEnd(left)
  const [whole, fraction] = splitDecimal(text)
  return whole.padStart(left) + fraction.padEnd(right)
}

/** Returns the lines of a table: its titles, then its rows. Lines have no spaces at their ends. */
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

/** Returns one line of a table whose widths are known. */
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

/** Titles of numbers stand at the right, above their last digits. */
export function titleOf({ title, align }: TableColumn, { left, right }: Widths): string {
  return align === 'left' ? title.padEnd(left) : title.padStart(left + right)
}

const longest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, text.length), 0)

function splitDecimal(text: string): readonly [whole: string, fraction: string] {
  const at = /^[-+]?\d+\./.test(text) ? text.indexOf('.') : text.length
  return [text.slice(0, at), text.slice(at)]
}

/** Returns decimal text cut to so many decimals: for the eye alone. */
export function cutDecimals(text: string, decimals: number): string {
  const at = text.indexOf('.')
  if (at === -1 || text.length - at - 1 <= decimals) return text
  const cut = text.slice(0, at + 1 + decimals).replace(/\.?0*$/, '')
  return cut === '-0' ? '0' : cut
}

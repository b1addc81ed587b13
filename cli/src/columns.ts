// Defines the columns of answers: their names in CSV and their format in tables.
import { type Align, type Cell, cutDecimals, type Style } from './table.ts'

export type Column<Row> = Readonly<{
  /** Name in the API, used as the CSV header. */
  name: string
  /** Title in tables; by default the name without underscores. */
  title: string
  align: Align
  /** The exact value; null if unknown. */
  value: (row: Row) => string | null
  /** The cell of a table. */
  cell: (row: Row) => Cell
  /** Left out of tables, which have less room. */
  isCsvOnly?: boolean
}>

type CellValue<Row> = (row: Row) => string | number | boolean | null | undefined
type ColumnOptions<Row> = Readonly<{
  title?: string
  style?: (row: Row) => Style | undefined
  /** Maximum number of decimals in tables. */
  decimals?: number
  isCsvOnly?: boolean
}>

/** Cell of an unknown value. */
const UNKNOWN = '-'
const DECIMALS_SHOWN = 8
const NS_PER_MS = 1_000_000n
const MS_PER_SECOND = 1000

/** Defines a text column. */
export const words = <Row>(
  name: string,
  value: CellValue<Row>,
  looks: ColumnOptions<Row> = {},
): Column<Row> => column(name, value, { ...looks, align: 'left', show: (text) => text })

/** Defines a number column. */
export const numbers = <Row>(
  name: string,
  value: CellValue<Row>,
  { decimals = DECIMALS_SHOWN, ...looks }: ColumnOptions<Row> = {},
): Column<Row> =>
  column(name, value, { ...looks, align: 'decimal', show: (text) => cutDecimals(text, decimals) })

/** Defines a column of times in nanoseconds. */
export const timesNs = <Row>(
  name: string,
  value: CellValue<Row>,
  looks: ColumnOptions<Row> = {},
): Column<Row> =>
  column(name, value, {
    ...looks,
    align: 'left',
    show: (text) => timeText(Number(BigInt(text) / NS_PER_MS)),
  })

/** Defines a column of times in seconds. */
export const timesSeconds = <Row>(
  name: string,
  value: CellValue<Row>,
  looks: ColumnOptions<Row> = {},
): Column<Row> =>
  column(name, value, {
    ...looks,
    align: 'left',
    show: (text) => timeText(Number(text) * MS_PER_SECOND),
  })

/** Colours buys green and sells red. */
export const bySide = ({ side }: Readonly<{ side: string }>): Style =>
  side === 'buy' ? 'green' : 'red'

/** Colours numbers above zero green and below zero red. */
export const bySign =
  <Row>(value: CellValue<Row>) =>
  (row: Row): Style | undefined => {
    const text = String(value(row) ?? '0')
    if (/^-?[0.]*$/.test(text)) return undefined
    return text.startsWith('-') ? 'red' : 'green'
  }

/** Formats a time in UTC. */
export const timeText = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace('T', ' ')

/** Replaces characters that could control a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/\p{Cc}|\p{Cf}/gu, (character) => (character === '\n' ? ' ' : '?'))

function column<Row>(
  name: string,
  value: CellValue<Row>,
  {
    title = name.replaceAll('_', ' '),
    align,
    show,
    style,
    isCsvOnly,
  }: ColumnOptions<Row> & Readonly<{ align: Align; show: (text: string) => string }>,
): Column<Row> {
  const exact = (row: Row) => {
    const cell = value(row)
    return cell === null || cell === undefined ? null : String(cell)
  }
  const cell = (row: Row): Cell => {
    const text = exact(row)
    const look = style?.(row)
    const shown = text === null ? UNKNOWN : printable(show(text))
    return look === undefined ? { text: shown } : { text: shown, style: look }
  }
  return { name, title, align, value: exact, cell, ...(isCsvOnly && { isCsvOnly }) }
}

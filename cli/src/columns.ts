// Declares what the columns of an answer are: their names in CSV, their looks for people.
import { type Align, type Cell, cutDecimals, type Style } from './table.ts'

export type Column<Row> = Readonly<{
  /** As the API calls it: the header of CSV. */
  name: string
  /** For people: by default the name without underscores. */
  title: string
  align: Align
  /** The exact value. Null is unknown. */
  value: (row: Row) => string | null
  /** How it is shown to people. */
  cell: (row: Row) => Cell
  /** Left out of tables, which have less room. */
  isCsvOnly?: boolean
}>

type Value<Row> = (row: Row) => string | number | boolean | null | undefined
type Looks<Row> = Readonly<{
  title?: string
  style?: (row: Row) => Style | undefined
  /** More decimals than these are not shown to people. */
  decimals?: number
  isCsvOnly?: boolean
}>

/** What stands in a table for a value that is not known. */
const UNKNOWN = '-'
const DECIMALS_SHOWN = 8
const NS_PER_MS = 1_000_000n
const MS_PER_SECOND = 1000

/** A column of words. */
export const words = <Row>(name: string, value: Value<Row>, looks: Looks<Row> = {}): Column<Row> =>
  column(name, value, { ...looks, align: 'left', show: (text) => text })

/** A column of numbers. */
export const numbers = <Row>(
  name: string,
  value: Value<Row>,
  { decimals = DECIMALS_SHOWN, ...looks }: Looks<Row> = {},
): Column<Row> =>
  column(name, value, { ...looks, align: 'decimal', show: (text) => cutDecimals(text, decimals) })

/** A column of times in nanoseconds. */
export const timesNs = <Row>(
  name: string,
  value: Value<Row>,
  looks: Looks<Row> = {},
): Column<Row> =>
  column(name, value, {
    ...looks,
    align: 'left',
    show: (text) => timeText(Number(BigInt(text) / NS_PER_MS)),
  })

/** A column of times in seconds. */
export const timesSeconds = <Row>(
  name: string,
  value: Value<Row>,
  looks: Looks<Row> = {},
): Column<Row> =>
  column(name, value, {
    ...looks,
    align: 'left',
    show: (text) => timeText(Number(text) * MS_PER_SECOND),
  })

/** Buys are green, sells are red. */
export const bySide = ({ side }: Readonly<{ side: string }>): Style =>
  side === 'buy' ? 'green' : 'red'

/** A number is green above zero, and red below. */
export const bySign =
  <Row>(value: Value<Row>) =>
  (row: Row): Style | undefined => {
    const text = String(value(row) ?? '0')
    if (/^-?[0.]*$/.test(text)) return undefined
    return text.startsWith('-') ? 'red' : 'green'
  }

/** Returns a time as people read it, in UTC. */
export const timeText = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace('T', ' ')

/** Returns text without what would command a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/\p{Cc}|\p{Cf}/gu, (character) => (character === '\n' ? ' ' : '?'))

function column<Row>(
  name: string,
  value: Value<Row>,
  {
    title = name.replaceAll('_', ' '),
    align,
    show,
    style,
    isCsvOnly,
  }: Looks<Row> & Readonly<{ align: Align; show: (text: string) => string }>,
): Column<Row> {
  const exact = (row: Row) => {
    const found = value(row)
    return found === null || found === undefined ? null : String(found)
  }
  const cell = (row: Row): Cell => {
    const text = exact(row)
    const look = style?.(row)
    const shown = text === null ? UNKNOWN : printable(show(text))
    return look === undefined ? { text: shown } : { text: shown, style: look }
  }
  return { name, title, align, value: exact, cell, ...(isCsvOnly && { isCsvOnly }) }
}

// Writes answers as a table, as CSV or as the JSON that the venue sent.
import type { Column } from './columns.ts'
import { csvLine } from './csv.ts'
import { UsageError } from './exit-codes.ts'
import type { Environment, Host, Sink } from './host.ts'
import { paint, type Style, tableLines } from './table.ts'

export type Format = 'table' | 'json' | 'csv'
export type OutputOptions = Readonly<{ json?: boolean; csv?: boolean; color?: boolean }>

/** An answer: as it came, and as rows. */
export type Shown<Row> = Readonly<{
  answer: unknown
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** Said in place of a table without rows. */
  none?: string
}>

export class Output {
  readonly format: Format
  readonly hasColour: boolean
  readonly #host: Host
  readonly #hasErrColour: boolean

  constructor(host: Host, { json = false, csv = false, color = true }: OutputOptions) {
    if (json && csv) throw new UsageError('--json and --csv exclude each other')
    this.#host = host
    this.format = json ? 'json' : csv ? 'csv' : 'table'
    this.hasColour = color && mayColour(host.out, host.env)
    this.#hasErrColour = color && mayColour(host.err, host.env)
  }

  /** Whether a table can be drawn again in its place. */
  get isScreen(): boolean {
    return this.format === 'table' && this.#host.out.isTerminal
  }

  get screenRows(): number {
    return this.#host.out.rows
  }

  /** Writes an answer in the format that was asked for. */
  show<Row>({ answer, rows, columns, none }: Shown<Row>): void {
    if (this.format === 'json') this.json(answer)
    else if (this.format === 'csv') this.#csv(rows, columns)
    else if (rows.length === 0 && none !== undefined) this.note(none)
    else for (const line of this.table(rows, columns)) this.line(line)
  }

  /** Writes what has one value each: a line each for people, a row for CSV. */
  facts<Row>(answer: unknown, row: Row, columns: readonly Column<Row>[]): void {
    if (this.format === 'table') this.#lines(row, columns)
    else this.show({ answer, rows: [row], columns })
  }

  #lines<Row>(row: Row, columns: readonly Column<Row>[]): void {
    const shown = columns.filter(({ isCsvOnly }) => isCsvOnly !== true)
    const cells = shown
      .map((column) => [{ text: column.title }, column.cell(row)] as const)
      .filter(([, { text }]) => text !== '')
    const [, ...lines] = tableLines([PLAIN, PLAIN], cells, this.hasColour)
    for (const line of lines) this.line(line)
  }

  /** Returns the lines of a table, without columns that have nothing in them. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
    const hasText = ({ cell }: Column<Row>) => rows.some((row) => cell(row).text !== '')
    const shown = columns.filter((one) => one.isCsvOnly !== true && hasText(one))
    const cells = rows.map((row) => shown.map(({ cell }) => cell(row)))
    return tableLines(shown, cells, this.hasColour)
  }

  json(answer: unknown): void {
    this.line(JSON.stringify(answer, bigintText, this.#host.out.isTerminal ? 2 : undefined))
  }

  line(text: string): void {
    this.#host.out.write(`${text}\n`)
  }

  /** Says something beside what was asked for: never a part of the answer. */
  note(text: string, style?: Style): void {
    this.#host.err.write(`${this.#hasErrColour && style ? paint(text, style) : text}\n`)
  }

  #csv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
    this.line(csvLine(columns.map(({ name }) => name)))
    for (const row of rows) this.csvRow(row, columns)
  }

  csvRow<Row>(row: Row, columns: readonly Column<Row>[]): void {
    this.line(csvLine(columns.map(({ value }) => value(row))))
  }
}

const PLAIN = { title: '', align: 'left' } as const

/** Colour is for terminals, and for nobody who does not want it: https://no-color.org. */
export const mayColour = ({ isTerminal }: Sink, { NO_COLOR, TERM }: Environment): boolean =>
  isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb'

/** What is signed has integers that JSON has no other way to hold exactly. */
export const bigintText = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value

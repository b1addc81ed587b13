// Writes answers as a table, as CSV or as the venue's JSON.
import type { Column } from './columns.ts'
import { csvLine } from './csv.ts'
import { UsageError } from './exit-codes.ts'
import type { Environment, Host, Sink } from './host.ts'
import { paint, type Style, tableLines } from './table.ts'

export type OutputOptions = Readonly<{ json?: boolean; csv?: boolean; color?: boolean }>

/** An answer in its original form and as rows. */
type CommandOutput<Row> = Readonly<{
  answer: unknown
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** Text printed instead of an empty table. */
  none?: string
}>

export class Output {
  readonly format: 'table' | 'json' | 'csv'
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

  /** True if a table can be redrawn in place. */
  get isScreen(): boolean {
    return this.format === 'table' && this.#host.out.isTerminal
  }

  get screenRows(): number {
    return this.#host.out.rows
  }

  /** Writes an answer in the selected format. */
  show<Row>({ answer, rows, columns, none }: CommandOutput<Row>): void {
    if (this.format === 'json') this.json(answer)
    else if (this.format === 'csv') this.#csv(rows, columns)
    else if (rows.length === 0 && none !== undefined) this.note(none)
    else for (const line of this.table(rows, columns)) this.line(line)
  }

  /** Writes a single record: one line per value in a table, one row in CSV. */
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

  /** Returns the lines of a table without its empty columns. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
    const hasText = ({ cell }: Column<Row>) => rows.some((row) => cell(row).text !== '')
    const shown = columns.filter((column) => column.isCsvOnly !== true && hasText(column))
    const cells = rows.map((row) => shown.map(({ cell }) => cell(row)))
    return tableLines(shown, cells, this.hasColour)
  }

  json(answer: unknown): void {
    this.line(JSON.stringify(answer, bigintText, this.#host.out.isTerminal ? 2 : undefined))
  }

  line(text: string): void {
    this.#host.out.write(`${text}\n`)
  }

  /** Writes a note to standard error, never to the result. */
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

/** Enables colour on terminals, unless the user opts out: https://no-color.org. */
export const mayColour = ({ isTerminal }: Sink, { NO_COLOR, TERM }: Environment): boolean =>
  isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb'

/** Signed messages have integers that JSON numbers cannot hold exactly. */
export const bigintText = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value

// Writes rows as they come, under heads that are written once: columns grow with what is in them.
import type { Column } from './columns.ts'
import { csvLine } from './csv.ts'
import type { Output } from './output.ts'
import { type Cell, paint, rowLine, titleOf, type Widths, widthsOf } from './table.ts'

export class StreamTable<Row> {
  readonly #output: Output
  readonly #columns: readonly Column<Row>[]
  #widths: Widths[] | undefined

  constructor(output: Output, columns: readonly Column<Row>[]) {
    this.#output = output
    this.#columns =
      output.format === 'csv' ? columns : columns.filter(({ isCsvOnly }) => isCsvOnly !== true)
    if (output.format === 'csv') output.line(csvLine(columns.map(({ name }) => name)))
  }

  /** Writes rows that came together, aligned with each other. */
  add(rows: readonly Row[]): void {
    if (this.#output.format === 'csv')
      for (const row of rows) this.#output.csvRow(row, this.#columns)
    else if (rows.length > 0) this.#lines(rows)
  }

  #lines(rows: readonly Row[]): void {
    const cells = rows.map((row) => this.#columns.map(({ cell }) => cell(row)))
    const isFirst = this.#widths === undefined
    const widths = this.#grown(cells)
    this.#widths = widths
    if (isFirst) this.#head(widths)
    const { hasColour } = this.#output
    for (const row of cells) this.#output.line(rowLine(this.#columns, widths, { row, hasColour }))
  }

  #head(widths: readonly Widths[]): void {
    const titles = this.#columns.map((column, at) => titleOf(column, widths[at] as Widths))
    const head = titles.join('  ').trimEnd()
    this.#output.line(this.#output.hasColour ? paint(head, 'dim') : head)
  }

  #grown(rows: readonly (readonly Cell[])[]): Widths[] {
    return this.#columns.map((column, at) => {
      const texts = rows.map((cells) => cells[at]?.text ?? '')
      const now = widthsOf(column, texts)
      const before = this.#widths?.[at] ?? now
      return {
        left: Math.max(now.left, before.left),
        right: Math.max(now.right, before.right),
      }
    })
  }
}

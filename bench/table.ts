// Writes text tables and the figures in them.

export type Section = Readonly<{
  title: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}>

/** Returns `section` as lines: the first column left, the others right. */
export function tableText({ title, columns, rows }: Section): string {
  const widths = columns.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    widths
      .map((width, index) => {
        const cell = cells[index] ?? ''
        return index === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [`## ${title}`, line(columns), rule, ...rows.map(line), ''].join('\n')
}

/** Returns the middle of `values`, or of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** Returns a figure without decimals, thousands apart. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en')

// Formats text tables and their figures.

export type Section = Readonly<{
  title: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}>

/** Formats `section` as lines: the first column left-aligned, the others right-aligned. */
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

/** Returns the median of `values`, the mean of the middle two; NaN if empty. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** Formats a figure without decimals, with thousands separators. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en')

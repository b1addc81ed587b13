// Builds pieces of Markdown: tables of fields, examples, linkable headings.
import { type Elsewhere, schemaFields } from './schema-fields.ts'

/** Columns up to which JSON stays on one line. */
const COLUMNS = 72

/** Returns a table, or an empty text when it has no rows. */
export function mdTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.map(oneCell).join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const oneCell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')

/** Returns the fields of a schema as a table; `elsewhere` as in `schemaFields`. */
export const mdFields = (schema: object, elsewhere: Elsewhere = () => undefined): string =>
  mdTable(
    ['Field', 'Type', 'Meaning'],
    schemaFields(JSON.parse(JSON.stringify(schema)), elsewhere).map(
      ({ path, type, description, isOptional }) => [
        path === '' ? '(the whole)' : mdCode(path),
        `${type}${isOptional ? ', optional' : ''}`,
        description,
      ],
    ),
  )

export const mdCode = (text: string): string => `\`${text}\``

/** Returns values as fenced JSON. */
export const mdJson = (...values: readonly unknown[]): string =>
  `\`\`\`json\n${values.map((value) => jsonLines(value)).join('\n')}\n\`\`\``

/** Returns a page: its parts, without empty ones, separated by blank lines. */
export const mdPage = (...parts: readonly string[]): string =>
  `${parts.filter((part) => part !== '').join('\n\n')}\n`

/** Returns a name in the form of files and headings: `index-prices-and-assets`. */
export const slug = (words: string): string => words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Returns JSON on one line where that fits, else indented, with short parts on one line. */
export function jsonLines(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (line.length + indent.length <= COLUMNS || typeof value !== 'object') return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => inner + jsonLines(item, inner))
    : Object.entries(value ?? {}).map(
        ([key, own]) => `${inner}${JSON.stringify(key)}: ${jsonLines(own, inner)}`,
      )
  const [left, right] = Array.isArray(value) ? '[]' : '{}'
  return `${left}\n${parts.join(',\n')}\n${indent}${right}`
}

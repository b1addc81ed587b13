// Records of one kind in one text, a line each: a thousand of them cost the driver one cell.
import type { FieldKind, RecordKind, RecordOf } from '@openvenue/core/records'
import { kinds, TABLES, type Value } from './tables.ts'

/**
 * Returns the query of the records of `what` that `text` selects, in `order`, as lines of cells with
 * tabs between them; null is an empty cell. Only for records whose texts come from the venue's own
 * code and contracts (ids, hashes, fixed words): they are never empty and hold no white space.
 */
export function linesQuery(what: RecordKind, text: string, order: string): string {
  const cells = TABLES[what].columns.map(({ name, isNullable }) =>
    isNullable ? `coalesce(${name}::text, '')` : name,
  )
  return `SELECT array_to_string(ARRAY(
    SELECT concat_ws(E'\\t', ${cells.join(', ')}) FROM (${text}) page ${order}), E'\\n')`
}

/** A record as `linesQuery` writes it, for `recordOfLine`. */
export type Line<K extends RecordKind> = string & { readonly what?: K }

/** Returns the lines of the text that `linesQuery` returned: parts of it, which keep all of it. */
export const linesOf = <K extends RecordKind>(text: string): Line<K>[] =>
  text === '' ? [] : text.split('\n')

/** Returns the record in a line. Its texts are parts of it. */
export function recordOfLine<K extends RecordKind>(what: K, line: Line<K>): RecordOf<K> {
  const { columns } = TABLES[what]
  const cells = line.split('\t')
  // All fields at once: a record that grows field by field costs twice as much.
  const record: Record<string, Value> = { ...BLANKS[what] }
  for (let index = 0; index < columns.length; index += 1) {
    const { field, kind } = columns[index] as (typeof columns)[number]
    record[field] = cellValue(kind, cells[index] as string)
  }
  return record as RecordOf<K>
}

const BLANKS = Object.fromEntries(
  kinds.map((what) => [
    what,
    Object.fromEntries(TABLES[what].columns.map(({ field }) => [field, null])),
  ]),
) as Readonly<Record<RecordKind, Readonly<Record<string, null>>>>

function cellValue(kind: FieldKind, cell: string): Value {
  switch (kind) {
    case 'int':
      return Number(cell)
    case 'big':
      return BigInt(cell)
    case 'bool':
      return cell === 't'
    case 'text':
      return cell
    case 'int?':
      return cell === '' ? null : Number(cell)
    case 'big?':
      return cell === '' ? null : BigInt(cell)
    case 'text?':
      return cell === '' ? null : cell
  }
}

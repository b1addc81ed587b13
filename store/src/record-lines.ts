// Records of one kind in one text, a line each: a thousand of them cost the driver one cell.
import type { FieldKind, RecordKind, RecordOf } from '@openvenue/core/records'
import { TABLES, type Value } from './tables.ts'

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

/**
 * Returns the records in the text that `linesQuery` returned. Their texts are parts of it: whoever
 * keeps one keeps all of it.
 */
export function recordsOfLines<K extends RecordKind>(what: K, text: string): RecordOf<K>[] {
  if (text === '') return []
  const { columns } = TABLES[what]
  const blank = Object.fromEntries(columns.map(({ field }) => [field, null]))
  return text.split('\n').map((line) => {
    const cells = line.split('\t')
    // All fields at once: a record that grows field by field costs twice as much.
    const record: Record<string, Value> = { ...blank }
    for (let index = 0; index < columns.length; index += 1) {
      const { field, kind } = columns[index] as (typeof columns)[number]
      record[field] = cellValue(kind, cells[index] as string)
    }
    return record as RecordOf<K>
  })
}

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

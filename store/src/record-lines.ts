// Records of one kind in one text, a line each: a thousand of them cost the driver one cell.
import type { Stored, Written } from '@openvenue/core/record-schema'
import type { RecordKind, RecordOf } from '@openvenue/core/records'
import { type Fields, kinds, TABLES, type Value } from './tables.ts'

/**
 * Returns the query of the records of `what` that `text` selects, in `order`, as lines of cells
 * with tabs between them; null is an empty cell. Only for records whose texts are never empty and
 * hold no control characters: ids, hashes, fixed words, and the names that clients give to orders.
 */
export function linesQuery(what: RecordKind, text: string, order: string): string {
  const cells = TABLES[what].columns.map(({ name, isNullable }) =>
    isNullable ? `coalesce(${name}::text, '')` : name,
  )
  return `SELECT array_to_string(ARRAY(
    SELECT concat_ws(E'\\t', ${cells.join(', ')}) FROM (${text}) page ${order}), E'\\n')`
}

/** A record as `linesQuery` writes it, for `decodeLine` and `decodeWrittenLine`. */
export type Line<K extends RecordKind> = string & { readonly what?: K }

/** Returns the lines of the text that `linesQuery` returned: parts of it, which keep all of it. */
export const splitLines = <K extends RecordKind>(text: string): Line<K>[] =>
  text === '' ? [] : text.split('\n')

/** Returns the record in a line. Its texts are parts of it. */
export const decodeLine = <K extends RecordKind>(what: K, line: Line<K>): RecordOf<K> =>
  decodeFields(what, line, BigInt) as RecordOf<K>

/** As `decodeLine`, with big integers as they are written: most are only written again. */
export const decodeWrittenLine = <K extends RecordKind>(
  what: K,
  line: Line<K>,
): Written<RecordOf<K>> => decodeFields(what, line, asWritten) as Written<RecordOf<K>>

const asWritten = (digits: string) => digits

function decodeFields(
  what: RecordKind,
  line: string,
  decodeBig: (digits: string) => Value,
): Fields {
  const { columns } = TABLES[what]
  const cells = line.split('\t')
  // All fields at once: a record that grows field by field costs twice as much.
  const fields: Record<string, Value> = { ...BLANKS[what] }
  for (let index = 0; index < columns.length; index += 1) {
    const { field, as, isNullable } = columns[index] as (typeof columns)[number]
    const cell = cells[index] as string
    if (!isNullable || cell !== '') fields[field] = cellValue(as, cell, decodeBig)
  }
  return fields
}

const BLANKS = Object.fromEntries(
  kinds.map((what) => [
    what,
    Object.fromEntries(TABLES[what].columns.map(({ field }) => [field, null])),
  ]),
) as Readonly<Record<RecordKind, Readonly<Record<string, null>>>>

function cellValue(as: Stored['as'], cell: string, decodeBig: (digits: string) => Value): Value {
  switch (as) {
    case 'int':
      return Number(cell)
    case 'big':
      return decodeBig(cell)
    case 'bool':
      return cell === 't'
    case 'text':
      return cell
  }
}

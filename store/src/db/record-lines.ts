// Records of one kind in a single text, one per line: the driver handles a thousand as one cell.
import type { StorageType, WrittenRecord } from '@openvenue/core/record-schema'
import type { RecordKind, RecordOf } from '@openvenue/core/records'
import { type FieldValue, kinds, type RecordFields, TABLES } from './tables.ts'

/**
 * Returns the query of the records of `kind` selected by `text`, in `order`, as lines of
 * tab-separated cells; null is an empty cell. Only for records whose texts are never empty and have
 * no control characters: ids, hashes, fixed words, and names of orders given by clients.
 */
export function linesQuery(kind: RecordKind, text: string, order: string): string {
  const cells = TABLES[kind].columns.map(({ name, isNullable }) =>
    isNullable ? `coalesce(${name}::text, '')` : name,
  )
  return `SELECT array_to_string(ARRAY(
    SELECT concat_ws(E'\\t', ${cells.join(', ')}) FROM (${text}) page ${order}), E'\\n')`
}

/** A record written by `linesQuery`, for `decodeLine` and `decodeWrittenLine`. */
export type RecordLine<K extends RecordKind> = string & { readonly kind?: K }

/** Splits the text of `linesQuery`. The lines are parts of the text and keep it in memory. */
export const splitLines = <K extends RecordKind>(text: string): RecordLine<K>[] =>
  text === '' ? [] : text.split('\n')

/** Decodes a line. Its texts are parts of it. */
export const decodeLine = <K extends RecordKind>(kind: K, line: RecordLine<K>): RecordOf<K> =>
  decodeFields(kind, line, BigInt) as RecordOf<K>

/** Decodes a line without parsing big integers, since most are only written again. */
export const decodeWrittenLine = <K extends RecordKind>(
  kind: K,
  line: RecordLine<K>,
): WrittenRecord<RecordOf<K>> => decodeFields(kind, line, keepDigits) as WrittenRecord<RecordOf<K>>

const keepDigits = (digits: string) => digits

function decodeFields(
  kind: RecordKind,
  line: string,
  decodeBig: (digits: string) => FieldValue,
): RecordFields {
  const { columns } = TABLES[kind]
  const cells = line.split('\t')
  // Sets all fields at once: a record that grows field by field costs twice as much.
  const fields: Record<string, FieldValue> = { ...BLANKS[kind] }
  for (let index = 0; index < columns.length; index += 1) {
    const { field, as, isNullable } = columns[index] as (typeof columns)[number]
    const cell = cells[index] as string
    if (!isNullable || cell !== '') fields[field] = cellValue(as, cell, decodeBig)
  }
  return fields
}

const BLANKS = Object.fromEntries(
  kinds.map((kind) => [
    kind,
    Object.fromEntries(TABLES[kind].columns.map(({ field }) => [field, null])),
  ]),
) as Readonly<Record<RecordKind, Readonly<Record<string, null>>>>

function cellValue(
  as: StorageType['as'],
  cell: string,
  decodeBig: (digits: string) => FieldValue,
): FieldValue {
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

// Tables of the records: columns, statements and codecs, all derived from RECORDS.
import { type FieldKind, type StorageType, stored } from '@openvenue/core/record-schema'
import { RECORDS, type RecordKind, type RecordOf } from '@openvenue/core/records'
import type { Cell, SqlRow, Statement } from './db.ts'

export type FieldValue = string | number | bigint | boolean | null

/** A record as a map of fields, for codecs. */
export type RecordFields = Readonly<Record<string, FieldValue>>

type SqlColumn = Readonly<{
  field: string
  /** Name in SQL. */
  name: string
  as: StorageType['as']
  isText: boolean
  /** SQL type. */
  type: string
  isNullable: boolean
  /** Allowed words; undefined: any value. */
  words: readonly string[] | undefined
  /** Computes the value from the record, which has no such field. */
  derive?: (record: RecordFields) => FieldValue
}>

type Table = Readonly<{
  kind: RecordKind
  name: string
  columns: readonly SqlColumn[]
  /** Columns of the table: those of the record, and the derived time of a partition. */
  stored: readonly SqlColumn[]
  /** Columns of the primary key. */
  key: readonly SqlColumn[]
  /** Columns of the slot, of which the state keeps only the newest row of a series. */
  slot: readonly SqlColumn[] | undefined
  isInsertOnly: boolean
}>

const SQL_TYPES = { int: 'bigint', big: 'numeric', text: 'text', bool: 'boolean' } as const

/** Returns the column of a field. */
export const sqlName = (field: string) =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const kinds = Object.keys(RECORDS) as RecordKind[]

/** `ended_seconds` of a resting order: later than any end, so all of them share a partition. */
export const RESTING_SECONDS = Number.MAX_SAFE_INTEGER

/** Time of the partition of an order, which moves when the order ends (decision 0105). */
const ENDED_SECONDS: SqlColumn = {
  field: 'endedSeconds',
  name: 'ended_seconds',
  as: 'int',
  isText: false,
  type: SQL_TYPES.int,
  isNullable: false,
  words: undefined,
  derive: ({ restingLots, updatedSeconds }) =>
    restingLots === 0n ? Number(updatedSeconds) : RESTING_SECONDS,
}

/**
 * Kinds with partitioned tables, and their keys: the order in which rows are read, which must
 * include the time (decision 0080).
 */
const PARTITION_KEYS = {
  order: ['market', 'number', 'endedSeconds'],
  trade: ['market', 'seconds', 'id'],
  fill: ['account', 'market', 'seconds', 'id'],
  closedCycle: ['account', 'market', 'seconds', 'id'],
  fundingPayment: ['account', 'seconds', 'id'],
} as const satisfies Partial<Record<RecordKind, readonly string[]>>

type KeysByKind = Partial<Record<RecordKind, readonly string[]>>
export type PartitionedKind = keyof typeof PARTITION_KEYS
export const PARTITIONED = Object.keys(PARTITION_KEYS) as readonly PartitionedKind[]
const isPartitioned = (kind: RecordKind): kind is PartitionedKind => kind in PARTITION_KEYS

/** Returns the time that decides the partition of a record. */
export const partitionSeconds = (kind: PartitionedKind, record: RecordFields): number =>
  Number(kind === 'order' ? ENDED_SECONDS.derive?.(record) : record.seconds)

const buildTable = (kind: RecordKind): Table => {
  const record: {
    table: string
    key: readonly string[]
    slot?: readonly string[]
    life?: 'insert'
    fields: Readonly<Record<string, FieldKind>>
  } = RECORDS[kind]
  const columns = Object.entries(record.fields).map(([field, fieldKind]) => {
    const { as, isNullable, words } = stored(fieldKind)
    const type = SQL_TYPES[as]
    return { field, name: sqlName(field), as, isText: as === 'text', type, isNullable, words }
  })
  const storedColumns = kind === 'order' ? [...columns, ENDED_SECONDS] : columns
  const named = (fields: readonly string[]) =>
    fields.flatMap((field) => storedColumns.filter((column) => column.field === field))
  return {
    kind,
    name: record.table,
    columns,
    stored: storedColumns,
    key: named((PARTITION_KEYS as KeysByKind)[kind] ?? record.key),
    slot: record.slot && named(record.slot),
    isInsertOnly: record.life === 'insert',
  }
}

/** The table of every kind of record. */
export const TABLES = Object.fromEntries(kinds.map((kind) => [kind, buildTable(kind)])) as Readonly<
  Record<RecordKind, Table>
>

const list = (columns: readonly SqlColumn[], prefix = '') =>
  columns.map(({ name }) => `${prefix}${name}`).join(', ')

/** Returns the columns of a table as a SELECT list, in the order of `decodeRecord`. */
export const columnList = (kind: RecordKind, prefix = '') => list(TABLES[kind].columns, prefix)

export const upsertName = (kind: RecordKind) => `upsert_${TABLES[kind].name}`
export const deleteName = (kind: RecordKind) => `delete_${TABLES[kind].name}`

/** Returns the statements that write a table: arrays by column, one row per element. */
export function tableStatements(kind: RecordKind): Statement[] {
  const { name, stored: columns, key, isInsertOnly } = TABLES[kind]
  const arrays = (of: readonly SqlColumn[]) => of.map((_, index) => `$${index + 1}`).join(', ')
  const types = (of: readonly SqlColumn[]) => of.map(({ type }) => `${type}[]`)
  const rest = columns.filter((column) => !key.includes(column))
  const update = rest.map((column) => `${column.name} = excluded.${column.name}`).join(', ')
  const conflict = isInsertOnly ? '' : ` ON CONFLICT (${list(key)}) DO UPDATE SET ${update}`
  const matches = key.map((column) => `t.${column.name} = gone.${column.name}`).join(' AND ')
  // Restricts the search to the partitions of the rows.
  const time = isPartitioned(kind)
    ? ` AND t.${kind === 'order' ? ENDED_SECONDS.name : 'seconds'} BETWEEN $${key.length + 1} AND $${key.length + 2}`
    : ''
  return [
    {
      name: upsertName(kind),
      types: types(columns),
      text: `INSERT INTO ${name} (${list(columns)}) SELECT * FROM unnest(${arrays(columns)})${conflict}`,
    },
    {
      name: deleteName(kind),
      types: [...types(key), ...(isPartitioned(kind) ? ['bigint', 'bigint'] : [])],
      text: `DELETE FROM ${name} t USING unnest(${arrays(key)}) AS gone(${list(key)})
        WHERE ${matches}${time}`,
    },
  ]
}

/** Returns one array literal per column, in the order of the table's upsert. */
export const upsertArgs = (kind: RecordKind, records: readonly RecordFields[]) =>
  TABLES[kind].stored.map((column) => arrayLiteral(column, records))

/**
 * Returns one array literal per key column, in the order of the table's delete, followed for a
 * partitioned table by the times of the first and last row.
 */
export function deleteArgs(
  kind: RecordKind,
  records: readonly RecordFields[],
): (string | number)[] {
  const arrays = TABLES[kind].key.map((column) => arrayLiteral(column, records))
  if (!isPartitioned(kind)) return arrays
  const times = records.map((record) => partitionSeconds(kind, record))
  const [first, last] = times.reduce(
    ([from, to], at) => [Math.min(from, at), Math.max(to, at)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  return [...arrays, first, last]
}

const fieldValue = ({ field, derive }: SqlColumn, record: RecordFields): FieldValue =>
  derive === undefined ? (record[field] ?? null) : derive(record)

function arrayLiteral(column: SqlColumn, records: readonly RecordFields[]): string {
  const { isText } = column
  const cells = records.map((record) => {
    const value = fieldValue(column, record)
    if (value === null) return 'NULL'
    return isText ? quoted(String(value)) : String(value)
  })
  return `{${cells.join(',')}}`
}

/** Returns `texts` as an array literal. */
export const textArray = (texts: readonly (string | number)[]) =>
  `{${texts.map((text) => quoted(String(text))).join(',')}}`

const quoted = (text: string) =>
  /["\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`

/** Returns a record as a line of COPY text format. */
export function copyLine(kind: RecordKind, record: RecordFields): string {
  let line = ''
  for (const column of TABLES[kind].stored) {
    const value = fieldValue(column, record)
    if (line !== '') line += '\t'
    if (value === null) line += '\\N'
    else line += column.isText ? copyText(value as string) : value
  }
  return `${line}\n`
}

const COPY_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

/** Escapes `text` for COPY. */
export const copyText = (text: string) =>
  /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (at) => COPY_ESCAPES[at] ?? at) : text

/**
 * Decodes a row of `columnList`. Texts equal to those of `before`, the previous record, are shared
 * with it: thousands of rows may have the same market id.
 */
export function decodeRecord<K extends RecordKind>(
  kind: K,
  row: SqlRow,
  before?: RecordOf<K>,
): RecordOf<K> {
  const record: Record<string, FieldValue> = {}
  const previous = before as RecordFields | undefined
  const { columns } = TABLES[kind]
  for (let index = 0; index < columns.length; index += 1) {
    const { field, as } = columns[index] as SqlColumn
    const value = cellValue(as, row[index] ?? null)
    const shared = previous?.[field]
    record[field] = shared === value ? shared : value
  }
  return record as RecordOf<K>
}

function cellValue(as: StorageType['as'], cell: Cell): FieldValue {
  if (cell === null) return null
  switch (as) {
    case 'int':
      return Number(cell)
    case 'big':
      return BigInt(cell)
    case 'bool':
      return cell === 't' || cell === 'true'
    case 'text':
      return cell
  }
}

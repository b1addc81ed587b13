// Encodes changes as compact, exact text for the feed and the undo records.
import { type Change, slotKey } from './changes.ts'
import { type FieldKind, stored } from './record-schema.ts'
import { RECORDS, type RecordKind } from './records.ts'

// A change is [kind, after, before]. A record is the list of its fields in the order of RECORDS:
// big integers as decimal text, absent records as null. If both are present, `before` lists only
// the fields that differ: [position, value, position, value ...]. New fields are only ever appended
// to a record; records written before a field existed have false or null there.

type Scalar = string | number | boolean | null
type ChangeRow = readonly [RecordKind, readonly Scalar[] | null, readonly Scalar[] | null]
type Layout = Readonly<{
  names: readonly string[]
  isBig: readonly boolean[]
  absent: readonly (false | null)[]
}>
type FieldMap = Readonly<Record<string, Scalar | bigint>>

const buildLayout = (fields: Readonly<Record<string, FieldKind>>): Layout => ({
  names: Object.keys(fields),
  isBig: Object.values(fields).map((kind) => stored(kind).as === 'big'),
  absent: Object.values(fields).map((kind) => (stored(kind).as === 'bool' ? false : null)),
})

const LAYOUTS = Object.fromEntries(
  Object.entries(RECORDS).map(([kind, { fields }]) => [kind, buildLayout(fields)]),
) as Record<RecordKind, Layout>

/** Returns `changes` as one line of JSON. */
export const encodeChanges = (changes: readonly Change[]): string =>
  JSON.stringify(changes.map(encodeChange))

/** Returns the changes encoded in `text`, which must come from `encodeChanges`. */
export const decodeChanges = (text: string): Change[] =>
  (JSON.parse(text) as ChangeRow[]).map(decodeChange)

function encodeChange({ what, before, after }: Change): ChangeRow {
  const layout = LAYOUTS[what]
  if (after === undefined)
    return [what, null, before ? encodeRecord(layout, before as FieldMap) : null]
  const list = encodeRecord(layout, after as FieldMap)
  return [
    what,
    list,
    before ? encodeDifference(layout, before as FieldMap, after as FieldMap) : null,
  ]
}

const encodeScalar = (value: Scalar | bigint | undefined): Scalar =>
  typeof value === 'bigint' ? value.toString() : (value as Scalar)

const encodeRecord = ({ names }: Layout, record: FieldMap): Scalar[] =>
  names.map((name) => encodeScalar(record[name]))

function encodeDifference({ names }: Layout, before: FieldMap, after: FieldMap): Scalar[] {
  const list: Scalar[] = []
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    if (before[name] !== after[name]) list.push(i, encodeScalar(before[name]))
  }
  return list
}

function decodeChange([what, afterList, beforeList]: ChangeRow): Change {
  const layout = LAYOUTS[what]
  const after = afterList === null ? undefined : decodeRecord(layout, afterList)
  let before: FieldMap | undefined
  if (beforeList !== null)
    before =
      after === undefined ? decodeRecord(layout, beforeList) : changed(layout, after, beforeList)
  const either = (after ?? before) as never
  return { what, key: slotKey(what, either), before, after } as unknown as Change
}

function decodeRecord({ names, isBig, absent }: Layout, list: readonly Scalar[]): FieldMap {
  const record: Record<string, Scalar | bigint> = {}
  for (let i = 0; i < names.length; i++)
    record[names[i] as string] = decodeScalar(
      (i < list.length ? list[i] : absent[i]) as Scalar,
      isBig[i] as boolean,
    )
  return record
}

function changed({ names, isBig }: Layout, after: FieldMap, list: readonly Scalar[]): FieldMap {
  const record: Record<string, Scalar | bigint> = { ...after }
  for (let i = 0; i < list.length; i += 2) {
    const at = list[i] as number
    record[names[at] as string] = decodeScalar(list[i + 1] as Scalar, isBig[at] as boolean)
  }
  return record
}

const decodeScalar = (scalar: Scalar, isBig: boolean): Scalar | bigint =>
  isBig && scalar !== null ? BigInt(scalar as string) : scalar

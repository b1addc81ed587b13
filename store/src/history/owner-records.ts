// Reads account records that are only shown to their owner, on request.
import type { Change } from '@openvenue/core/changes'
import { loaded, type StateKind } from '@openvenue/core/state'
import type { SqlRow } from '../db/db.ts'
import { columnList, decodeRecord, TABLES } from '../db/tables.ts'

/** Kinds of the state with one owning account each, to which API nodes show them. */
export const OWNED_KINDS = [
  'balance',
  'collateral',
  'position',
  'cycle',
  'holding',
  'canceller',
] as const satisfies readonly StateKind[]
export type OwnedKind = (typeof OWNED_KINDS)[number]

const COLUMNS_MAX = Math.max(...OWNED_KINDS.map((kind) => TABLES[kind].columns.length))

/** One kind in shared columns: its name, then each of its columns as text. */
function ownedPart(kind: OwnedKind): string {
  const columns = columnList(kind)
    .split(', ')
    .map((name) => `${name}::text`)
  const none = Array.from({ length: COLUMNS_MAX - columns.length }, () => 'NULL::text')
  const cells = [`'${kind}'::text`, ...columns, ...none]
    .map((cell, index) => `${cell} AS c${index}`)
    .join(', ')
  return `SELECT ${cells} FROM ${TABLES[kind].name} WHERE account = ANY($1::bigint[])`
}

/** One statement, and so one view, of all records of the accounts $1, with the feed's position. */
export const OWNED_QUERY = `SELECT c.seq, o.* FROM checkpoint c LEFT JOIN LATERAL (
  ${OWNED_KINDS.map(ownedPart).join(' UNION ALL ')}
) o ON true`

/** Decodes a row of OWNED_QUERY as a change; undefined for the row without a record. */
export function decodeOwned([, kindCell, ...cells]: SqlRow): Change | undefined {
  if (kindCell === null || kindCell === undefined) return undefined
  const kind = kindCell as OwnedKind
  return loaded(kind, decodeRecord(kind, cells))
}

// Where the chain and the feed stand.
import type { Header } from '@openvenue/core/events'
import type { Sql, SqlRow } from './db.ts'

export type Checkpoint = Readonly<{
  seq: number
  head: Header | undefined
  /** The last final block whose notifications are written. A wipe leaves it. */
  notifiedTo: number
}>

export const HEADER_COLUMNS = 'number, hash, parent_hash, seconds'

/** Returns the header that a row of `HEADER_COLUMNS` holds. */
export const headerOfRow = ([number, hash, parentHash, seconds]: SqlRow): Header => ({
  number: Number(number),
  hash: String(hash),
  parentHash: String(parentHash),
  seconds: Number(seconds),
})

/** Of `checkpoint`: the last entry of the feed, then `HEADER_COLUMNS`. */
export const CHECKPOINT_COLUMNS = ['seq', ...HEADER_COLUMNS.split(', ')] as const

/** Returns the header in cells of `HEADER_COLUMNS`; undefined before the first block. */
export const headerOfCells = (cells: SqlRow): Header | undefined =>
  cells[0] == null ? undefined : headerOfRow(cells)

/** Returns the checkpoint as the last commit left it. */
export async function readCheckpoint(sql: Sql): Promise<Checkpoint> {
  const [row = []] = await sql.query(
    `SELECT notified_to, ${CHECKPOINT_COLUMNS.join(', ')} FROM checkpoint`,
  )
  const [notifiedTo, seq, ...header] = row
  return { seq: Number(seq), notifiedTo: Number(notifiedTo), head: headerOfCells(header) }
}

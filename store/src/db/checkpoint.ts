// Positions of the chain and the feed.
import type { Header } from '@openvenue/core/events'
import type { Sql, SqlRow } from './db.ts'

export type Checkpoint = Readonly<{
  seq: number
  head: Header | undefined
  /** The last final block whose notifications are written. A wipe keeps it. */
  notifiedTo: number
}>

export const HEADER_COLUMNS = 'number, hash, parent_hash, seconds'

/** Decodes a header from a row of `HEADER_COLUMNS`. */
export const headerOfRow = ([number, hash, parentHash, seconds]: SqlRow): Header => ({
  number: Number(number),
  hash: String(hash),
  parentHash: String(parentHash),
  seconds: Number(seconds),
})

/** Columns of `checkpoint`: the last feed entry, then `HEADER_COLUMNS`. */
export const CHECKPOINT_COLUMNS = ['seq', ...HEADER_COLUMNS.split(', ')] as const

/** Decodes a header from cells of `HEADER_COLUMNS`; undefined before the first block. */
export const headerOfCells = (cells: SqlRow): Header | undefined =>
  cells[0] == null ? undefined : headerOfRow(cells)

/** Maximum lag of the chain's clock behind a process for the chain's time to be used, seconds. */
export const CHAIN_LAG_SECONDS_MAX = 60

/**
 * Returns the SQL of the chain's time for a process at `seconds`, which dates events off the chain
 * so that they do not come after a later block. During a backfill, or without recent blocks, it is
 * a time close to `seconds`.
 */
export const chainSecondsText = (seconds: string) => chainTimeText(seconds, 1)

/** Like `chainSecondsText`, in milliseconds. */
export const chainMsText = (ms: string) => chainTimeText(ms, 1000)

const chainTimeText = (time: string, perSecond: number) =>
  `greatest(coalesce((SELECT seconds * ${perSecond} FROM checkpoint), ${time}),
    ${time} - ${CHAIN_LAG_SECONDS_MAX * perSecond})`

/** Returns the checkpoint of the last commit. */
export async function readCheckpoint(sql: Sql): Promise<Checkpoint> {
  const [row = []] = await sql.query(
    `SELECT notified_to, ${CHECKPOINT_COLUMNS.join(', ')} FROM checkpoint`,
  )
  const [notifiedTo, seq, ...header] = row
  return { seq: Number(seq), notifiedTo: Number(notifiedTo), head: headerOfCells(header) }
}

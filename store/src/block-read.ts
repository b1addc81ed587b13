// Rows together with where the chain stood in the view of the database that they were read from: a
// replica may lag, and the primary may be ahead of what a node has heard.
import type { Header } from '@openvenue/core/events'
import { CHECKPOINT_COLUMNS, headerOfCells } from './checkpoint.ts'
import type { Cell, Param, Sql, SqlRow } from './db.ts'

/** Rows that were read, and the last entry of the feed and the last block that it contains. */
export type BlockRead<T> = Readonly<{ seq: number; head: Header | undefined; rows: T }>

/**
 * Whom to ask: the replica, which may lag, or the primary, which holds all that the feed brought.
 */
export type ReadFrom = 'replica' | 'primary'

/** A statement with its parameters. */
export type Query = Readonly<{ text: string; params: readonly Param[] }>

/**
 * Returns the text that reads the one row of `text` and, from the same view, where the chain
 * stands.
 */
export const atText = (text: string) =>
  `SELECT ${CHECKPOINT_COLUMNS.map((column) => `c.${column}`).join(', ')}, r.*
    FROM checkpoint c LEFT JOIN LATERAL (${text}) r ON true`

/** Reads the one row that `query` selects; its cells are null where it selects none. */
export async function readRowAt(sql: Sql, { text, params }: Query): Promise<BlockRead<SqlRow>> {
  const [row = []] = await sql.query(atText(text), params)
  const count = CHECKPOINT_COLUMNS.length
  const [seq, ...cells] = row.slice(0, count)
  return { seq: Number(seq), head: headerOfCells(cells), rows: row.slice(count) }
}

/** As `readRowAt`, of one cell. */
export const readCellAt = async (sql: Sql, query: Query): Promise<BlockRead<Cell>> =>
  withRows(await readRowAt(sql, query), ([cell = null]) => cell)

/** Returns `read` with other rows. */
export const withRows = <T, U>(read: BlockRead<T>, convert: (rows: T) => U): BlockRead<U> => ({
  ...read,
  rows: convert(read.rows),
})

// Rows with the chain's position in the same view of the database: a replica may lag, and the
// primary may be ahead of a node.
import type { Header } from '@openvenue/core/events'
import { CHECKPOINT_COLUMNS, headerOfCells } from './checkpoint.ts'
import type { Cell, Param, Sql, SqlRow } from './db.ts'

/** Rows, and the last feed entry and block of the view that they were read from. */
export type BlockRead<T> = Readonly<{ seq: number; head: Header | undefined; rows: T }>

/** The database to read: the replica, which may lag, or the primary, which is current. */
export type ReadFrom = 'replica' | 'primary'

/** A statement with its parameters. */
export type SqlQuery = Readonly<{ text: string; params: readonly Param[] }>

/** Wraps a query of one row to return the chain's position from the same view. */
export const atText = (text: string) =>
  `SELECT ${CHECKPOINT_COLUMNS.map((column) => `c.${column}`).join(', ')}, r.*
    FROM checkpoint c LEFT JOIN LATERAL (${text}) r ON true`

/** Reads the one row of `query`; its cells are null when there is none. */
export async function readRowAt(sql: Sql, { text, params }: SqlQuery): Promise<BlockRead<SqlRow>> {
  const [row = []] = await sql.query(atText(text), params)
  const count = CHECKPOINT_COLUMNS.length
  const [seq, ...cells] = row.slice(0, count)
  return { seq: Number(seq), head: headerOfCells(cells), rows: row.slice(count) }
}

/** Reads a single cell; see `readRowAt`. */
export const readCellAt = async (sql: Sql, query: SqlQuery): Promise<BlockRead<Cell>> =>
  withRows(await readRowAt(sql, query), ([cell = null]) => cell)

/** Returns `read` with converted rows. */
export const withRows = <T, U>(read: BlockRead<T>, convert: (rows: T) => U): BlockRead<U> => ({
  ...read,
  rows: convert(read.rows),
})

// The undo of a reorganisation: each block that the chain dropped becomes an entry of the feed with
// inverted changes. indexer/src/reorg.ts finds the block to return to.
import { invertChanges } from '@openvenue/core/changes'
import { decodeChanges } from '@openvenue/core/codec'
import { type Checkpoint, HEADER_COLUMNS, headerOfRow } from '../db/checkpoint.ts'
import type { Sql } from '../db/db.ts'
import { type FeedEntry, UndoGone } from '../store.ts'

/**
 * Returns the entries that undo every block above `number`, newest first. Throws `UndoGone` when
 * one of them is final.
 */
export async function undoEntries(
  sql: Sql,
  { seq, head }: Checkpoint,
  number: number,
): Promise<FeedEntry[]> {
  if (head === undefined || head.number <= number) return []
  const headers = (
    await sql.query(`SELECT ${HEADER_COLUMNS} FROM blocks ORDER BY number DESC`)
  ).map(headerOfRow)
  const texts = new Map(
    await sql
      .query('SELECT number, changes FROM undo WHERE number > $1', [number])
      .then((rows) => rows.map(([at, text]) => [Number(at), text ?? '[]'] as const)),
  )
  const entries: FeedEntry[] = []
  for (const [index, { number: undone }] of headers.entries()) {
    if (undone <= number) break
    const text = texts.get(undone)
    const header = headers[index + 1]
    if (text === undefined || header === undefined) {
      throw new UndoGone(`a block can be undone until it is final (block ${undone} is)`)
    }
    const changes = invertChanges(decodeChanges(text))
    entries.push({ seq: seq + 1 + index, kind: 'undo', header, changes })
  }
  return entries
}

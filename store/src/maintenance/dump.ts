// Dumps the chain's tables as text, for tests that compare two databases.
import { readCheckpoint } from '../db/checkpoint.ts'
import { columnList, decodeRecord, kinds, TABLES } from '../db/tables.ts'
import type { Store } from '../store.ts'

/**
 * Returns the head, and every row and count of the record tables, one line each, ordered by key:
 * equal for two databases exactly when they have the same chain data. Feed, undo records and
 * headers are left out, since they also depend on how the blocks arrived.
 */
export async function tableDump({ db }: Store): Promise<string> {
  return db.load(async (sql) => {
    const { head } = await readCheckpoint(sql)
    const lines = [`head ${head?.number} ${head?.hash}`]
    for (const kind of kinds) {
      const { name, key } = TABLES[kind]
      const order = key.map((column) => column.name).join(', ')
      const rows = await sql.query(`SELECT ${columnList(kind)} FROM ${name} ORDER BY ${order}`)
      for (const row of rows) {
        const values = Object.values<unknown>(decodeRecord(kind, row))
        lines.push(`${name} ${values.map(String).join(' ')}`)
      }
    }
    const counts = await sql.query(
      `SELECT * FROM history_counts ORDER BY list, account, market, day, ended_partition`,
    )
    lines.push(...counts.map((row) => `history_counts ${row.join(' ')}`))
    return lines.join('\n')
  })
}

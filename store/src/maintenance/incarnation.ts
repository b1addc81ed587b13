// Detects that the database continues on another server or timeline, as after the promotion of a
// standby, which may lack the newest commits (decision 0099).
import type { Sql } from '../db/db.ts'
import { AFTER_GAP } from './restore-gap.ts'

/**
 * The server and its timeline. Fails on a standby: connections made before its promotion would
 * survive it unchecked.
 */
export const SERVER = `(SELECT system_identifier::text FROM pg_control_system())
  || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`

const CHECK = `SELECT incarnation, ${SERVER} FROM intent_head`
const LOCK = 'SELECT incarnation FROM intent_head FOR UPDATE'
const ENTER = 'UPDATE intent_head SET incarnation = $1'

/**
 * Numbers that followers compare with theirs. No number of a lost entry is used again, and a
 * follower that has a lost entry finds a gap after it and reloads.
 */
const CONTINUE = [
  `UPDATE intent_head SET seq = ${AFTER_GAP}, from_seq = ${AFTER_GAP} + 1`,
  `UPDATE checkpoint SET seq = ${AFTER_GAP}`,
  'UPDATE safeguard_head SET changed = changed + 1000000',
  ...['disconnect_rules', 'mmp_rules'].map(
    (table) => `UPDATE ${table} SET changed = (SELECT changed FROM safeguard_head)`,
  ),
]

/**
 * Runs on each new connection to the primary, before its first use. A server keeps its timeline
 * while it runs, so that no later check is needed. Throws on a standby.
 */
export async function checkIncarnation(sql: Sql): Promise<void> {
  const [[stored = null, server = null] = []] = await sql.query(CHECK)
  if (stored === server) return
  await sql.query('BEGIN')
  const [[current = null] = []] = await sql.query(LOCK)
  // Another connection may have been first.
  if (current !== server) {
    await sql.query(ENTER, [server])
    if (current !== null) for (const text of CONTINUE) await sql.query(text)
  }
  await sql.query('COMMIT')
}

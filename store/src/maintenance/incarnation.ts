// Detects that the database continues on another server or timeline, as after the promotion of a
// standby, which may lack the newest commits (decision 0099).
import type { Origin } from '../broadcast/message.ts'
import type { Sql } from '../db/db.ts'
import { afterGap, endLive, leaveOutKeys } from './restore-gap.ts'

/** Newest numbers of the log and the feed that a process has seen; 0: none. */
export type NewestSeen = { log: number; feed: number }

/**
 * The server and its timeline. Fails on a standby: connections made before its promotion would
 * survive it unchecked.
 */
const SERVER = `(SELECT system_identifier::text FROM pg_control_system())
  || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`

/**
 * A property of the database, set by ALTER DATABASE: only standbys that have every commit are
 * promoted (decision 0101).
 */
const IS_SYNCHRONOUS = `coalesce(current_setting('openvenue.synchronous', true) = 'on', false)`

/**
 * `is_behind`: an older copy of the server, or the lost primary itself, has returned. `is_in_gap`:
 * the process that entered the incarnation did not know of the newest entry seen.
 */
const CHECK = `SELECT incarnation, ${SERVER}, seq < $1::bigint AS is_behind,
    $1::bigint > gap_from AND $1::bigint < gap_to AS is_in_gap, ${IS_SYNCHRONOUS}
  FROM intent_head`
const LACKS = `SELECT 1 FROM intent_head h, checkpoint c
  WHERE h.seq < $1::bigint OR c.seq < $2::bigint`
const LOCK = 'SELECT 1 FROM intent_head FOR UPDATE'
/** Takes the database as it is. */
export const RECORD_SERVER = `UPDATE intent_head
  SET incarnation = ${SERVER}, gap_from = NULL, gap_to = NULL`
const FORGET_GAP = 'UPDATE intent_head SET gap_from = NULL, gap_to = NULL'

/**
 * Numbers that followers compare with theirs. No number of a lost entry is used again, and a
 * follower that has a lost entry finds a gap after it and reloads.
 */
const CONTINUE = [
  `UPDATE intent_head SET gap_from = seq, gap_to = ${afterGap('seq')},
    seq = ${afterGap('seq')}, from_seq = ${afterGap('seq')} + 1`,
  `UPDATE checkpoint SET seq = ${afterGap('seq')}`,
  `UPDATE safeguard_head SET changed = ${afterGap('changed')}`,
  ...['disconnect_rules', 'mmp_rules'].map(
    (table) => `UPDATE ${table} SET changed = (SELECT changed FROM safeguard_head)`,
  ),
]

/**
 * Runs on each new connection to the primary, before its first use. A server keeps its timeline
 * while it runs, so that no later check is needed. Throws on a standby.
 */
export async function checkIncarnation(sql: Sql, seen: NewestSeen, nowMs: number): Promise<void> {
  const { isNew, isChanged, isInGap } = await readState(sql, seen)
  if (!isNew && !isChanged && !isInGap) return
  await sql.query('BEGIN')
  await sql.query(LOCK)
  // Another connection may have been first.
  const state = await readState(sql, seen)
  const isLossy = state.isInGap || (state.isChanged && (await lacks(sql, seen, state)))
  if (state.isNew) await sql.query('UPDATE intent_head SET incarnation = $1', [state.server])
  if (state.isChanged) for (const text of CONTINUE) await sql.query(text)
  if (isLossy) {
    await leaveOutKeys(sql)
    await endLive(sql, nowMs)
    await sql.query(FORGET_GAP)
  }
  await sql.query('COMMIT')
}

async function readState(sql: Sql, { log }: NewestSeen) {
  const [row = []] = await sql.query(CHECK, [log])
  const [stored = null, server = null, isBehind, isInGap, isSynchronous] = row
  const isNew = stored !== server
  const isChanged = stored !== null && (isNew || isBehind === 't')
  const isSafe = isSynchronous === 't'
  return { server, isNew, isChanged, isInGap: isInGap === 't', isSafe }
}

/**
 * A process that has seen nothing cannot know what is missing: it assumes a loss, unless none is
 * possible.
 */
const lacks = async (
  sql: Sql,
  { log, feed }: NewestSeen,
  { isSafe }: Readonly<{ isSafe: boolean }>,
) => (log === 0 && feed === 0 ? !isSafe : (await sql.query(LACKS, [log, feed])).length > 0)

const ORIGIN = `SELECT ${SERVER} || '/' || d.oid, k.key FROM feed_key k, pg_database d
  WHERE d.datname = current_database()`

/** Reads the origin of messages about entries of this database. A copy of it is another origin. */
export async function readOrigin(sql: Sql): Promise<Origin> {
  const [[incarnation, key] = []] = await sql.query(ORIGIN)
  return { incarnation: String(incarnation), key: String(key) }
}

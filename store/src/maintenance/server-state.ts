// State of the PostgreSQL server that a service writes to, for the doctor and the metrics.
import type { Sql } from '../db/db.ts'

export type ServerState = Readonly<{
  /** False for a standby, on which nothing can be written. */
  isPrimary: boolean
  /** Commits wait for a standby. */
  needsStandby: boolean
  /** Standbys that commits wait for; undefined if the user may not see them (`pg_monitor`). */
  synchronousStandbys: number | undefined
  /** `failing`: the newest attempt to archive a segment of the log failed. */
  archive: 'off' | 'working' | 'failing'
  /** Connections that users other than superusers may still open, and their limit. */
  connectionsLeft: number
  connectionsMax: number
  /** Clock of the server minus that of this process, seconds. */
  clockSeconds: number
}>

const STATE = `SELECT NOT pg_is_in_recovery(),
    current_setting('synchronous_standby_names') <> '',
    CASE WHEN pg_has_role('pg_monitor', 'USAGE') THEN (SELECT count(*) FROM pg_stat_replication
      WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')) END,
    CASE WHEN current_setting('archive_mode') = 'off' THEN 'off'
      WHEN (SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
        FROM pg_stat_archiver) THEN 'failing' ELSE 'working' END,
    (SELECT sum(numbackends) FROM pg_stat_database WHERE datname IS NOT NULL),
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int,
    extract(epoch FROM clock_timestamp())`

/** Reads the state on a connection to PostgreSQL 14 or newer. */
export async function readServerState(sql: Sql, nowMs: () => number): Promise<ServerState> {
  const askedMs = nowMs()
  const [[isPrimary, needs, standbys, archive, used, max, seconds] = []] = await sql.query(STATE)
  // The server read its clock in between.
  const middleMs = (askedMs + nowMs()) / 2
  return {
    isPrimary: isPrimary === 't',
    needsStandby: needs === 't',
    synchronousStandbys: standbys == null ? undefined : Number(standbys),
    archive: archive as ServerState['archive'],
    connectionsLeft: Number(max) - Number(used),
    connectionsMax: Number(max),
    clockSeconds: Number(seconds) - middleMs / 1000,
  }
}

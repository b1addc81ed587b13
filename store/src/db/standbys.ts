// The standbys of the PostgreSQL primary, as it reports them.
import type { Db } from './db.ts'

/** A standby by its `application_name`. Other members need the rights of `pg_monitor`. */
export type Standby = Readonly<{
  name: string
  /** `streaming` once it has caught up. */
  state: string | undefined
  /** Bytes of the log that it has not replayed. */
  lagBytes: number | undefined
}>

const STANDBYS = `SELECT application_name, state,
    pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint
  FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup'`

/** Returns the connected standbys; none for an embedded database. */
export async function readStandbys({
  engine,
  primary,
}: Pick<Db, 'engine' | 'primary'>): Promise<readonly Standby[]> {
  if (engine !== 'postgres') return []
  const rows = await primary.query(STANDBYS)
  return rows.map(([name, state, lag]) => ({
    name: name ?? 'unknown',
    state: state ?? undefined,
    lagBytes: lag == null ? undefined : Math.max(0, Number(lag)),
  }))
}

// Checks the PostgreSQL server behind DATABASE_URL: its role, standbys, archive and connections.
import { CONNECTIONS_MAX } from '@openvenue/store/db/postgres-pools'
import type { ServerState } from '@openvenue/store/maintenance/server-state'
import { bad, type Finding, ok } from './finding.ts'

const CLOCK_SECONDS_MAX = 5

export const judgeServer = (state: ServerState): readonly Finding[] => [
  judgeRole(state),
  judgeStandby(state),
  judgeArchive(state),
  judgeConnections(state),
  judgeClock(state),
]

function judgeRole({ isPrimary }: ServerState): Finding {
  const item = 'primary'
  if (isPrimary) return ok(item, 'DATABASE_URL leads to a primary')
  return bad(item, 'DATABASE_URL leads to a standby', 'RUNBOOK.md#databasenotprimary')
}

function judgeStandby({ needsStandby, synchronousStandbys }: ServerState): Finding {
  const item = 'synchronous standby'
  if (!needsStandby) return ok(item, 'not required: synchronous_standby_names is empty')
  if (synchronousStandbys === undefined)
    return bad(item, 'not visible to this user', 'GRANT pg_monitor to the user of DATABASE_URL')
  if (synchronousStandbys > 0) return ok(item, `${synchronousStandbys} connected`)
  return bad(item, 'none: commits wait for one', 'RUNBOOK.md#standbymissing')
}

function judgeArchive({ archive }: ServerState): Finding {
  const item = 'archive'
  if (archive === 'failing')
    return bad(item, 'the newest segment could not be archived', 'RUNBOOK.md#archivefailing')
  return ok(item, archive === 'off' ? 'off: archive_mode' : 'working')
}

function judgeConnections({ connectionsLeft, connectionsMax }: ServerState): Finding {
  const item = 'connections'
  const text = `${connectionsLeft} of ${connectionsMax} left`
  if (connectionsLeft >= CONNECTIONS_MAX) return ok(item, text)
  const rule = `expected ${CONNECTIONS_MAX} for one more process`
  return bad(item, `${text}, ${rule}`, 'RUNBOOK.md#connectionslow')
}

function judgeClock({ clockSeconds }: ServerState): Finding {
  const item = 'clock of the database'
  const apart = Math.abs(clockSeconds)
  const text = `${apart.toFixed(1)} s from the clock of this machine`
  if (apart <= CLOCK_SECONDS_MAX) return ok(item, text)
  return bad(item, text, 'run NTP on both machines')
}

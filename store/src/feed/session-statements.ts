// The prepared statements of the writer, other than those of the record tables.
import type { Header } from '@openvenue/core/events'
import { SIGNAL_CHANNEL, type Statement, type StatementCall } from '../db/db.ts'
import { kinds, tableStatements } from '../db/tables.ts'
import { DAY_STATEMENTS } from '../history/account-days.ts'
import { COUNT_STATEMENTS } from '../history/counts.ts'
import {
  NOTIFICATION_STATEMENTS,
  TAKE_BACK_NOTIFICATIONS,
} from '../history/notification-statements.ts'
import { RETENTION_STATEMENTS } from '../history/retention.ts'

/** Entries in the feed: 13 minutes of 200 ms blocks. A reader further behind reloads. */
export const FEED_ENTRIES_MAX = 4096

const HEADER_TYPES = ['bigint', 'text', 'text', 'bigint'] as const

const FEED: readonly Statement[] = [
  {
    name: 'add_block',
    types: HEADER_TYPES,
    text: 'INSERT INTO blocks (number, hash, parent_hash, seconds) VALUES ($1, $2, $3, $4)',
  },
  {
    name: 'add_undo',
    types: ['bigint', 'text'],
    text: 'INSERT INTO undo (number, changes) VALUES ($1, $2)',
  },
  {
    name: 'add_entry',
    types: ['bigint', 'text', ...HEADER_TYPES, 'text'],
    text: `INSERT INTO feed (seq, kind, number, hash, parent_hash, seconds, changes)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
  },
  {
    name: 'move_head',
    types: ['bigint', 'bigint', ...HEADER_TYPES],
    text: `UPDATE checkpoint
      SET seq = $1, notified_to = $2, number = $3, hash = $4, parent_hash = $5, seconds = $6`,
  },
  { name: 'drop_entries', types: ['bigint'], text: 'DELETE FROM feed WHERE seq <= $1' },
  { name: 'drop_undo', types: ['bigint'], text: 'DELETE FROM undo WHERE number <= $1' },
  { name: 'drop_blocks', types: ['bigint'], text: 'DELETE FROM blocks WHERE number < $1' },
  {
    name: 'take_back',
    types: ['bigint'],
    text: `WITH u AS (DELETE FROM undo WHERE number > $1), ${TAKE_BACK_NOTIFICATIONS}
      DELETE FROM blocks WHERE number > $1`,
  },
  { name: 'signal', types: ['text'], text: `SELECT pg_notify('${SIGNAL_CHANNEL}', $1)` },
]

/** All statements prepared by the writer's session. */
export const STATEMENTS: readonly Statement[] = [
  ...kinds.flatMap(tableStatements),
  ...COUNT_STATEMENTS,
  ...DAY_STATEMENTS,
  ...RETENTION_STATEMENTS,
  ...FEED,
  ...NOTIFICATION_STATEMENTS,
]

export const headerArgs = ({ number, hash, parentHash, seconds }: Header) =>
  [number, hash, parentHash, seconds] as const

/** Signals readers that the feed has reached `seq`; undefined: that they must read it. */
export const signalCall = (seq?: number): StatementCall => ({
  name: 'signal',
  args: [seq?.toString() ?? ''],
})

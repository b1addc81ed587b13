// Writes the notifications of a commit's accounts with the commit.
import { OPT_IN_NOTIFICATIONS } from '@openvenue/core/notifications'
import type { WarningChange } from '@openvenue/core/warnings'
import { chainSecondsText } from '../db/checkpoint.ts'
import type { Statement, StatementCall } from '../db/db.ts'
import { textArray } from '../db/tables.ts'
import type { BlockNotification } from '../store.ts'

const OPT_IN = OPT_IN_NOTIFICATIONS.map((type) => `'${type}'`).join(', ')

/** Default preferences unless `p` overrides them. */
const IS_LISTED = 'COALESCE(p.in_app, true)'
const IS_PUSHED = 'COALESCE(p.websocket, true)'
const isWanted = (type: string) =>
  `COALESCE((p.types ->> ${type})::boolean, ${type} NOT IN (${OPT_IN})) AND (${IS_LISTED} OR ${IS_PUSHED})`

/**
 * An account is notified if it had registered by the second of the block. Facts of an account are
 * looked up once per statement.
 */
const ADD_NOTIFICATIONS = `WITH n AS (
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7)
      AS n (account, id, type, seconds, number, hash, data)
  ), p AS MATERIALIZED (
    SELECT a.account, a.wallet, r.seconds, c.in_app, c.websocket, c.types
    FROM (SELECT DISTINCT account FROM n) d
    JOIN accounts a ON a.account = d.account
    CROSS JOIN LATERAL (
      SELECT min(created_ms) / 1000 AS seconds FROM registrations WHERE account = a.wallet
    ) r
    LEFT JOIN notification_preferences c ON c.wallet = a.wallet
    WHERE r.seconds IS NOT NULL
  )
  INSERT INTO notifications
    (wallet, id, type, seconds, block_number, block_hash, data, is_listed, is_pushed)
  SELECT p.wallet, n.id, n.type, n.seconds, n.number, n.hash, n.data, ${IS_LISTED}, ${IS_PUSHED}
  FROM n JOIN p ON p.account = n.account
  WHERE p.seconds <= n.seconds AND ${isWanted('n.type')}
  ON CONFLICT DO NOTHING`

/**
 * Adds notifications off the chain, dated with the chain's time. Arrays: wallet, id, type, seconds,
 * data. Returns the added ones.
 */
export const ADD_OWN_NOTIFICATIONS = `INSERT INTO notifications
    (wallet, id, type, seconds, data, is_listed, is_pushed)
  SELECT n.wallet, n.id, n.type, ${chainSecondsText('n.seconds')}, n.data, ${IS_LISTED}, ${IS_PUSHED}
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
    AS n (wallet, id, type, seconds, data)
  LEFT JOIN notification_preferences p ON p.wallet = n.wallet
  WHERE ${isWanted('n.type')}
  ON CONFLICT DO NOTHING
  RETURNING wallet, id`

export const NOTIFICATION_STATEMENTS: readonly Statement[] = [
  {
    name: 'add_notifications',
    types: ['bigint[]', 'text[]', 'text[]', 'bigint[]', 'bigint[]', 'text[]', 'text[]'],
    text: ADD_NOTIFICATIONS,
  },
  {
    // Kept by a wipe; their blocks were since dropped by the chain.
    name: 'drop_strays',
    types: ['bigint', 'bigint', 'text[]'],
    text: 'DELETE FROM notifications WHERE block_number BETWEEN $1 AND $2 AND block_hash <> ALL ($3)',
  },
  {
    name: 'begin_warning',
    types: ['text', 'bigint', 'bigint'],
    text: `INSERT INTO margin_warnings (engine, account, began) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING`,
  },
  {
    name: 'end_warning',
    types: ['text', 'bigint', 'bigint'],
    text: `UPDATE margin_warnings SET ended = $3
      WHERE engine = $1 AND account = $2 AND ended IS NULL AND began < $3`,
  },
  {
    name: 'drop_warnings',
    types: ['bigint'],
    text: 'DELETE FROM margin_warnings WHERE ended <= $1',
  },
]

/** Deletes notifications and warnings of blocks above `$1`, as parts of one statement. */
export const TAKE_BACK_NOTIFICATIONS = `n AS (DELETE FROM notifications WHERE block_number > $1),
  w AS (DELETE FROM margin_warnings WHERE began > $1),
  e AS (UPDATE margin_warnings SET ended = NULL WHERE ended > $1 AND began <= $1)`

/** Returns the calls that write `notifications`. */
export function notificationCalls(notifications: readonly BlockNotification[]): StatementCall[] {
  if (notifications.length === 0) return []
  const column = (of: (notification: BlockNotification) => string | number) => notifications.map(of)
  const args = [
    numberArray(column(({ account }) => account)),
    textArray(column(({ id }) => id)),
    textArray(column(({ type }) => type)),
    numberArray(column(({ header }) => header.seconds)),
    numberArray(column(({ header }) => header.number)),
    textArray(column(({ header }) => header.hash)),
    textArray(column(({ data }) => JSON.stringify(data))),
  ]
  return [{ name: 'add_notifications', args }]
}

/** Returns the calls that write `turns`, in block order, and delete those ended by `notifiedTo`. */
export function turnCalls(turns: readonly WarningChange[], notifiedTo: number): StatementCall[] {
  if (turns.length === 0) return []
  const calls = turns.map(({ engine, account, number, isWarned }) => ({
    name: isWarned ? 'begin_warning' : 'end_warning',
    args: [engine, account, number],
  }))
  return [...calls, { name: 'drop_warnings', args: [notifiedTo] }]
}

const numberArray = (values: readonly (string | number)[]) => `{${values.join(',')}}`

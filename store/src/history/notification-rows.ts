// Notifications in the database for their owners, and those that do not come from the chain.
import { hash } from 'node:crypto'
import type { KeyNotificationType } from '@openvenue/core/notifications'
import type { Db, Param, Sql, SqlRow } from '../db/db.ts'
import { textArray } from '../db/tables.ts'
import { ADD_OWN_NOTIFICATIONS } from './notification-statements.ts'
import {
  type AddedNotifications,
  NOTIFICATION_DAYS_MAX,
  NOTIFICATIONS_PER_ACCOUNT_MAX,
  type NotificationFilter,
  type NotificationPreferences,
  type NotificationQuery,
  type Notifications,
  type OwnNotification,
  type StoredNotification,
} from './notifications.ts'

/** Payload `<wallet> <id>,<id>...`: notifications added off the chain. */
const ADDED_CHANNEL = 'openvenue_notifications'
/** A payload has at most 8,000 bytes, which fit this many ids of 100 characters. */
const NOTIFIED_IDS_MAX = 70
/** Maximum number of keys reported by one sweep. */
const EXPIRING_KEYS_MAX = 1000
/** Maximum number of wallets per call of `prune`. */
const PRUNED_WALLETS_MAX = 500
/** Characters of a key, and of its hash, in its notifications. */
const PRINT_LENGTH = 16
const PREFIX_LENGTH = 8
const DAY_SECONDS = 86_400
const DAY_MS = 1000 * DAY_SECONDS

const COLUMNS = 'wallet, id, type, seconds, block_number, data, read_ms'
const STATUS = {
  all: 'is_listed',
  unread: 'is_listed AND read_ms IS NULL',
  read: 'is_listed AND read_ms IS NOT NULL',
} as const

const filterText = (status: NotificationFilter['status']) =>
  `FROM notifications WHERE wallet = $1 AND ${STATUS[status]} AND seconds BETWEEN $2 AND $3
    AND CASE WHEN $4::text IS NULL THEN true ELSE type = $4 END`

/**
 * Hides the limit and the rarity of a type from the planner, which would otherwise expect few rows,
 * and collect and sort them.
 */
const pageQuery = ({ status, after, isAscending }: NotificationQuery) => {
  const [beyond, order] = isAscending ? ['>', 'ASC'] : ['<', 'DESC']
  const position = after === undefined ? '' : `AND (seconds, id) ${beyond} ($6, $7)`
  return `SELECT ${COLUMNS} ${filterText(status)} ${position}
    ORDER BY seconds ${order}, id ${order} LIMIT (SELECT $5::bigint)`
}

/** Every statement, so that their plans can be checked. */
export const NOTIFICATION_SQL = {
  page: pageQuery,
  count: (status: NotificationFilter['status']) => `SELECT count(*) ${filterText(status)}`,
  find: `SELECT ${COLUMNS} FROM notifications WHERE wallet = $1 AND id = $2 AND is_listed`,
  mark: `UPDATE notifications SET read_ms = $3
    WHERE wallet = $1 AND id = ANY ($2::text[]) AND is_listed
      AND (read_ms IS NULL) <> ($3::bigint IS NULL)
    RETURNING 1`,
  markAll: `WITH marked AS (
      UPDATE notifications SET read_ms = $3
      WHERE wallet = $1 AND seconds <= $2 AND is_listed AND read_ms IS NULL RETURNING 1
    ) SELECT count(*) FROM marked`,
  // The row is kept until its age is pruned, so that it is not added again.
  remove: `UPDATE notifications SET is_listed = false, is_pushed = false
    WHERE wallet = $1 AND id = $2 AND is_listed RETURNING 1`,
  preferences: `SELECT in_app, websocket, types::text FROM notification_preferences WHERE wallet = $1`,
  changePreferences: `INSERT INTO notification_preferences AS p (wallet, in_app, websocket, types)
    VALUES ($1, COALESCE($2::boolean, true), COALESCE($3::boolean, true), $4::jsonb)
    ON CONFLICT (wallet) DO UPDATE SET in_app = COALESCE($2::boolean, p.in_app),
      websocket = COALESCE($3::boolean, p.websocket), types = p.types || excluded.types
    RETURNING in_app, websocket, types::text`,
  expiring: `SELECT account, key, expires_ms FROM api_keys k
    WHERE expires_ms > $1 AND expires_ms <= $1::bigint + ${DAY_MS}
      AND expires_ms - $1 <= (expires_ms - created_ms) / 10
      AND NOT EXISTS (
        SELECT FROM notifications n WHERE n.wallet = k.account
          AND n.id = 'key-expiring-' || left(encode(sha256(convert_to(k.key, 'UTF8')), 'hex'), ${PRINT_LENGTH})
      )
    ORDER BY expires_ms LIMIT ${EXPIRING_KEYS_MAX}`,
  ofBlock: `SELECT ${COLUMNS} FROM notifications
    WHERE block_number = $1 AND wallet = ANY ($2::text[]) AND is_pushed ORDER BY wallet, id`,
  byIds: `SELECT ${COLUMNS} FROM notifications
    WHERE wallet = $1 AND id = ANY ($2::text[]) AND is_pushed ORDER BY seconds, id`,
  notify: `SELECT pg_notify('${ADDED_CHANNEL}', $1)::text`,
  wallets: `WITH RECURSIVE w AS (
      (SELECT wallet FROM notifications WHERE wallet > $1 ORDER BY wallet LIMIT 1)
      UNION ALL
      SELECT next.wallet FROM w, LATERAL (
        SELECT wallet FROM notifications WHERE wallet > w.wallet ORDER BY wallet LIMIT 1
      ) next
    ) SELECT wallet FROM w LIMIT ${PRUNED_WALLETS_MAX}`,
  // Materialized: a plan made while the table is small would look up the oldest row for each row.
  prune: `WITH kept AS MATERIALIZED (
      SELECT w.wallet, oldest.seconds, oldest.id
      FROM unnest($1::text[]) AS w (wallet) LEFT JOIN LATERAL (
        SELECT seconds, id FROM notifications WHERE wallet = w.wallet
        ORDER BY seconds DESC, id DESC OFFSET ${NOTIFICATIONS_PER_ACCOUNT_MAX - 1} LIMIT 1
      ) oldest ON true
    ) DELETE FROM notifications n USING kept
    WHERE n.wallet = kept.wallet
      AND (n.seconds < $2 OR (n.seconds, n.id) < (kept.seconds, kept.id))`,
} as const

const DEFAULTS: NotificationPreferences = { inApp: true, websocket: true, types: {} }

type AddedListener = (added: AddedNotifications | undefined) => void

/** Notifies this process, and others over the database, of additions off the chain. */
export class AddedNews {
  readonly #db: Db
  readonly #listeners = new Set<AddedListener>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Must be called after the commit, with the result of `addNotifications`. */
  publish(added: readonly AddedNotifications[]): void {
    // PostgreSQL notifies every process, including this one.
    if (this.#db.engine !== 'pglite') return
    for (const batch of added) for (const listener of this.#listeners) listener(batch)
  }

  onAdded(listener: AddedListener): () => void {
    const subscriber: AddedListener = (added) => listener(added)
    this.#listeners.add(subscriber)
    const stop = this.#db.listen(ADDED_CHANNEL, (payload) =>
      subscriber(payload === undefined ? undefined : parseAdded(payload)),
    )
    return () => {
      this.#listeners.delete(subscriber)
      stop()
    }
  }
}

/** Adds notifications in the transaction of `tx`. Returns the new ones. */
export async function addNotifications(
  tx: Sql,
  notifications: readonly OwnNotification[],
): Promise<readonly AddedNotifications[]> {
  if (notifications.length === 0) return []
  const column = (of: (notification: OwnNotification) => string | number) =>
    textArray(notifications.map(of))
  const rows = await tx.query(ADD_OWN_NOTIFICATIONS, [
    column(({ wallet }) => wallet),
    column(({ id }) => id),
    column(({ type }) => type),
    column(({ seconds }) => seconds),
    column(({ data }) => JSON.stringify(data)),
  ])
  const ids = Map.groupBy(rows, ([wallet]) => String(wallet))
  const added: AddedNotifications[] = []
  for (const [wallet, ofWallet] of ids) {
    for (let at = 0; at < ofWallet.length; at += NOTIFIED_IDS_MAX) {
      const some = ofWallet.slice(at, at + NOTIFIED_IDS_MAX).map(([, id]) => String(id))
      added.push({ wallet, ids: some })
      await tx.query(NOTIFICATION_SQL.notify, [`${wallet} ${some.join(',')}`])
    }
  }
  return added
}

const parseAdded = (payload: string): AddedNotifications => {
  const [wallet = '', ids = ''] = payload.split(' ')
  return { wallet, ids: ids.split(',') }
}

/** Returns the notifications in `db`. */
export function createNotifications(db: Db, news: AddedNews): Notifications {
  // Reads rows that were just written from the primary, since a replica may lag.
  const read = async (text: string, params: readonly Param[]) =>
    (await db.primary.query(text, params)).map(decodeNotification)
  const add = async (notifications: readonly OwnNotification[]) =>
    news.publish(await db.writeTransaction((tx) => addNotifications(tx, notifications)))
  return {
    page: (query) =>
      read(pageQuery(query), [
        ...filterParams(query),
        query.limit,
        ...(query.after === undefined ? [] : [query.after.seconds, query.after.id]),
      ]),
    count: async (filter) => {
      const [row] = await db.primary.query(
        NOTIFICATION_SQL.count(filter.status),
        filterParams(filter),
      )
      return Number(row?.[0])
    },
    find: async (wallet, id) => (await read(NOTIFICATION_SQL.find, [wallet, id]))[0],
    mark: async (wallet, ids, readMs) => {
      const params = [wallet, textArray(ids), readMs ?? null]
      return (await db.primary.query(NOTIFICATION_SQL.mark, params)).length
    },
    markAll: async (wallet, toSeconds, readMs) => {
      const [row] = await db.primary.query(NOTIFICATION_SQL.markAll, [wallet, toSeconds, readMs])
      return Number(row?.[0])
    },
    remove: async (wallet, id) =>
      (await db.primary.query(NOTIFICATION_SQL.remove, [wallet, id])).length > 0,
    preferences: async (wallet) => {
      const [row] = await db.primary.query(NOTIFICATION_SQL.preferences, [wallet])
      return row === undefined ? DEFAULTS : decodePreferences(row)
    },
    changePreferences: async (wallet, { inApp, websocket, types = {} }) => {
      const params = [wallet, flag(inApp), flag(websocket), JSON.stringify(types)]
      const [row] = await db.primary.query(NOTIFICATION_SQL.changePreferences, params)
      return decodePreferences(row as SqlRow)
    },
    add,
    addExpiring: async (nowMs) => {
      const rows = await db.primary.query(NOTIFICATION_SQL.expiring, [nowMs])
      if (rows.length > 0) await add(rows.map((row) => expiringNotification(row, nowMs)))
    },
    ofBlock: (wallets, number) => read(NOTIFICATION_SQL.ofBlock, [number, textArray(wallets)]),
    byIds: (wallet, ids) => read(NOTIFICATION_SQL.byIds, [wallet, textArray(ids)]),
    onAdded: (listener) => news.onAdded(listener),
    prune: async (nowSeconds, fromWallet) => {
      const wallets = (await db.primary.query(NOTIFICATION_SQL.wallets, [fromWallet])).map(
        ([w]) => w,
      )
      const oldest = nowSeconds - NOTIFICATION_DAYS_MAX * DAY_SECONDS
      await db.primary.query(NOTIFICATION_SQL.prune, [textArray(wallets.map(String)), oldest])
      return wallets.length < PRUNED_WALLETS_MAX ? '' : String(wallets.at(-1))
    },
  }
}

const filterParams = ({ wallet, fromSeconds, toSeconds, type }: NotificationFilter) => [
  wallet,
  fromSeconds,
  toSeconds,
  type ?? null,
]

const decodePreferences = ([inApp, websocket, types]: SqlRow): NotificationPreferences => ({
  inApp: isTrue(inApp),
  websocket: isTrue(websocket),
  types: JSON.parse(String(types)),
})

const flag = (value: boolean | undefined) => (value === undefined ? null : String(value))
const isTrue = (cell: string | null | undefined) => cell === 't' || cell === 'true'

const expiringNotification = ([wallet, key, expiresMs]: SqlRow, nowMs: number): OwnNotification =>
  keyNotification('api_key_expiring', {
    wallet: String(wallet),
    key: String(key),
    nowMs,
    data: { expiresTimestamp: `${expiresMs}000000` },
  })

/** Returns a notification of an API key, without the key. */
export const keyNotification = (
  type: KeyNotificationType,
  about: Readonly<{ wallet: string; key: string; nowMs: number; data?: OwnNotification['data'] }>,
): OwnNotification => ({
  wallet: about.wallet,
  id: `${type.replace('api_', '').replace('_', '-')}-${fingerprint(about.key)}`,
  type,
  seconds: Math.floor(about.nowMs / 1000),
  data: { prefix: about.key.slice(0, PREFIX_LENGTH), ...about.data },
})

/** Distinguishes keys without showing them. */
const fingerprint = (key: string) => hash('sha256', key, 'hex').slice(0, PRINT_LENGTH)

const decodeNotification = ([
  wallet,
  id,
  type,
  seconds,
  block,
  data,
  readMs,
]: SqlRow): StoredNotification => ({
  wallet: String(wallet),
  id: String(id),
  type: String(type),
  seconds: Number(seconds),
  blockNumber: block == null ? undefined : Number(block),
  data: JSON.parse(String(data)),
  readMs: readMs == null ? undefined : Number(readMs),
})

// Relays of signing keys and allowances in the database.
import type { Db, Sql, SqlRow } from '../db/db.ts'
import {
  type CancellerAllowance,
  KEPT_FINISHED_MS,
  type KeyRegistration,
  type KeyRelay,
  type KeyRelayKind,
  type KeyRelayStatus,
  type KeyRelays,
  type RelayRefusal,
  UNFINISHED_MAX,
  WALLET_DAILY_MAX,
  WALLET_UNFINISHED_MAX,
} from './key-relays.ts'

const QUEUED_CHANNEL = 'openvenue_key_relays'
/** First half of a wallet's advisory lock; the second is a hash of it. */
const WALLET_LOCK = 0x6f76_6b72
const DAY_MS = 24 * 3600 * 1000
/** Old relays are deleted in small steps, as new ones come. */
const DELETED_MAX = 100
/** Maximum length of a reason, since a node's message may be anything. */
const REASON_LENGTH_MAX = 200

const COLUMNS = `id, wallet, signing_key, expiry, wallet_signature, signing_key_signature, status,
  tx_hash, reason, created_ms, updated_ms, kind`
const UNFINISHED = `status IN ('pending', 'sent')`

/** API and keeper have different clocks: no step is dated before the previous one. */
const updatedText = (ms: string) => `updated_ms = greatest(updated_ms, ${ms}::bigint)`

/** Every statement, so that their plans can be checked. */
export const KEY_RELAY_SQL = {
  lock: `SELECT pg_advisory_xact_lock(${WALLET_LOCK}, hashtext($1))::text`,
  find: `SELECT ${COLUMNS} FROM key_relays
    WHERE wallet = $1 AND signing_key = $2 AND expiry = $3`,
  countWallet: `SELECT count(*) FILTER (WHERE ${UNFINISHED}),
      coalesce(sum(times) FILTER (WHERE created_ms > $2), 0)
    FROM key_relays WHERE wallet = $1`,
  countAll: `SELECT count(*) FROM (SELECT 1 FROM key_relays WHERE ${UNFINISHED}
    LIMIT ${UNFINISHED_MAX}) AS few`,
  add: `INSERT INTO key_relays (wallet, signing_key, expiry, wallet_signature,
      signing_key_signature, status, times, created_ms, updated_ms, kind)
    VALUES ($1, $2, $3, $4, $5, 'pending', 1, $6, $6, $7)
    ON CONFLICT (wallet, signing_key, expiry) DO UPDATE SET status = 'pending', tx_hash = NULL,
      reason = NULL, wallet_signature = excluded.wallet_signature,
      signing_key_signature = excluded.signing_key_signature,
      times = 1 + CASE WHEN key_relays.created_ms > excluded.created_ms - ${DAY_MS}
        THEN key_relays.times ELSE 0 END,
      created_ms = excluded.created_ms, updated_ms = excluded.updated_ms
    RETURNING ${COLUMNS}`,
  deleteOld: `DELETE FROM key_relays WHERE id IN (SELECT id FROM key_relays
    WHERE status IN ('done', 'failed') AND updated_ms <= $1
    ORDER BY updated_ms LIMIT ${DELETED_MAX} FOR UPDATE SKIP LOCKED)`,
  unfinished: `SELECT ${COLUMNS} FROM key_relays WHERE ${UNFINISHED} ORDER BY id LIMIT $1`,
  sent: `UPDATE key_relays SET status = 'sent', tx_hash = $2, ${updatedText('$3')}
    WHERE id = $1 AND ${UNFINISHED}`,
  done: `UPDATE key_relays SET status = 'done', tx_hash = coalesce($2, tx_hash), ${updatedText('$3')}
    WHERE id = $1 AND ${UNFINISHED}`,
  failed: `UPDATE key_relays SET status = 'failed', reason = $2, ${updatedText('$3')}
    WHERE id = $1 AND ${UNFINISHED}`,
  again: `UPDATE key_relays SET status = 'pending', tx_hash = NULL, ${updatedText('$2')}
    WHERE id = $1 AND status IN ('sent', 'done')`,
  of: `SELECT ${COLUMNS} FROM key_relays WHERE wallet = $1 AND signing_key = $2 ORDER BY id DESC`,
  ofWallet: `SELECT ${COLUMNS} FROM key_relays WHERE wallet = $1 AND kind = 'key'
    ORDER BY id DESC LIMIT $2`,
  newestAllowance: `SELECT ${COLUMNS} FROM key_relays WHERE wallet = $1 AND kind = 'canceller'
    ORDER BY updated_ms DESC, id DESC LIMIT 1`,
  notify: `SELECT pg_notify('${QUEUED_CHANNEL}', '')::text`,
} as const

/** Notifies this process of committed relays; the database notifies others. */
export type QueueSignal = Readonly<{ publish(): void; onPublish(signal: () => void): () => void }>

/** Returns the news of one process. */
export function createQueuedNews(): QueueSignal {
  const signals = new Set<() => void>()
  return {
    publish: () => {
      for (const signal of signals) signal()
    },
    onPublish: (signal) => {
      const listener = () => signal()
      signals.add(listener)
      return () => void signals.delete(listener)
    },
  }
}

/** Returns the relays in `db`. */
export function createKeyRelays(db: Db, news: QueueSignal): KeyRelays {
  const run = async (name: keyof typeof KEY_RELAY_SQL, params: readonly (string | number)[]) =>
    db.primary.query(KEY_RELAY_SQL[name], params)
  const list = async (name: keyof typeof KEY_RELAY_SQL, params: readonly (string | number)[]) =>
    (await run(name, params)).map(decodeRelay)
  const enqueue = async (queue: (tx: Sql) => Promise<EnqueueResult>) => {
    const result = await db.writeTransaction(queue)
    if ('relay' in result) news.publish()
    return result
  }
  return {
    enqueue: (registration, nowMs) => enqueue((tx) => enqueueRelay(tx, registration, nowMs)),
    enqueueAllowance: (allowance, nowMs) => enqueue((tx) => enqueueAllowance(tx, allowance, nowMs)),
    unfinished: (limit) => list('unfinished', [limit]),
    sent: async (id, txHash, nowMs) => void (await run('sent', [id, txHash, nowMs])),
    done: async (id, nowMs, txHash) =>
      void (await db.primary.query(KEY_RELAY_SQL.done, [id, txHash ?? null, nowMs])),
    failed: async (id, reason, nowMs) =>
      void (await run('failed', [id, reason.slice(0, REASON_LENGTH_MAX), nowMs])),
    again: async (id, nowMs) => void (await run('again', [id, nowMs])),
    of: (wallet, signingKey) => list('of', [wallet, signingKey]),
    ofWallet: (wallet, limit) => list('ofWallet', [wallet, limit]),
    newestAllowance: async (wallet) => (await list('newestAllowance', [wallet]))[0],
    onQueued: (signal) => {
      const heard = () => signal()
      const stops = [news.onPublish(signal), db.listen(QUEUED_CHANNEL, heard, heard)]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

type EnqueueResult = Readonly<{ relay: KeyRelay }> | Readonly<{ refused: RelayRefusal }>

/**
 * Queues a registration in the caller's transaction; the caller publishes the news after the
 * commit. Concurrent calls for one wallet are serialised.
 */
export const enqueueRelay = (
  tx: Sql,
  registration: KeyRegistration,
  nowMs: number,
): Promise<EnqueueResult> => enqueueRow(tx, { ...registration, kind: 'key' }, nowMs)

/** The same for an allowance. */
const enqueueAllowance = (
  tx: Sql,
  { wallet, canceller, expiry, signature }: CancellerAllowance,
  nowMs: number,
): Promise<EnqueueResult> => {
  const signatures = { walletSignature: signature, signingKeySignature: '' }
  const row = { wallet, signingKey: canceller, expiry, ...signatures, kind: 'canceller' } as const
  return enqueueRow(tx, row, nowMs)
}

async function enqueueRow(
  tx: Sql,
  registration: KeyRegistration & Readonly<{ kind: KeyRelayKind }>,
  nowMs: number,
): Promise<EnqueueResult> {
  const { wallet, signingKey, expiry, walletSignature, signingKeySignature } = registration
  const name = [wallet, signingKey, expiry.toString()]
  await tx.query(KEY_RELAY_SQL.lock, [wallet])
  const [existing] = await tx.query(KEY_RELAY_SQL.find, name)
  if (existing !== undefined) {
    const relay = decodeRelay(existing)
    if (relay.status !== 'failed') return { relay }
  }
  const refused = await findRefusal(tx, wallet, nowMs)
  if (refused !== undefined) return { refused }
  await tx.query(KEY_RELAY_SQL.deleteOld, [nowMs - KEPT_FINISHED_MS])
  const params = [...name, walletSignature, signingKeySignature, nowMs, registration.kind]
  const [added = []] = await tx.query(KEY_RELAY_SQL.add, params)
  await tx.query(KEY_RELAY_SQL.notify)
  return { relay: decodeRelay(added) }
}

async function findRefusal(tx: Sql, wallet: string, nowMs: number) {
  const [counts = []] = await tx.query(KEY_RELAY_SQL.countWallet, [wallet, nowMs - DAY_MS])
  const [unfinished, daily] = counts.map(Number) as [number, number]
  if (unfinished >= WALLET_UNFINISHED_MAX || daily >= WALLET_DAILY_MAX) return 'wallet_full'
  const [[all] = []] = await tx.query(KEY_RELAY_SQL.countAll)
  return Number(all) >= UNFINISHED_MAX ? 'full' : undefined
}

const decodeRelay = (row: SqlRow): KeyRelay => {
  const [id, wallet, key, expiry, byWallet, byKey, status, txHash, reason, ...rest] = row
  const [created, updated, kind] = rest
  return {
    id: String(id),
    wallet: String(wallet),
    signingKey: String(key),
    expiry: BigInt(expiry as string),
    walletSignature: String(byWallet),
    signingKeySignature: String(byKey),
    kind: kind as KeyRelayKind,
    status: status as KeyRelayStatus,
    txHash: txHash ?? undefined,
    reason: reason ?? undefined,
    createdMs: Number(created),
    updatedMs: Number(updated),
  }
}

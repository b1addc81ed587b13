// Deletes data of accounts that never came to the chain.
import type { Cell, Db, Sql } from '../db/db.ts'
import { KEY_RELAY_SQL } from './key-relay-rows.ts'
import { KEPT_FINISHED_MS } from './key-relays.ts'

/** Retention of expired keys, since another node's clock may be behind. */
export const KEPT_EXPIRED_MS = 24 * 3600 * 1000
/** Registrations per statement. */
const BATCH = 500
/** Maximum number of registrations per sweep; the next one continues. */
export const SWEPT_MAX = 20 * BATCH

/** Every statement, so that their plans can be checked. */
export const SWEEP_SQL = {
  // A kept row is not checked again before its keys have ended, or never, so that a sweep costs
  // only new rows. Two sweeps at once share the work.
  due: `SELECT r.account, r.signing_key,
      EXISTS (SELECT 1 FROM accounts a WHERE a.wallet = r.account) AS is_on_chain,
      NOT EXISTS (SELECT 1 FROM registrations o WHERE o.account = r.account
        AND (o.created_ms, o.signing_key) < (r.created_ms, r.signing_key)) AS is_first,
      coalesce((SELECT max(k.expires_ms) + ${KEPT_EXPIRED_MS} FROM api_keys k
        WHERE k.account = r.account), 0) AS kept_to_ms
    FROM registrations r WHERE r.look_ms <= $1
    ORDER BY r.look_ms LIMIT ${BATCH} FOR UPDATE OF r SKIP LOCKED`,
  keep: `UPDATE registrations r SET look_ms = kept.ms
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS kept (account, signing_key, ms)
    WHERE r.account = kept.account AND r.signing_key = kept.signing_key`,
  drop: `DELETE FROM registrations r
    USING unnest($1::text[], $2::text[]) AS gone (account, signing_key)
    WHERE r.account = gone.account AND r.signing_key = gone.signing_key`,
  // In a fixed order, so that two sweeps never deadlock.
  dropPreferences: `DELETE FROM notification_preferences WHERE wallet IN (SELECT wallet
    FROM notification_preferences WHERE wallet = ANY ($1::text[]) ORDER BY wallet FOR UPDATE)`,
  dropKeys: `DELETE FROM api_keys WHERE key IN (SELECT key FROM api_keys
    WHERE expires_ms <= $1 ORDER BY expires_ms LIMIT ${SWEPT_MAX} FOR UPDATE SKIP LOCKED)`,
} as const

type DueKey = Readonly<{
  account: string
  signingKey: string
  isOnChain: boolean
  isFirst: boolean
  /** A day after the end of the account's last key; 0 when it has none. */
  keptToMs: number
}>

/** See `Identity.sweep`. */
export async function sweep(db: Db, nowMs: number): Promise<number> {
  let gone = 0
  for (let looked = 0; looked < SWEPT_MAX; looked += BATCH) {
    const batch = await db.writeTransaction((tx) => sweepBatch(tx, nowMs))
    gone += batch.gone
    if (batch.looked < BATCH) break
  }
  await db.primary.query(SWEEP_SQL.dropKeys, [nowMs - KEPT_EXPIRED_MS])
  await db.primary.query(KEY_RELAY_SQL.deleteOld, [nowMs - KEPT_FINISHED_MS])
  return gone
}

async function sweepBatch(tx: Sql, nowMs: number): Promise<Record<'looked' | 'gone', number>> {
  const due = (await tx.query(SWEEP_SQL.due, [nowMs])).map(
    ([account, signingKey, isOnChain, isFirst, keptToMs]): DueKey => ({
      account: String(account),
      signingKey: String(signingKey),
      isOnChain: isTrue(isOnChain),
      isFirst: isTrue(isFirst),
      keptToMs: Number(keptToMs),
    }),
  )
  const isRetained = ({ isOnChain, isFirst, keptToMs }: DueKey) =>
    keptToMs > nowMs || (isOnChain && isFirst)
  const remaining = due.filter(isRetained)
  const dropped = due.filter((each) => !isRetained(each))
  if (remaining.length > 0) {
    const looks = remaining.map(({ keptToMs }) => (keptToMs > nowMs ? keptToMs : 'NULL'))
    await tx.query(SWEEP_SQL.keep, [...nameArrays(remaining), `{${looks.join(',')}}`])
  }
  if (dropped.length > 0) {
    await tx.query(SWEEP_SQL.drop, nameArrays(dropped))
    const idle = dropped.filter(({ isOnChain }) => !isOnChain).map(({ account }) => account)
    await tx.query(SWEEP_SQL.dropPreferences, [`{${idle.join(',')}}`])
  }
  return { looked: due.length, gone: dropped.length }
}

const isTrue = (cell: Cell | undefined) => cell === 't' || cell === 'true'

/** Addresses need no quotes. */
const nameArrays = (rows: readonly DueKey[]) => [
  `{${rows.map(({ account }) => account).join(',')}}`,
  `{${rows.map(({ signingKey }) => signingKey).join(',')}}`,
]

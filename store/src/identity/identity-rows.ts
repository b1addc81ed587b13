// Registrations, keys and invites in the database.

import { chainMsText } from '../db/checkpoint.ts'
import type { Db, MessageHandler, Sql } from '../db/db.ts'
import { type AddedNews, addNotifications, keyNotification } from '../history/notification-rows.ts'
import type { AddedNotifications } from '../history/notifications.ts'
import {
  API_KEY_SQL,
  addNamedKey,
  addSignInKey,
  amendKey,
  decodeKey,
  KEY_COLUMNS,
  keyTexts,
} from './api-key-rows.ts'
import type {
  ApiKey,
  Identity,
  IssueResult,
  KeyAmendment,
  NamedKey,
  Registration,
  RegistrationResult,
} from './identity.ts'
import { enqueueRelay, type QueueSignal } from './key-relay-rows.ts'
import type { KeyRelay } from './key-relays.ts'
import { KEPT_EXPIRED_MS, sweep } from './sweep.ts'
import { type SignatureUse, UsedSignatures } from './used-signatures.ts'

/** Payload: revoked keys, comma-separated. */
const REVOKED_CHANNEL = 'openvenue_revoked'
/** A payload has at most 8,000 bytes, which fit this many keys of 32 characters. */
const NOTIFIED_KEYS_MAX = 100
/** Maximum number of keys per lookup. */
const LOOKED_UP_MAX = 1000
/** First half of an account's advisory lock; the second is a hash of it. */
const ACCOUNT_LOCK = 0x6f76_6964
/** Maximum number of registrations per account in addition to its first. */
export const REGISTRATIONS_MAX = 20

/** Every statement, so that their plans can be checked. */
export const IDENTITY_SQL = {
  ...API_KEY_SQL,
  lock: `SELECT pg_advisory_xact_lock(${ACCOUNT_LOCK}, hashtext($1))::text`,
  isRevokedOnChain: 'SELECT 1 FROM signing_keys WHERE key = $1 AND is_revoked',
  isRegistered: `SELECT 1 FROM registrations WHERE account = $1
    UNION ALL SELECT 1 FROM invites WHERE account = $1 LIMIT 1`,
  // The second of two concurrent calls waits for the first, also on another node.
  useSignatures: `INSERT INTO used_signatures (digest)
    VALUES (sha256(convert_to(concat_ws(' ', $1::text, $2::text, $3::text), 'UTF8')))
    ON CONFLICT DO NOTHING RETURNING 1`,
  useInvite: `UPDATE invites SET used_ms = $2, account = $3
    WHERE hash = $1 AND used_ms IS NULL RETURNING 1`,
  hasInvite: 'SELECT 1 FROM invites WHERE hash = $1',
  addRegistration: `INSERT INTO registrations (account, signing_key, expiry, referral_code,
      created_ms, updated_ms, look_ms)
    VALUES ($1, $2, $3, $4, ${chainMsText('$5::bigint')}, $5, $6)
    ON CONFLICT (account, signing_key) DO UPDATE SET expiry = excluded.expiry,
      updated_ms = excluded.updated_ms, look_ms = excluded.look_ms`,
  // The first registration dates the account's notifications.
  boundRegistrations: `DELETE FROM registrations WHERE account = $1 AND signing_key IN (
    SELECT signing_key FROM registrations WHERE account = $1 AND signing_key <> (
      SELECT signing_key FROM registrations WHERE account = $1 ORDER BY created_ms, signing_key LIMIT 1)
    ORDER BY updated_ms DESC, signing_key OFFSET ${REGISTRATIONS_MAX})`,
  find: `SELECT ${KEY_COLUMNS} FROM api_keys WHERE key = $1 AND expires_ms > $2`,
  liveAmong: 'SELECT key, version FROM api_keys WHERE key = ANY ($1::text[]) AND expires_ms > $2',
  liveKeys: `SELECT ${KEY_COLUMNS} FROM api_keys WHERE account = $1 AND expires_ms > $2
    ORDER BY number DESC`,
  revoke: `DELETE FROM api_keys WHERE key = $2 AND account = $1 AND expires_ms > $3 RETURNING key`,
  revokeAll: 'DELETE FROM api_keys WHERE account = $1 AND expires_ms > $2 RETURNING key',
  // Skips keys that another process is revoking or writing: in a deadlock one of them would fail,
  // possibly the revocation.
  markUsed: `WITH free AS (
      SELECT key FROM api_keys WHERE key = ANY ($1::text[]) FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE api_keys SET last_used_ms = greatest(last_used_ms, used.ms)
    FROM unnest($1::text[], $2::bigint[]) AS used (key, ms) JOIN free ON free.key = used.key
    WHERE api_keys.key = used.key`,
  addInvites: `INSERT INTO invites (hash, created_ms)
    SELECT hash, $2 FROM unnest($1::text[]) AS given (hash)`,
  notify: `SELECT pg_notify('${REVOKED_CHANNEL}', $1)::text`,
} as const

/** The identities in a database. Its members are values, so that a copy may override some. */
export class IdentityRows implements Identity {
  readonly #db: Db
  readonly #news: AddedNews
  readonly #queued: QueueSignal
  readonly #signatures: UsedSignatures
  readonly #listeners = new Set<(keys: readonly string[] | undefined) => void>()

  constructor(db: Db, news: AddedNews, queued: QueueSignal) {
    this.#db = db
    this.#news = news
    this.#signatures = new UsedSignatures(db)
    this.#queued = queued
  }

  readonly register = async (registration: Registration): Promise<RegistrationResult> => {
    const { outcome, added } = await this.#db
      .writeTransaction((tx) => register(tx, registration))
      .catch(rolledBack)
    if ('revoked' in outcome) this.#emitRevoked(outcome.revoked)
    if ('relay' in outcome && outcome.relay !== undefined) this.#queued.publish()
    this.#news.publish(added)
    return outcome
  }

  readonly useSignature = (use: SignatureUse): Promise<boolean> => this.#signatures.use(use)

  readonly find = async (key: string, nowMs: number): Promise<ApiKey | undefined> => {
    const [row] = await this.#db.keys.query(IDENTITY_SQL.find, [key, nowMs])
    return row === undefined ? undefined : decodeKey(row)
  }

  readonly liveAmong = async (
    keys: readonly string[],
    nowMs: number,
  ): Promise<ReadonlyMap<string, number>> => {
    const live = new Map<string, number>()
    for (let at = 0; at < keys.length; at += LOOKED_UP_MAX) {
      const params = [arrayText(keys.slice(at, at + LOOKED_UP_MAX)), nowMs]
      for (const [key, version] of await this.#db.keys.query(IDENTITY_SQL.liveAmong, params))
        live.set(String(key), Number(version))
    }
    return live
  }

  readonly liveKeys = async (account: string, nowMs: number): Promise<readonly ApiKey[]> => {
    return (await this.#db.keys.query(IDENTITY_SQL.liveKeys, [account, nowMs])).map(decodeKey)
  }

  readonly issue = async (namedKey: NamedKey): Promise<IssueResult> => {
    const { outcome, added } = await this.#db.writeTransaction((tx) => issueNamed(tx, namedKey))
    if ('revoked' in outcome) this.#emitRevoked(outcome.revoked)
    this.#news.publish(added)
    return outcome
  }

  readonly amend = async (
    key: ApiKey,
    amendment: KeyAmendment,
    nowMs: number,
  ): Promise<ApiKey | undefined> => {
    const changed = amendment.isNarrower ? [key.key] : []
    const amended = await this.#db.writeTransaction(async (tx) => {
      const after = await amendKey(tx, key, { ...amendment, nowMs })
      if (after !== undefined) await notify(tx, changed)
      return after
    })
    if (amended !== undefined) this.#emitRevoked(changed)
    return amended
  }

  readonly revoke = async (account: string, key: string, nowMs: number): Promise<boolean> => {
    const params = [account, key, nowMs]
    const revoked = await this.#revokeBy(IDENTITY_SQL.revoke, params, { account, nowMs })
    return revoked.length > 0
  }

  readonly revokeAll = (account: string, nowMs: number): Promise<readonly string[]> => {
    return this.#revokeBy(IDENTITY_SQL.revokeAll, [account, nowMs], { account, nowMs })
  }

  readonly markUsed = async (uses: ReadonlyMap<string, number>): Promise<void> => {
    const params = [arrayText([...uses.keys()]), arrayText([...uses.values()])]
    await this.#db.keys.query(IDENTITY_SQL.markUsed, params)
  }

  readonly sweep = (nowMs: number): Promise<number> => {
    return sweep(this.#db, nowMs)
  }

  readonly addInvites = async (hashes: readonly string[], nowMs: number): Promise<void> => {
    await this.#db.keys.query(IDENTITY_SQL.addInvites, [arrayText(hashes), nowMs])
  }

  readonly onRevoked = (listener: (keys: readonly string[] | undefined) => void): (() => void) => {
    const subscriber: typeof listener = (keys) => listener(keys)
    this.#listeners.add(subscriber)
    const onMessage: MessageHandler = (payload) => subscriber(payload?.split(','))
    const stop = this.#db.listen(REVOKED_CHANNEL, onMessage, () => subscriber(undefined))
    return () => {
      this.#listeners.delete(subscriber)
      stop()
    }
  }

  async #revokeBy(
    sql: string,
    params: readonly (string | number)[],
    { account, nowMs }: Revocation,
  ): Promise<readonly string[]> {
    const { revoked, added } = await this.#db.writeTransaction(async (tx) => {
      const keys = keyTexts(await tx.query(sql, params))
      await notify(tx, keys)
      return { revoked: keys, added: await addRevoked(tx, keys, { account, nowMs }) }
    })
    this.#emitRevoked(revoked)
    this.#news.publish(added)
    return revoked
  }

  /** Calls the listeners of this process right after the commit; the database notifies others. */
  #emitRevoked(keys: readonly string[]): void {
    if (keys.length > 0) for (const listener of this.#listeners) listener(keys)
  }
}

type Revocation = Readonly<{ account: string; nowMs: number }>

/** Notifies the account, in the same transaction. */
const addRevoked = (tx: Sql, keys: readonly string[], { account, nowMs }: Revocation) =>
  addNotifications(
    tx,
    keys.map((key) => keyNotification('api_key_revoked', { wallet: account, key, nowMs })),
  )

type RegistrationCommit = Readonly<{
  outcome: RegistrationResult
  added: readonly AddedNotifications[]
}>

/** Rolls a registration back: nothing is stored, and its invite is not used up. */
class RegistrationRefused extends Error {
  override name = 'RegistrationRefused'
  readonly outcome: RegistrationResult

  constructor(outcome: RegistrationResult) {
    super(outcome.result)
    this.outcome = outcome
  }
}

function rolledBack(error: unknown): RegistrationCommit {
  if (!(error instanceof RegistrationRefused)) throw error
  return { outcome: error.outcome, added: [] }
}

/** Queues the registration for the chain if requested. */
async function queueRelay(tx: Sql, registration: Registration): Promise<KeyRelay | undefined> {
  const { account: wallet, signingKey, expiry, relayed, nowMs } = registration
  if (relayed === undefined) return undefined
  const enqueued = await enqueueRelay(tx, { wallet, signingKey, expiry, ...relayed }, nowMs)
  if ('refused' in enqueued)
    throw new RegistrationRefused({ result: 'relay_refused', refused: enqueued.refused })
  return enqueued.relay
}

async function register(tx: Sql, registration: Registration): Promise<RegistrationCommit> {
  const { account, signingKey, nowMs } = registration
  await tx.query(IDENTITY_SQL.lock, [account])
  if ((await tx.query(IDENTITY_SQL.isRevokedOnChain, [signingKey]))[0])
    return { outcome: { result: 'key_revoked' }, added: [] }
  const refused = await useInvite(tx, registration)
  if (refused !== undefined) return { outcome: refused, added: [] }
  await tx.query(IDENTITY_SQL.addRegistration, [
    account,
    signingKey,
    registration.expiry.toString(),
    registration.referralCode ?? null,
    nowMs,
    registration.apiKey.expiresMs + KEPT_EXPIRED_MS,
  ])
  await tx.query(IDENTITY_SQL.boundRegistrations, [account])
  const relay = await queueRelay(tx, registration)
  if (registration.isKeyKept && (await tx.query(IDENTITY_SQL.liveKeys, [account, nowMs]))[0])
    return { outcome: { result: 'kept', revoked: [], relay }, added: [] }
  const { revoked, added } = await issue(tx, registration)
  return { outcome: { result: 'issued', revoked, relay }, added }
}

/** Uses up the pair of signatures and adds the key; the oldest beyond the maximum are revoked. */
async function issue(tx: Sql, registration: Registration): Promise<KeyChanges> {
  const { account, signingKey, expiry } = registration
  const pair = [account, signingKey, expiry.toString()]
  if (!(await tx.query(IDENTITY_SQL.useSignatures, pair))[0])
    throw new RegistrationRefused({ result: 'signatures_used' })
  const revoked = await addSignInKey(tx, registration)
  return announce(tx, revoked, { ...registration, key: registration.apiKey.key })
}

type KeyChanges = Readonly<{ revoked: readonly string[]; added: readonly AddedNotifications[] }>

async function issueNamed(
  tx: Sql,
  namedKey: NamedKey,
): Promise<Readonly<{ outcome: IssueResult; added: readonly AddedNotifications[] }>> {
  await tx.query(IDENTITY_SQL.lock, [namedKey.account])
  const outcome = await addNamedKey(tx, namedKey)
  if (!('revoked' in outcome)) return { outcome, added: [] }
  const { account, key, createdMs: nowMs } = namedKey
  const { added } = await announce(tx, outcome.revoked, { account, key, nowMs })
  return { outcome, added }
}

/** Notifies other processes of the keys that a new one replaced, and the account of everything. */
async function announce(
  tx: Sql,
  revoked: readonly string[],
  { account, key, nowMs }: Revocation & { key: string },
): Promise<KeyChanges> {
  await notify(tx, revoked)
  const created = keyNotification('api_key_created', { wallet: account, key, nowMs })
  const added = [
    ...(await addNotifications(tx, [created])),
    ...(await addRevoked(tx, revoked, { account, nowMs })),
  ]
  return { revoked, added }
}

/** Takes the invite that a new account needs, or returns why it cannot. */
async function useInvite(
  tx: Sql,
  { account, isInviteOnly, inviteHash, nowMs }: Registration,
): Promise<RegistrationResult | undefined> {
  if (!isInviteOnly || (await tx.query(IDENTITY_SQL.isRegistered, [account]))[0]) return undefined
  if (inviteHash === undefined) return { result: 'invite_required' }
  // The second of two concurrent calls waits for the first and finds the invite used.
  if ((await tx.query(IDENTITY_SQL.useInvite, [inviteHash, nowMs, account]))[0]) return undefined
  const [invite] = await tx.query(IDENTITY_SQL.hasInvite, [inviteHash])
  return { result: invite === undefined ? 'invite_invalid' : 'invite_used' }
}

async function notify(tx: Sql, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += NOTIFIED_KEYS_MAX)
    await tx.query(IDENTITY_SQL.notify, [keys.slice(at, at + NOTIFIED_KEYS_MAX).join(',')])
}

/** Keys, hashes and numbers need no quotes. */
const arrayText = (values: readonly (string | number)[]) => `{${values.join(',')}}`

// API keys in the database: decoding of rows, and creation and changes by other keys.
import { SCOPES } from '@openvenue/core/scopes'
import type { Sql, SqlRow } from '../db/db.ts'
import type { ApiKey, IssueResult, KeyAmendment, NamedKey, Registration } from './identity.ts'

export const KEY_COLUMNS = `key, secret_hash, account, signing_key, created_ms, expires_ms,
  last_used_ms, name, scopes, ip_addresses, sealed_secret, version`

export const API_KEY_SQL = {
  addKey: `INSERT INTO api_keys (key, secret_hash, account, signing_key, created_ms, expires_ms,
      sealed_secret)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
  addNamedKey: `INSERT INTO api_keys (key, secret_hash, account, signing_key, created_ms,
      expires_ms, sealed_secret, name, scopes, ip_addresses)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  isUnchanged: 'SELECT 1 FROM api_keys WHERE key = $1 AND version = $2 AND expires_ms > $3',
  // Keeps the new key and named ones first: the oldest sign-in keys are revoked.
  revokeOldest: `DELETE FROM api_keys WHERE key IN (SELECT key FROM api_keys
    WHERE account = $1 AND expires_ms > $2
    ORDER BY key = $4 DESC, name IS NOT NULL DESC, number DESC OFFSET $3) RETURNING key`,
  countLive: 'SELECT count(*)::text FROM api_keys WHERE account = $1 AND expires_ms > $2',
  revokeUnnamed: `DELETE FROM api_keys WHERE key IN (SELECT key FROM api_keys
    WHERE account = $1 AND expires_ms > $2 AND name IS NULL AND key <> $4
      AND string_to_array(scopes, ',') <@ string_to_array($5::text, ',')
    ORDER BY number LIMIT $3) RETURNING key`,
  amend: `UPDATE api_keys SET name = $4, scopes = $5, ip_addresses = $6, expires_ms = $7,
      version = version + $8
    WHERE key = $1 AND version = $2 AND expires_ms > $3 RETURNING ${KEY_COLUMNS}`,
} as const

export function decodeKey(row: SqlRow): ApiKey {
  const [key, hash, account, signing, created, expires, used, ...rights] = row
  const [name, scopes, addresses, sealed, version] = rights
  return {
    key: String(key),
    secretHash: String(hash),
    account: String(account),
    signingKey: String(signing),
    createdMs: Number(created),
    expiresMs: Number(expires),
    lastUsedMs: used == null ? undefined : Number(used),
    name: name ?? undefined,
    scopes: SCOPES.filter((scope) => scopes?.split(',').includes(scope)),
    ipAddresses: addresses?.split(',').filter((address) => address !== '') ?? [],
    sealedSecret: sealed ?? undefined,
    version: Number(version),
  }
}

/** Adds the key of a sign-in; returns those that it replaced. */
export async function addSignInKey(
  tx: Sql,
  { account, signingKey, nowMs, apiKey, keysMax }: Registration,
): Promise<readonly string[]> {
  const { key, secretHash, expiresMs, sealedSecret = null } = apiKey
  const params = [key, secretHash, account, signingKey, nowMs, expiresMs, sealedSecret]
  await tx.query(API_KEY_SQL.addKey, params)
  return keyTexts(await tx.query(API_KEY_SQL.revokeOldest, [account, nowMs, keysMax, key]))
}

/** Adds a key created by `parent`, if there is room. The account is locked. */
export async function addNamedKey(tx: Sql, namedKey: NamedKey): Promise<IssueResult> {
  const { account, parent, keysMax, createdMs: nowMs } = namedKey
  const parentParams = [parent.key, parent.version, nowMs]
  if (!(await tx.query(API_KEY_SQL.isUnchanged, parentParams))[0]) return { result: 'parent_gone' }
  const [counted] = await tx.query(API_KEY_SQL.countLive, [account, nowMs])
  const over = Number(counted?.[0]) + 1 - keysMax
  const params = [account, nowMs, Math.max(0, over), parent.key, parent.scopes.join(',')]
  const revoked = over <= 0 ? [] : keyTexts(await tx.query(API_KEY_SQL.revokeUnnamed, params))
  if (revoked.length < over) return { result: 'full' }
  await tx.query(API_KEY_SQL.addNamedKey, [
    namedKey.key,
    namedKey.secretHash,
    account,
    namedKey.signingKey,
    nowMs,
    namedKey.expiresMs,
    namedKey.sealedSecret ?? null,
    namedKey.name,
    namedKey.scopes.join(','),
    namedKey.ipAddresses.join(','),
  ])
  return { result: 'issued', revoked }
}

export async function amendKey(
  tx: Sql,
  { key, version }: ApiKey,
  { name, scopes, ipAddresses, expiresMs, isNarrower, nowMs }: KeyAmendment & { nowMs: number },
): Promise<ApiKey | undefined> {
  const rights = [name ?? null, scopes.join(','), ipAddresses.join(','), expiresMs]
  const params = [key, version, nowMs, ...rights, isNarrower ? 1 : 0]
  const [row] = await tx.query(API_KEY_SQL.amend, params)
  return row === undefined ? undefined : decodeKey(row)
}

export const keyTexts = (rows: readonly SqlRow[]) => rows.map(([key]) => String(key))

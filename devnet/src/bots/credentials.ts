// Obtains the traders' credentials: a signing key registered on chain, an API key, and permission
// for the venue's cancels. Stored in DATA_DIR, so that a restart needs no new ones.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiKey, RefusedError, Rest } from 'openvenue'
import {
  type Address,
  allowVenueToCancel,
  type Hex,
  loadVenue,
  register,
  type SigningVenue,
} from 'openvenue/signing'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { MNEMONIC } from '../anvil.ts'
import { derivePrivateKey } from '../wallet-keys.ts'

export type Credentials = Readonly<{
  /** Address of the wallet, which is the account. */
  account: Address
  apiKey: ApiKey
  signingKey: Hex
}>

/** Where the traders are registered. */
export type Registry = Readonly<{ apiUrl: string; dataDir: string }>

/** Offset of the signing keys' mnemonic indexes from those of their wallets. */
const SIGNING_KEYS_AFTER = 100
const DAY_SECONDS = 24 * 3600
/** The contract caps a key's life at 30 days. */
const KEY_SECONDS = 29 * DAY_SECONDS
/** Minimum remaining lifetime; below it, new credentials are obtained. */
const LEFT_SECONDS_MIN = 2 * DAY_SECONDS
/** Timeout of a request; a bot soon retries. */
export const ANSWERED_WITHIN_MS = 15_000

type SavedCredentials = Readonly<
  Record<string, Readonly<{ apiKey: ApiKey; expirySeconds: number }>>
>

const savedPath = (dataDir: string) => join(dataDir, 'traders.json')

/** Returns the credentials of wallet number `index` of the mnemonic. */
export async function getCredentials(
  { apiUrl, dataDir }: Registry,
  index: number,
): Promise<Credentials> {
  const rest = new Rest({ url: apiUrl, timeoutMs: ANSWERED_WITHIN_MS })
  const venue = await loadVenue(rest)
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: index })
  const signingKey = derivePrivateKey(index + SIGNING_KEYS_AFTER)
  const key = privateKeyToAccount(signingKey)
  let { apiKey, expirySeconds } = readSaved(dataDir)[index] ?? { expirySeconds: 0 }
  if (apiKey === undefined || !(await isGood(rest.withKey(apiKey), expirySeconds))) {
    expirySeconds = Math.floor(Date.now() / 1_000) + KEY_SECONDS
    apiKey = await register(rest, venue, { wallet, key, expirySeconds })
    save(dataDir, { ...readSaved(dataDir), [index]: { apiKey, expirySeconds } })
  }
  const credentials = { account: wallet.address, apiKey, signingKey }
  await allowCanceller(rest.withKey(apiKey), venue, credentials)
  return credentials
}

/** Deletes refused credentials: the next call registers again. */
export const forgetCredentials = ({ dataDir }: Registry): void => save(dataDir, {})

function readSaved(dataDir: string): SavedCredentials {
  try {
    return JSON.parse(readFileSync(savedPath(dataDir), 'utf8')) as SavedCredentials
  } catch {
    return {}
  }
}

/** Atomic, since secrets are issued once: after a kill there is the old file or the new one. */
function save(dataDir: string, saved: SavedCredentials): void {
  const path = savedPath(dataDir)
  writeFileSync(`${path}.next`, JSON.stringify(saved), { mode: 0o600 })
  renameSync(`${path}.next`, path)
}

const isLasting = (expirySeconds: number) => expirySeconds - Date.now() / 1_000 > LEFT_SECONDS_MIN

async function isGood(rest: Rest, expirySeconds: number): Promise<boolean> {
  if (!isLasting(expirySeconds)) return false
  try {
    await rest.call('GET /api-keys')
    return true
  } catch (error) {
    if (error instanceof RefusedError && error.retryAfterMs === undefined) return false
    throw error
  }
}

/** Allows the venue to cancel for the account: the key signs once a month, the venue sends it. */
async function allowCanceller(rest: Rest, venue: SigningVenue, credentials: Credentials) {
  const { account, signingKey } = credentials
  const { cancellers } = await rest.call('GET /account/cancellers')
  const allowed = cancellers.find(({ is_venue }) => is_venue)
  if (allowed !== undefined && isLasting(Number(allowed.expiry))) return
  await allowVenueToCancel(rest, venue, { signer: privateKeyToAccount(signingKey), account })
}

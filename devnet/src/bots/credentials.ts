// Gets the traders what bots need to trade: a signing key that stands on the chain, an API key, and
// the account's word that the venue may cancel. Kept in DATA_DIR, so that a restart asks for none.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex, TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { registerWallet } from '../registration.ts'
import { derivePrivateKey } from '../wallet-keys.ts'
import { type ApiKey, VenueClient, VenueRefusal } from './venue-client.ts'

export type Credentials = Readonly<{
  /** Address of the wallet, which is the account. */
  account: string
  apiKey: ApiKey
  signingKey: Hex
}>

/** Where the traders are registered. */
export type Registry = Readonly<{
  apiUrl: string
  dataDir: string
  chainId: number
  domainName: string
  accountsContract: string
}>

/** Signing keys are accounts of the mnemonic too, this far after their wallets. */
const SIGNING_KEYS_AFTER = 100
const DAY_SECONDS = 24 * 3600
/** The contract cuts a key's life to 30 days. */
const KEY_SECONDS = 29 * DAY_SECONDS
/** Whatever ends sooner is asked for anew. */
const LEFT_SECONDS_MIN = 2 * DAY_SECONDS
const POLL_MS = 200
const DONE_WITHIN_MS = 30_000

type Saved = Readonly<Record<string, Readonly<{ apiKey: ApiKey; expirySeconds: number }>>>

const savedPath = (dataDir: string) => join(dataDir, 'traders.json')

/** Returns what the wallet number `index` of the mnemonic trades with. */
export async function getCredentials(registry: Registry, index: number): Promise<Credentials> {
  const signingKey = derivePrivateKey(index + SIGNING_KEYS_AFTER)
  const known = readSaved(registry)[index]
  const { account, apiKey } =
    known !== undefined && (await isGood(registry, known))
      ? { apiKey: known.apiKey, account: await accountOf(registry, known.apiKey) }
      : await register(registry, index, signingKey)
  const credentials = { account, apiKey, signingKey }
  await allowCanceller(registry, credentials)
  return credentials
}

/** Forgets what the venue no longer takes: the next call registers anew. */
export const forgetCredentials = ({ dataDir }: Pick<Registry, 'dataDir'>): void => save(dataDir, {})

function readSaved({ dataDir }: Registry): Saved {
  try {
    return JSON.parse(readFileSync(savedPath(dataDir), 'utf8')) as Saved
  } catch {
    return {}
  }
}

/** Whoever is killed leaves the old file or the new one: secrets are given only once. */
function save(dataDir: string, saved: Saved): void {
  const path = savedPath(dataDir)
  writeFileSync(`${path}.next`, JSON.stringify(saved), { mode: 0o600 })
  renameSync(`${path}.next`, path)
}

async function isGood({ apiUrl }: Registry, { apiKey, expirySeconds }: Saved[string]) {
  if (expirySeconds - Date.now() / 1_000 < LEFT_SECONDS_MIN) return false
  try {
    await new VenueClient(apiUrl, apiKey).ask('GET', '/api-keys')
    return true
  } catch (error) {
    if (error instanceof VenueRefusal && error.retryAfterMs === undefined) return false
    throw error
  }
}

async function accountOf({ apiUrl }: Registry, apiKey: ApiKey): Promise<string> {
  const { account } = await new VenueClient(apiUrl, apiKey).ask<Cancellers>('GET', CANCELLERS)
  return account
}

async function register(registry: Registry, index: number, signingKey: Hex) {
  const { apiUrl, chainId, domainName, accountsContract } = registry
  const expirySeconds = Math.floor(Date.now() / 1_000) + KEY_SECONDS
  const registered = await registerWallet({
    apiUrl,
    chainId,
    domainName,
    index,
    expirySeconds,
    signingPrivateKey: signingKey,
    accountsContract,
  })
  const apiKey = { key: registered.apiKey, secret: registered.apiSecret }
  await onChain(new VenueClient(apiUrl, apiKey))
  save(registry.dataDir, { ...readSaved(registry), [index]: { apiKey, expirySeconds } })
  return { account: registered.account, apiKey }
}

type Keys = Readonly<{ on_chain: readonly Readonly<{ status: string; reason?: string }>[] }>

/** Waits until the chain has the newest signing key. */
async function onChain(client: VenueClient): Promise<void> {
  const deadlineMs = Date.now() + DONE_WITHIN_MS
  while (Date.now() < deadlineMs) {
    const [newest] = (await client.ask<Keys>('GET', '/api-keys')).on_chain
    if (newest?.status === 'done') return
    if (newest?.status === 'failed') throw new Error(`the key is not taken: ${newest.reason}`)
    await sleep(POLL_MS)
  }
  throw new Error('the key is not on the chain in time')
}

const CANCELLERS = '/account/cancellers'
type Cancellers = Readonly<{
  account: string
  cancellers: readonly Readonly<{ expiry: string; is_venue: boolean }>[]
  allow: Readonly<{ expiry: string; typed_data: TypedDataDefinition }> | null
  on_chain: Readonly<{ expiry: string; status: string; reason: string | null }> | null
}>

/** Lets the venue cancel for the account: the key signs it once a month, the venue sends it. */
async function allowCanceller({ apiUrl }: Registry, { apiKey, signingKey }: Credentials) {
  const client = new VenueClient(apiUrl, apiKey)
  const deadlineMs = Date.now() + DONE_WITHIN_MS
  for (let asked: string | undefined; Date.now() < deadlineMs; await sleep(POLL_MS)) {
    const { cancellers, allow, on_chain: sent } = await client.ask<Cancellers>('GET', CANCELLERS)
    const venue = cancellers.find(({ is_venue }) => is_venue)
    if (venue !== undefined && Number(venue.expiry) - Date.now() / 1_000 > LEFT_SECONDS_MIN) return
    if (allow === null) throw new Error('the venue cancels for nobody')
    if (asked === undefined) {
      const signature = await privateKeyToAccount(signingKey).signTypedData(allow.typed_data)
      await client.ask('POST', CANCELLERS, { expiry: allow.expiry, signature })
      asked = allow.expiry
    } else if (sent?.expiry === asked && sent.status === 'failed')
      throw new Error(`the venue is not allowed to cancel: ${sent.reason}`)
  }
  throw new Error('the venue is not allowed to cancel in time')
}

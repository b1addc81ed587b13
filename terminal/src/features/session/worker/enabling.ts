// Enables trading: registers a key at the venue and on the chain, and allows the venue to cancel.
// Each step first checks what exists, so that a reload repeats nothing.
import { type ApiKey, AuthError, RefusedError, type Rest } from 'openvenue'
import {
  allowVenueToCancel,
  type Hex,
  register,
  type Signer,
  type SigningVenue,
} from 'openvenue/signing'
import { generatePrivateKey } from 'viem/accounts'
import * as text from '../text.ts'
import { keySigner } from './key-signer.ts'
import type { SavedKeys, UnfinishedKeys } from './saved-account.ts'

const KEY_SECONDS = 7 * 24 * 60 * 60
const DAY_SECONDS = 24 * 60 * 60
const MS_PER_SECOND = 1000
const ASK_MS = 250
const CHAIN_MS_MAX = 30_000

/** The venue and wallet, and the storage of unfinished steps. */
export type EnablingParts = Readonly<{
  /** A client without a key. */
  rest: Rest
  venue: SigningVenue
  signer: Signer
  begun: () => UnfinishedKeys | undefined
  save: (begun: UnfinishedKeys) => Promise<void>
}>

/**
 * Registers a key, or continues an unfinished registration. Keys are saved before the wallet signs
 * for them, and the API key as soon as it exists, so that a later failure loses none of it.
 */
export async function registerOnce(parts: EnablingParts): Promise<SavedKeys> {
  const begun = await liveBegun(parts)
  if (begun.apiKey !== undefined && (await isOnChain(parts.rest, begun)))
    return { ...begun, apiKey: begun.apiKey }
  const { signingKey, expirySeconds } = begun
  const key = keySigner(signingKey)
  const onApiKey = (made: ApiKey) => parts.save({ ...begun, apiKey: made })
  const registration = { wallet: parts.signer, key, expirySeconds }
  const apiKey = await register(parts.rest, parts.venue, registration, { onApiKey })
  return { ...begun, apiKey }
}

async function liveBegun({ begun, save }: EnablingParts): Promise<UnfinishedKeys> {
  const keys = begun()
  const now = nowSeconds()
  if (keys !== undefined && keys.expirySeconds > now + DAY_SECONDS) return keys
  const fresh: UnfinishedKeys = {
    signingKey: generatePrivateKey(),
    expirySeconds: now + KEY_SECONDS,
    apiKey: undefined,
  }
  await save(fresh)
  return fresh
}

/** Returns true if the key is on the chain; waits while it is being relayed. */
async function isOnChain(rest: Rest, { apiKey, signingKey }: UnfinishedKeys): Promise<boolean> {
  const keyed = rest.withKey(apiKey)
  const address = addressOf(signingKey)
  try {
    return await relayed(async () => {
      const { on_chain: onChain } = await keyed.call('GET /api-keys')
      return onChain.find(({ signing_key: key }) => key === address)
    })
  } catch (error) {
    // The venue no longer accepts the API key, so another one is created.
    if (error instanceof AuthError) return false
    throw error
  }
}

/** Allows the venue to cancel, unless it may already or the permission is being relayed. */
export async function allowCancelOnce(rest: Rest, { venue, signer }: EnablingParts): Promise<void> {
  const read = () => rest.call('GET /account/cancellers')
  const { cancellers, venue_canceller: canceller } = await read()
  const until = cancellers.find((entry) => entry.canceller === canceller)?.expiry
  if (until !== undefined && Number(until) > nowSeconds() + DAY_SECONDS) return
  if (await relayed(async () => livePermission((await read()).on_chain))) return
  try {
    await allowVenueToCancel(rest, venue, { signer })
  } catch (error) {
    // The account has revoked the permission; only its wallet can grant it again.
    if (!isRefusedByChain(error)) throw error
  }
}

/** Returns true if the contract of accounts rejected a message. */
export const isRefusedByChain = (error: unknown): boolean =>
  error instanceof RefusedError && error.code === 'ON_CHAIN_REFUSED'

const livePermission = (
  relay: (RelayState & Readonly<{ expiry: string }>) | null,
): RelayState | undefined =>
  relay !== null && Number(relay.expiry) > nowSeconds() + DAY_SECONDS ? relay : undefined

type RelayState = Readonly<{ status: 'pending' | 'sent' | 'done' | 'failed' }>

/** Waits for a relayed message. False if it was not relayed, or was given up. */
async function relayed(read: () => Promise<RelayState | undefined>): Promise<boolean> {
  const deadlineMs = performance.now() + CHAIN_MS_MAX
  while (performance.now() < deadlineMs) {
    const status = (await read())?.status
    if (status === 'done') return true
    if (status === undefined || status === 'failed') return false
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
  }
  throw new Error(text.notConfirmed)
}

const addressOf = (key: Hex): string => keySigner(key).address.toLowerCase()

const nowSeconds = (): number => Math.floor(Date.now() / MS_PER_SECOND)

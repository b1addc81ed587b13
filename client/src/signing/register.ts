// Registers a key, allows the venue to cancel, and waits until both are on the chain.
import { OpenvenueError } from '../errors.ts'
import type { ApiKey } from '../hmac.ts'
import { checkInput, isAnything, isFunction, type MemberChecks, wholeFrom } from '../input.ts'
import type { Rest } from '../rest/rest.ts'
import { wait } from '../wait.ts'
import { type NewRegistration, signCanceller, signRegistration } from './accounts.ts'
import { isHexAddress, isSigner } from './checks.ts'
import type { Address, Signer } from './typed-data.ts'
import type { SigningVenue } from './venue.ts'

/** Polling interval while waiting for the chain. */
const ASK_MS = 250
/** Default limit of the wait for the chain. */
const CHAIN_MS_MAX = 30_000

/** Options of calls that wait for the chain. */
export type ChainWait = Readonly<{
  signal?: AbortSignal
  /** Milliseconds; 30,000 by default. */
  timeoutMs?: number
}>

/** Options of {@link register}. */
export type RegisterOptions = ChainWait &
  Readonly<{
    /**
     * Called with the API key as soon as it exists, before the signing key is on the chain: store
     * it there, so that it survives a failure of the wait.
     */
    onApiKey?: (apiKey: ApiKey) => void | Promise<void>
  }>

const WAIT: MemberChecks<ChainWait> = {
  signal: [isAnything],
  timeoutMs: [wholeFrom(0, Number.MAX_SAFE_INTEGER)],
}
const OPTIONS: MemberChecks<RegisterOptions> = { ...WAIT, onApiKey: [isFunction] }

/**
 * Registers a signing key and returns the new API key once the signing key is on the chain (at once
 * if `onChain` is false). The secret is returned only this once.
 *
 * @example
 * const key = privateKeyToAccount(generatePrivateKey())
 * const apiKey = await register(rest, venue, { wallet, key })
 * const accountRest = rest.withKey(apiKey)
 */
export async function register(
  rest: Rest,
  venue: SigningVenue,
  registration: NewRegistration,
  options: RegisterOptions = {},
): Promise<ApiKey> {
  checkInput(options, OPTIONS)
  const { signal } = options
  const body = await signRegistration(venue, registration)
  const answer = await rest.call('POST /register', { body }, { signal })
  const { api_key: key, api_secret: secret } = answer
  if (key === undefined || secret === undefined)
    throw new OpenvenueError('POST /register gave no API key')
  const apiKey = { key, secret }
  await options.onApiKey?.(apiKey)
  if (registration.onChain === false) return apiKey
  const accountRest = rest.withKey(apiKey)
  const signingKey = registration.key.address.toLowerCase()
  await chainHas(options, async () => {
    const { on_chain } = await accountRest.call('GET /api-keys', {}, { signal })
    return on_chain.find(({ signing_key }) => signing_key === signingKey)
  })
  return apiKey
}

/** Signer of the grant, and the account if the signer is its key. */
export type CancelGrant = Readonly<{ signer: Signer; account?: Address }>
const GRANT: MemberChecks<CancelGrant> = { signer: isSigner, account: [isHexAddress] }

/**
 * Allows the venue to cancel, and only to cancel, for the account of `rest`'s key: cancels need no
 * signature from then on. Returns once the grant is on the chain.
 */
export async function allowVenueToCancel(
  rest: Rest,
  venue: SigningVenue,
  grant: CancelGrant,
  options: ChainWait = {},
): Promise<void> {
  checkInput(grant, GRANT)
  checkInput(options, WAIT)
  const { signer, account = signer.address } = grant
  const { signal } = options
  const read = () => rest.call('GET /account/cancellers', {}, { signal })
  const { venue_canceller: canceller, allow } = await read()
  if (canceller === null || allow === null) throw new OpenvenueError('the venue has no canceller')
  const terms = { canceller, expirySeconds: Number(allow.expiry), account }
  const body = await signCanceller(venue, signer, terms)
  await rest.call('POST /account/cancellers', { body }, { signal })
  await chainHas(options, async () => {
    const { on_chain } = await read()
    return on_chain?.expiry === body.expiry ? on_chain : undefined
  })
}

/** Polls until the signed message is on the chain. Throws if it failed, or after the time limit. */
async function chainHas(
  { signal, timeoutMs = CHAIN_MS_MAX }: ChainWait,
  read: () => Promise<Readonly<{ status: string; reason: string | null }> | undefined>,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const relayed = await read()
    if (relayed?.status === 'done') return
    if (relayed?.status === 'failed')
      throw new OpenvenueError(`the transaction failed: ${relayed.reason}`)
    if (performance.now() > deadlineMs)
      throw new OpenvenueError(`not on the chain after ${timeoutMs} ms`)
    await wait(ASK_MS, signal)
  }
}

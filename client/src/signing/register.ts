// Registers a key, lets the venue cancel, and waits until the chain has both.
import { OpenvenueError } from '../errors.ts'
import type { ApiKey } from '../hmac.ts'
import { checkInput, isAnything, isFunction, type Members, wholeFrom } from '../input.ts'
import type { Rest } from '../rest/rest.ts'
import { wait } from '../waiting.ts'
import { type NewRegistration, signCanceller, signRegistration } from './accounts.ts'
import { isHexAddress, isSigner } from './checks.ts'
import type { Address, Signer } from './typed-data.ts'
import type { SigningVenue } from './venue.ts'

/** How often the venue is asked whether the chain has it. */
const ASK_MS = 250
/** Unless given, the chain has so long. */
const CHAIN_MS_MAX = 30_000

/** Of what waits for the chain. */
export type ChainWait = Readonly<{
  signal?: AbortSignal
  /** Milliseconds; 30,000 unless given. */
  timeoutMs?: number
}>

/** Of a registration. */
export type RegisterOptions = ChainWait &
  Readonly<{
    /**
     * Hears of the API key as soon as there is one, before the chain has the signing key: whoever
     * keeps it then loses nothing when the wait fails.
     */
    onApiKey?: (apiKey: ApiKey) => void | Promise<void>
  }>

const WAIT: Members<ChainWait> = {
  signal: [isAnything],
  timeoutMs: [wholeFrom(0, Number.MAX_SAFE_INTEGER)],
}
const OPTIONS: Members<RegisterOptions> = { ...WAIT, onApiKey: [isFunction] }

/**
 * Registers a signing key and returns the new API key, once the chain knows the signing key (unless
 * `onChain` is false). The secret is given this once.
 *
 * @example
 * const key = privateKeyToAccount(generatePrivateKey())
 * const apiKey = await register(rest, venue, { wallet, key })
 * const own = rest.withKey(apiKey)
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
  const own = rest.withKey(apiKey)
  const signingKey = registration.key.address.toLowerCase()
  await chainHas(options, async () => {
    const { on_chain } = await own.call('GET /api-keys', {}, { signal })
    return on_chain.find(({ signing_key }) => signing_key === signingKey)
  })
  return apiKey
}

/** Whose cancels the venue may send. `account` is for a key of it. */
export type CancelGrant = Readonly<{ signer: Signer; account?: Address }>
const GRANT: Members<CancelGrant> = { signer: isSigner, account: [isHexAddress] }

/**
 * Lets the venue cancel for the account of `rest`'s key, which is all that it can do then: cancels
 * need no signature after that. Returns once the chain has it. `account` is for a key of it.
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
  if (canceller === null || allow === null)
    throw new OpenvenueError('the venue has nobody who cancels')
  const terms = { canceller, expirySeconds: Number(allow.expiry), account }
  const body = await signCanceller(venue, signer, terms)
  await rest.call('POST /account/cancellers', { body }, { signal })
  await chainHas(options, async () => {
    const { on_chain } = await read()
    return on_chain?.expiry === body.expiry ? on_chain : undefined
  })
}

type Relayed = Readonly<{ status: string; reason: string | null }>

/** Asks until the chain has what was signed. Throws when it is given up, or after the time. */
async function chainHas(
  { signal, timeoutMs = CHAIN_MS_MAX }: ChainWait,
  read: () => Promise<Relayed | undefined>,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const relayed = await read()
    if (relayed?.status === 'done') return
    if (relayed?.status === 'failed')
      throw new OpenvenueError(`the chain did not take it: ${relayed.reason}`)
    if (performance.now() > deadlineMs)
      throw new OpenvenueError(`the chain has had ${timeoutMs} ms and does not have it`)
    await wait(ASK_MS, signal)
  }
}

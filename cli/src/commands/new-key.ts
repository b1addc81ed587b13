// Command `keys new`: creates a signing key and an API key and writes them to the network's file.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, type SigningVenue, signRegistration } from 'openvenue/signing'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { timesNs, words } from '../columns.ts'
import { type CommandSpec, option } from '../command.ts'
import { type Credentials, writeCredentials } from '../credentials.ts'
import { ChainError, CredentialError, UsageError } from '../exit-codes.ts'
import { parseAddress, wholeNumber } from '../parse.ts'
import type { Session } from '../session.ts'
import { showPlan } from './order-plan.ts'

const DAYS = 7
const DAYS_MAX = 30
const DAY_SECONDS = 24 * 3600
const MS_PER_SECOND = 1000
const NS_PER_SECOND = 1_000_000_000n
const POLL_MS = 250
/** Time limit for the signing key to reach the chain, which normally takes seconds. */
const ON_CHAIN_MS_MAX = 60_000

type NewKeyOptions = Readonly<{ days?: number; account?: Address; invite?: string }> &
  Readonly<Partial<Record<'createWallet' | 'hmac' | 'force', boolean>>>

/** Printed result; contains no secret. */
type NewKeyRow = Readonly<{ account: string; signing_key: string; expires_timestamp: string }> &
  Readonly<{ on_chain: string; file: string }>
const MADE = [
  words('account', (made: NewKeyRow) => made.account),
  words('signing_key', (made: NewKeyRow) => made.signing_key),
  timesNs('expires_timestamp', (made: NewKeyRow) => made.expires_timestamp, {
    title: 'expires (UTC)',
  }),
  words('on_chain', (made: NewKeyRow) => made.on_chain),
  words('file', (made: NewKeyRow) => made.file),
]

export const newKey: CommandSpec = {
  name: 'new',
  summary: "create a signing key and an API key in the network's file",
  options: [
    option('--days <count>', `lifetime of the keys; ${DAYS} by default, ${DAYS_MAX} at most`, {
      parse: wholeNumber(1, DAYS_MAX),
    }),
    option('--account <address>', 'sub-account of the wallet', { parse: parseAddress }),
    option('--create-wallet', 'create a wallet too: for testing, not for real funds'),
    option('--hmac', 'API key that signs requests: its secret is never sent'),
    option('--invite <code>', 'invite code, if the venue requires one'),
    option('--force', 'replace the keys of the file'),
  ],
  examples: ['openvenue keys new --days 30', 'openvenue keys new --create-wallet'],
  changes: true,
  run: async (session, { options }) => {
    const venue = await session.venue()
    const keys = await newKeys(session, options as NewKeyOptions)
    if (session.isDryRun) return showRegistration(session, venue, keys)
    const credentials = await registerKeys(session, venue, keys)
    // Written before anything else can fail: the secret is returned only once.
    const { path } = await session.place()
    await writeCredentials(path, credentials)
    const answer = { ...madeOf(keys), file: path }
    session.output.note(`written: ${path}`, 'dim')
    const on_chain = await broughtToChain(session, credentials, keys.key.address)
    session.output.facts({ ...answer, on_chain }, { ...answer, on_chain }, MADE)
  },
}

type NewKeys = Readonly<{
  wallet: PrivateKeyAccount
  key: PrivateKeyAccount
  account: Address
  expirySeconds: number
  /** Keys to write to the file besides the API key. */
  secrets: Credentials
  hmac: boolean
  inviteCode: string | undefined
}>

async function newKeys(session: Session, options: NewKeyOptions): Promise<NewKeys> {
  const { file = {}, path } = await session.place()
  const { days = DAYS, force, createWallet, hmac = false, invite } = options
  if (createWallet === true && file.wallet_key !== undefined)
    throw new UsageError(`--create-wallet: ${path} already has a wallet, which is never replaced`)
  if (file.api_key !== undefined && force !== true)
    throw new UsageError(`${path} already has an API key: pass --force to replace it`)
  const walletKey = createWallet === true ? generatePrivateKey() : undefined
  const wallet = walletKey === undefined ? await session.wallet() : privateKeyToAccount(walletKey)
  const signing_key = generatePrivateKey()
  return {
    wallet,
    key: privateKeyToAccount(signing_key),
    account: options.account ?? wallet.address,
    expirySeconds: Math.floor(Date.now() / MS_PER_SECOND) + days * DAY_SECONDS,
    secrets: { signing_key, ...(walletKey !== undefined && { wallet_key: walletKey }) },
    hmac,
    inviteCode: invite,
  }
}

/** Registers the keys and returns the new content of the file. */
async function registerKeys(
  session: Session,
  venue: SigningVenue,
  { wallet, key, account, expirySeconds, secrets, hmac, inviteCode }: NewKeys,
): Promise<Credentials> {
  const body = await signRegistration(venue, {
    wallet,
    key,
    account,
    expirySeconds,
    hmac,
    ...(inviteCode !== undefined && { inviteCode }),
  })
  const rest = await session.publicRest()
  const { api_key, api_secret } = await rest.call('POST /register', { body })
  if (api_key === undefined || api_secret === undefined)
    throw new CredentialError('the venue returned no API key')
  const { url, file } = await session.place()
  const rpc = session.selection.rpc ?? file?.rpc
  return {
    ...file,
    ...secrets,
    account,
    api_key,
    api_secret,
    api_key_signs: hmac,
    url,
    ...(rpc !== undefined && { rpc }),
    chain_id: venue.info.network.chain_id,
    contracts: venue.contracts,
  }
}

/** Waits until the signing key is on the chain; returns the final status. */
async function broughtToChain(
  session: Session,
  { api_key: key = '', api_secret: secret = '', api_key_signs: signs = false }: Credentials,
  signingKey: string,
): Promise<string> {
  const rest = (await session.publicRest()).withKey({ key, secret, signs })
  const deadlineMs = performance.now() + ON_CHAIN_MS_MAX
  while (performance.now() < deadlineMs) {
    const { on_chain } = await rest.call('GET /api-keys')
    const registration = on_chain.find((key) => key.signing_key === signingKey.toLowerCase())
    if (registration?.status === 'done') return registration.status
    if (registration?.status === 'failed')
      throw new ChainError(`registration of the signing key failed: ${registration.reason}`)
    await sleep(POLL_MS, undefined, { signal: session.host.signal })
  }
  return 'pending'
}

const madeOf = ({ account, key, expirySeconds }: NewKeys) => ({
  account,
  signing_key: key.address,
  expires_timestamp: (BigInt(expirySeconds) * NS_PER_SECOND).toString(),
})

/** The key of a dry run is discarded: another run creates another key. */
function showRegistration(session: Session, venue: SigningVenue, keys: NewKeys): void {
  const { account, key, expirySeconds, wallet } = keys
  const message = { account, key: key.address, expiry: expirySeconds }
  const chain = { contract: venue.accounts, ...message }
  showPlan(session, [
    {
      what: 'signature of the wallet',
      to: 'Register',
      body: { ...message, wallet: wallet.address },
    },
    { what: 'signature of the key', to: 'SignKey', body: { account } },
    { what: 'signature of the wallet', to: 'RegisterKey', body: chain },
    { what: 'signature of the key', to: 'AcceptKey', body: chain },
    { what: 'request', to: 'POST /register', body: message },
  ])
}

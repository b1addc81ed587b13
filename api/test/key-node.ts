// A node without market data over a store's identities, and wallets that register at it: for tests
// of registration and keys.
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import type { FastifyBaseLogger } from 'fastify'
import { hashTypedData } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Host } from '../src/http/host-type.ts'
import type { EthCall } from '../src/identity/eth-call.ts'
import {
  acceptKeyData,
  registerData,
  registerForData,
  registerKeyData,
  signKeyData,
  type TypedData,
} from '../src/identity/typed-data.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import { ACCOUNT_SETTINGS, type AccountSettings } from '../src/node/account-settings.ts'
import { type ApiHostDeps, createApiHost } from '../src/node/api-host.ts'
import { BROKEN_ACCOUNTS, BROKEN_READER } from './scenario-node.ts'

/** A contract of accounts. */
export const CONTRACT = `0x${'ac'.repeat(20)}`
export const NOW_MS = 1_800_000_000_000
export const NOW_SECONDS = NOW_MS / 1000

type Options = Readonly<{
  settings?: Partial<AccountSettings>
  call?: EthCall
  identity?: Store['identity']
  history?: Store['history']
  keyRelays?: Store['keyRelays']
  rates?: Partial<ApiHostDeps['rates']>
  logger?: FastifyBaseLogger
  logsRequests?: boolean
}>

export type KeyNode = Readonly<{
  host: Host
  store: Store
  /** Sets the clock, which begins at NOW_MS. */
  setNowMs: (ms: number) => void
  send: (request: InjectedRequest) => Promise<Reply>
  /** Registers a new wallet, or the one given. */
  register: (given?: RegistrationInput) => Promise<Reply>
  close: () => Promise<void>
}>

type InjectedRequest = Readonly<{
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
}>

export type Reply = Readonly<{
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what comes
  body: any
  headers: Readonly<Record<string, unknown>>
}>

/** Opens a node on `store`, or on a new one that it closes. */
export async function keyNode(options: Options = {}, given?: Store): Promise<KeyNode> {
  const store = given ?? (await openMemoryStore())
  let nowMs = NOW_MS
  const host = await createApiHost({
    model: new VenueModel(),
    reader: BROKEN_READER,
    accounts: {
      ...BROKEN_ACCOUNTS,
      identity: options.identity ?? store.identity,
      history: options.history ?? store.history,
      keyRelays: options.keyRelays ?? store.keyRelays,
      ...(options.call === undefined ? {} : { call: options.call }),
      settings: { ...ACCOUNT_SETTINGS, ...options.settings },
    },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    probes: { redis: refuse, rpc: refuse, indexer: refuse },
    options: { environment: 'test', version: '0', marketsCacheMs: 0, readyCacheMs: 0 },
    rates: { consume: refuse, publicRate: undefined, proxyHops: 1, ...options.rates },
    corsOrigins: ['*'],
    ...(options.logger === undefined ? {} : { logger: options.logger }),
    logsRequests: options.logsRequests === true,
  })
  const send = async ({
    method = 'GET',
    url,
    headers = {},
    body,
  }: InjectedRequest): Promise<Reply> => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const sent = payload === undefined ? {} : { payload }
    const answer = await host.inject({ method, url, headers: { ...type, ...headers }, ...sent })
    const { statusCode: status, body: text } = answer
    return { status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    host,
    store,
    setNowMs: (ms) => {
      nowMs = ms
    },
    send,
    register: async (wanted) =>
      send({ method: 'POST', url: '/register', body: await registrationBody(wanted) }),
    close: async () => {
      await host.close()
      if (given === undefined) await store.close()
    },
  }
}

const refuse = () => Promise.reject(new Error('it does not answer'))

export type RegistrationInput = Readonly<{
  wallet?: PrivateKeyAccount
  /** Address to register, if not the wallet's own. */
  account?: string
  /** The account is a sub-account of the wallet. */
  isSub?: boolean
  signingKey?: PrivateKeyAccount
  expiry?: bigint
  domainName?: string
  chainId?: number
  /** Verifying contract of the on-chain messages. */
  contract?: string
  /** Members to add or replace. */
  members?: Readonly<Record<string, unknown>>
}>

export const newWallet = () => privateKeyToAccount(generatePrivateKey())

/** Returns the typed data to sign for a registration. */
export function makeTypedData(
  given: RegistrationInput & { account: string; signingKey: PrivateKeyAccount },
) {
  const { expiry = BigInt(NOW_SECONDS + 3600), account, signingKey } = given
  const { domainName: name = ACCOUNT_SETTINGS.domainName } = given
  const domain = { name, version: '1', chainId: given.chainId ?? ACCOUNT_SETTINGS.chainId }
  const onChain = { ...domain, verifyingContract: given.contract ?? CONTRACT }
  const key = signingKey.address.toLowerCase()
  const grant = { account: account.toLowerCase(), key, expiry }
  return {
    register: given.isSub ? registerForData(domain, grant) : registerData(domain, key, expiry),
    signKey: signKeyData(domain, grant.account),
    registerKey: registerKeyData(onChain, grant),
    acceptKey: acceptKeyData(onChain, grant),
  }
}

export const hashData = (data: TypedData) => hashTypedData(data as never)

/**
 * Returns a signed registration body with the values of `given`, also for the chain if set;
 * everything else is new.
 */
export async function registrationBody(
  given: RegistrationInput = {},
): Promise<Record<string, unknown>> {
  const { wallet = newWallet(), signingKey = newWallet(), expiry, members } = given
  const account = given.account ?? wallet.address
  const { register, signKey, registerKey, acceptKey } = makeTypedData({
    ...given,
    account,
    signingKey,
  })
  const forChain =
    members?.on_chain === true
      ? {
          chain_account_signature: await wallet.sign({ hash: hashData(registerKey) }),
          chain_signing_key_signature: await signingKey.sign({ hash: hashData(acceptKey) }),
        }
      : {}
  return {
    account,
    signing_key: signingKey.address,
    expiry: (expiry ?? BigInt(NOW_SECONDS + 3600)).toString(),
    account_signature: await wallet.sign({ hash: hashData(register) }),
    signing_key_signature: await signingKey.sign({ hash: hashData(signKey) }),
    ...forChain,
    ...members,
  }
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Returns the equivalent ECDSA signature with the other s. */
export function highS(signature: string): string {
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
  const other = (ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
  return `0x${r}${other}${v === '1b' ? '1c' : '1b'}`
}

/** Returns the headers of the key in a registration's answer. */
export const headersOf = ({ body }: Reply) => ({
  'api-key': String(body.api_key),
  'api-secret': String(body.api_secret),
})

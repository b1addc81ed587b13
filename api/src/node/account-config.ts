// The environment of accounts, keys and sockets.
import { parseDecimal } from '@openvenue/core/units'
import {
  ConfigInvalid,
  type Environment,
  invalid,
  readChoice,
  readHttpUrl,
  readInteger,
  readNetwork,
} from '@openvenue/runtime/environment'
import { SecretSeal } from '../identity/secret-seal.ts'
import type { SocketSettings } from '../sockets/session/socket-settings.ts'
import { ACCOUNT_SETTINGS, type AccountSettings } from './account-settings.ts'
import { parseRate } from './rate-config.ts'

const CACHE_MS_MAX = 3_600_000
/** Bounds of a key's lifetime: at least that of a past expiry (interface 5.3), at most a year. */
const KEY_TTL_S = { min: 60, max: 366 * 24 * 3600 }
const COUNT_MAX = 1_000_000
/** A dead client keeps its resources, and its orders rest, until a ping fails. */
const PING_SECONDS_MAX = 300
const BYTES_MAX = 1024 * 1024 * 1024
const MEMORY_BYTES_MAX = 64 * BYTES_MAX
const BUDGET_MAX = 1_000_000_000
const BUDGET_DECIMALS = 6
/** Keys that seal secrets: the current one, and former ones. */
const SEALING_KEYS_MAX = 8
/** Former and next keys of receipts. */
const RECEIPT_ADDRESSES_MAX = 4
/** Longest name of a typed-data domain. */
const NAME_LENGTH_MAX = 100
/** Order of secp256k1: private keys are below it. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The possible states of trading, the network's default first. */
const TRADING = {
  live: ['live', 'coming_soon', 'cancel_only'],
  coming_soon: ['coming_soon', 'live', 'cancel_only'],
} as const

/** Returns the settings; throws `ConfigInvalid`, which names the variable. */
export function parseAccountSettings(env: Environment): AccountSettings {
  const settings = ACCOUNT_SETTINGS
  const network = readNetwork(env)
  const count = (name: string, absent: number) =>
    readInteger(env, name, { absent, min: 1, max: COUNT_MAX })
  return {
    chainId: readInteger(env, 'CHAIN_ID', { absent: network.chainId, min: 1 }),
    domainName: parseName(env, 'TYPED_DATA_DOMAIN', network.domainName),
    accountsContract: parseAddress(env, 'ACCOUNTS_ADDRESS'),
    cancellerAddress: parseAddress(env, 'CANCELLER_ADDRESS'),
    trading: readChoice(env, 'TRADING', TRADING[network.trading]),
    accountCacheMs: readInteger(env, 'ACCOUNT_CACHE_MS', {
      absent: settings.accountCacheMs,
      max: CACHE_MS_MAX,
    }),
    receiptKey: parsePrivateKey(env, 'RELAY_RECEIPT_KEY'),
    receiptAddresses: parseReceiptAddresses(env, 'RELAY_RECEIPT_ADDRESSES'),
    orderBudget: parseOrderBudget(env),
    keyTtlMaxSeconds: readInteger(env, 'API_KEY_TTL_MAX_S', {
      absent: settings.keyTtlMaxSeconds,
      ...KEY_TTL_S,
    }),
    keysPerAccountMax: count('API_KEYS_PER_ACCOUNT_MAX', settings.keysPerAccountMax),
    secretSeal: parseSeal(env, 'KEY_ENCRYPTION_KEY'),
    isInviteOnly: readChoice(env, 'INVITE_ONLY', ['false', 'true']) === 'true',
    headerBrands: parseBrands(env, 'LEGACY_HEADER_BRAND', settings.headerBrands),
    balancePointsMax: count('BALANCE_HISTORY_POINTS_MAX', settings.balancePointsMax),
    snapshotIntervalSeconds: count('EQUITY_SNAPSHOT_INTERVAL_S', settings.snapshotIntervalSeconds),
    sockets: parseSocketSettings(env),
    edge: parseEdge(env),
  }
}

/** `off` for the first variable: the venue pays for all orders. */
function parseOrderBudget(env: Environment): AccountSettings['orderBudget'] {
  const absent = ACCOUNT_SETTINGS.orderBudget
  if (env.RELAY_BUDGET_INITIAL === 'off') return undefined
  const initial = readInteger(env, 'RELAY_BUDGET_INITIAL', {
    absent: absent?.initial,
    max: BUDGET_MAX,
  })
  const name = 'RELAY_BUDGET_PER_USDC'
  const text = env[name] || undefined
  const perUsdc = text === undefined ? absent?.perUsdc : parseDecimal(text, BUDGET_DECIMALS)
  if (perUsdc === undefined || perUsdc < 0n)
    throw invalid(name, 'a number with up to six decimals', text ?? '')
  return { initial, perUsdc }
}

function parseEdge(env: Environment): AccountSettings['edge'] {
  const fullUrl = readHttpUrl(env, 'FULL_API_URL')
  return readChoice(env, 'API_ROLE', ['full', 'edge']) === 'edge' ? { fullUrl } : undefined
}

function parseSocketSettings(env: Environment): SocketSettings {
  const { sockets } = ACCOUNT_SETTINGS
  const { authPerConnection, authPerAddress } = sockets
  const count = (name: string, absent: number, max = COUNT_MAX) =>
    readInteger(env, name, { absent, min: 1, max })
  return {
    ...sockets,
    authPerConnection: {
      ...authPerConnection,
      points: count('WS_AUTH_PER_CONNECTION', authPerConnection.points),
    },
    authPerAddress: {
      ...authPerAddress,
      points: count('WS_AUTH_PER_IP', authPerAddress.points),
    },
    bufferBytesMax: count('WS_BUFFER_MAX', sockets.bufferBytesMax, BYTES_MAX),
    memoryBytesMax: count('WS_MEMORY_MAX', sockets.memoryBytesMax, MEMORY_BYTES_MAX),
    connectionsMax: count('WS_CONNECTIONS_MAX', sockets.connectionsMax),
    messagesPerConnection: parseRate(
      env,
      'WS_MESSAGES_PER_CONNECTION',
      sockets.messagesPerConnection,
    ),
    messagesPerAddress: parseRate(env, 'WS_MESSAGES_PER_IP', sockets.messagesPerAddress),
    connectionsPerAddressMax: count('WS_CONNECTIONS_PER_IP', sockets.connectionsPerAddressMax),
    subscriptionsMax: count('WS_SUBSCRIPTIONS_MAX', sockets.subscriptionsMax),
    perBlockMax: count('WS_PER_BLOCK_MAX', sockets.perBlockMax),
    idleSeconds: count('WS_IDLE_S', sockets.idleSeconds),
    pingSeconds: count('WS_PING_S', sockets.pingSeconds, PING_SECONDS_MAX),
  }
}

function parseName(env: Environment, name: string, absent: string): string {
  const text = env[name] || absent
  if (text.length > NAME_LENGTH_MAX)
    throw invalid(name, `a name of at most ${NAME_LENGTH_MAX} characters`, text)
  return text
}

function parseAddress(env: Environment, name: string): string | undefined {
  const text = env[name] || undefined
  if (text !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(text))
    throw invalid(name, 'an address: 0x and 40 hex digits', text)
  return text?.toLowerCase()
}

/** Their text never enters a message: a private key may be given in place of its address. */
function parseReceiptAddresses(env: Environment, name: string): readonly string[] {
  const addresses = (env[name] || undefined)?.split(',').map((text) => text.trim()) ?? []
  const isWell = addresses.every((text) => /^0x[0-9a-fA-F]{40}$/.test(text))
  if (!isWell || addresses.length > RECEIPT_ADDRESSES_MAX)
    throw new ConfigInvalid(
      `${name} is invalid: expected at most ${RECEIPT_ADDRESSES_MAX} comma-separated addresses, 0x and 40 hex digits`,
    )
  return addresses.map((text) => text.toLowerCase())
}

/** Its text never enters a message. */
function parsePrivateKey(env: Environment, name: string): `0x${string}` | undefined {
  const text = env[name] || undefined
  if (text === undefined) return undefined
  const key = /^0x[0-9a-f]{64}$/i.test(text) ? BigInt(text) : 0n
  if (key === 0n || key >= CURVE_ORDER)
    throw new ConfigInvalid(
      `${name} is invalid: expected a private key, 0x and 64 hex digits from 1 to the curve order`,
    )
  return text.toLowerCase() as `0x${string}`
}

/** Comma-separated keys, the newest first. None of their text enters a message. */
function parseSeal(env: Environment, name: string): SecretSeal | undefined {
  const texts = (env[name] || undefined)?.split(',').map((text) => text.trim())
  if (texts === undefined) return undefined
  const rule = 'comma-separated keys of 64 hex digits, the newest first'
  if (texts.length > SEALING_KEYS_MAX)
    throw new ConfigInvalid(
      `${name} has too many keys: got ${texts.length}, expected at most ${SEALING_KEYS_MAX}`,
    )
  if (texts.some((text) => !/^[0-9a-fA-F]{64}$/.test(text)))
    throw new ConfigInvalid(`${name} is invalid: expected ${rule}`)
  const [first, ...earlier] = texts.map((text) => Buffer.from(text, 'hex'))
  return new SecretSeal(first as Buffer, ...earlier)
}

/** Comma-separated words. */
function parseBrands(env: Environment, name: string, absent: readonly string[]): readonly string[] {
  const text = env[name] || undefined
  if (text === undefined) return absent
  const words = text.split(',').map((word) => word.trim().toUpperCase())
  const wrong = words.find((word) => !/^[A-Z][A-Z0-9]*$/.test(word))
  if (wrong !== undefined) throw invalid(name, 'comma-separated words of letters and digits', wrong)
  return words
}

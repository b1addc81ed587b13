// Variables of the environment, read into typed values. Every process of the venue opens the store,
// so what they all need to read their configuration stands here. Only a `main.ts` passes the
// environment in.
import { NETWORK_NAMES, NETWORKS, type Network, type NetworkName } from '@openvenue/core/networks'
import { parseDecimal } from '@openvenue/core/units'
import { INTENTS_KEPT_MS } from './intents.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A variable of the environment is not what it should be; the message names it and the rule. */
export class ConfigInvalid extends Error {
  override name = 'ConfigInvalid'
}

/** Returns the error that says what `name` should be. `text` must hold no secret. */
export const invalid = (name: string, rule: string, text: string | undefined) =>
  new ConfigInvalid(`${name} is ${rule} (it is ${text === undefined ? 'not set' : `"${text}"`})`)

const PORT_MAX = 65_535
export const LOG_LEVELS = ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent'] as const

/** `absent` undefined: the variable must be set. */
type Whole = Readonly<{ absent?: number | undefined; min?: number; max?: number }>

/** Returns a whole number from `min`, 0 by default, to `max`. */
export function readInteger(
  env: Environment,
  name: string,
  { absent, min = 0, max }: Whole,
): number {
  const text = env[name] || undefined
  if (text === undefined && absent !== undefined) return absent
  const value = Number(text)
  const isWhole = /^\d{1,15}$/.test(text ?? '') && value >= min && value <= (max ?? value)
  const from = min === 0 ? '' : ` from ${min}`
  const upTo = max === undefined ? '' : ` up to ${max}`
  if (!isWhole) throw invalid(name, `a whole number${from}${upTo}`, text)
  return Number(text)
}

export const readPort = (env: Environment, name: string, absent: number): number =>
  readInteger(env, name, { absent, max: PORT_MAX })

/** Returns one of `allowed`; the first stands for an absent variable. */
export function readChoice<T extends string>(
  env: Environment,
  name: string,
  allowed: readonly [T, ...T[]],
): T {
  const text = env[name] || allowed[0]
  const found = allowed.find((word) => word === text)
  if (found === undefined) throw invalid(name, `one of ${allowed.join(', ')}`, text)
  return found
}

/**
 * Returns the name and the presets of `NETWORK`, the devnet's where it is not set. What a client
 * has to know to pay for gas is as the environment says; each other member is read with the
 * variable that sets it, where it is used.
 */
export function readNetwork(env: Environment): Network & Readonly<{ name: NetworkName }> {
  const name = readChoice(env, 'NETWORK', NETWORK_NAMES)
  const preset = NETWORKS[name]
  const { symbol, decimals: absent } = preset.currency
  return {
    name,
    ...preset,
    faucetUrl: readHttpUrl(env, 'FAUCET_URL') ?? preset.faucetUrl,
    currency: {
      symbol: env.CURRENCY_SYMBOL || symbol,
      decimals: readInteger(env, 'CURRENCY_DECIMALS', { absent, max: CURRENCY_DECIMALS_MAX }),
    },
    feeFloorWei: readGwei(env, 'FEE_FLOOR_GWEI', preset.feeFloorWei),
    tipWei: readGwei(env, 'FEE_TIP_GWEI', preset.tipWei),
    isGasAsked: readChoice(env, 'GAS_ESTIMATES', preset.isGasAsked ? ON_OFF : OFF_ON) === 'on',
  }
}

const ON_OFF = ['on', 'off'] as const
const OFF_ON = ['off', 'on'] as const

/** No wallet shows more digits. */
const CURRENCY_DECIMALS_MAX = 36
const GWEI_DECIMALS = 9

/** Returns an amount of gwei in wei. */
function readGwei(env: Environment, name: string, absentWei: bigint): bigint {
  const text = env[name] || undefined
  const wei = text === undefined ? absentWei : parseDecimal(text, GWEI_DECIMALS)
  if (wei === undefined || wei < 0n) throw invalid(name, 'an amount of gwei, such as 20', text)
  return wei
}

/** A node on this machine, where neither the network nor the environment names another. */
const OWN_NODE = 'http://127.0.0.1:8545'

/** Returns the nodes of `RPC_URL`, or those of the network. */
export function readRpcUrls(env: Environment): readonly string[] {
  const { rpcUrls } = readNetwork(env)
  return readHttpUrls(env, 'RPC_URL') ?? (rpcUrls.length > 0 ? rpcUrls : [OWN_NODE])
}

/** Returns a URL of one of `protocols`. Its text never enters a message: it may hold a secret. */
export function readUrl(
  env: Environment,
  name: string,
  protocols: readonly string[],
): string | undefined {
  const text = env[name] || undefined
  if (text === undefined) return undefined
  if (!protocols.includes(URL.parse(text)?.protocol ?? ''))
    throw new ConfigInvalid(`${name} is a URL of ${protocols.join(' or ')}`)
  return text
}

/**
 * As `readUrl`. A user and password are refused: nothing can be fetched there, and the error that
 * says so would repeat them.
 */
export function readHttpUrl(env: Environment, name: string): string | undefined {
  const text = readUrl(env, name, ['http:', 'https:'])
  const url = URL.parse(text ?? '')
  if (url?.username || url?.password)
    throw new ConfigInvalid(`${name} is a URL without a user and password`)
  return text
}

/** More nodes of one chain are refused: each is polled, and asked in every dispute. */
export const ENDPOINTS_MAX = 8

/**
 * Returns the URLs that `name` lists with commas between them, each as `readUrl` has it. Their text
 * never enters a message.
 */
export function readUrls(
  env: Environment,
  name: string,
  protocols: readonly string[],
): readonly string[] | undefined {
  return readList(env, name, (one) => readUrl(one, name, protocols))
}

/** As `urlsOf`, each as `readHttpUrl` has it. */
export const readHttpUrls = (env: Environment, name: string): readonly string[] | undefined =>
  readList(env, name, (one) => readHttpUrl(one, name))

function readList(
  env: Environment,
  name: string,
  read: (env: Environment) => string | undefined,
): readonly string[] | undefined {
  const text = env[name] || undefined
  if (text === undefined) return undefined
  const urls = text.split(',').flatMap((part) => read({ [name]: part.trim() }) ?? [])
  if (urls.length === 0) throw new ConfigInvalid(`${name} is at least one URL`)
  if (urls.length > ENDPOINTS_MAX)
    throw new ConfigInvalid(`${name} is at most ${ENDPOINTS_MAX} URLs (it is ${urls.length})`)
  return urls
}

export type StoreConfig = Readonly<{
  /** Unset: the embedded database below `dataDir`. */
  databaseUrl: string | undefined
  databaseReadUrl: string | undefined
  redisUrl: string | undefined
  dataDir: string
  /** How long finished intents are kept. */
  intentsKeptMs: number
}>

const POSTGRES = ['postgres:', 'postgresql:']

/** Returns where the store and the cache are. */
export const readStoreConfig = (env: Environment): StoreConfig => ({
  databaseUrl: readUrl(env, 'DATABASE_URL', POSTGRES),
  databaseReadUrl: readUrl(env, 'DATABASE_READ_URL', POSTGRES),
  redisUrl: readUrl(env, 'REDIS_URL', ['redis:', 'rediss:']),
  dataDir: env.DATA_DIR || '.data',
  intentsKeptMs: readIntentsKept(env),
})

const MS = 1_000
const INTENTS_KEPT_SECONDS_MAX = 10 * 365 * 86_400

/** Returns how long finished intents are kept, milliseconds. */
export function readIntentsKept(env: Environment, absentMs = INTENTS_KEPT_MS): number {
  const range = { absent: absentMs / MS, min: 60, max: INTENTS_KEPT_SECONDS_MAX }
  return MS * readInteger(env, 'INTENTS_KEPT_S', range)
}

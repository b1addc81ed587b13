// Reads variables of the environment into typed values. Only a `main.ts` passes the environment in.
import { NETWORK_NAMES, NETWORKS, type Network, type NetworkName } from '@openvenue/core/networks'
import { parseDecimal } from '@openvenue/core/units'

export type Environment = Readonly<Record<string, string | undefined>>

/** A value of the configuration was refused; the message names it and the rule. */
export class ConfigInvalid extends Error {
  override name = 'ConfigInvalid'
}

/** Returns an error with the rule for `name` and its value, which must not be a secret. */
export function invalid(name: string, rule: string, value: unknown): ConfigInvalid {
  const fault = value === undefined ? 'not set:' : `invalid: got ${JSON.stringify(value)},`
  return new ConfigInvalid(`${name} is ${fault} expected ${rule}`)
}

const PORT_MAX = 65_535
export const LOG_LEVELS = ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent'] as const

/** `absent` undefined: the variable must be set. */
type IntegerBounds = Readonly<{ absent?: number | undefined; min?: number; max?: number }>

/** Returns a whole number from `min`, 0 by default, to `max`. */
export function readInteger(
  env: Environment,
  name: string,
  { absent, min = 0, max }: IntegerBounds,
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

/** Returns one of `allowed`; the first is the default. */
export function readChoice<T extends string>(
  env: Environment,
  name: string,
  allowed: readonly [T, ...T[]],
): T {
  const text = env[name] || allowed[0]
  const choice = allowed.find((word) => word === text)
  if (choice === undefined) throw invalid(name, `one of ${allowed.join(', ')}`, text)
  return choice
}

/**
 * Returns the name and presets of `NETWORK`, by default the devnet's. Members that clients need to
 * pay for gas are overridden by the environment here; others are where they are used.
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
    throw new ConfigInvalid(`${name} is invalid: expected a URL of ${protocols.join(' or ')}`)
  return text
}

/**
 * Returns an HTTP URL, like `readUrl`. A URL with a user and password is refused: `fetch` rejects
 * it with an error that repeats them.
 */
export function readHttpUrl(env: Environment, name: string): string | undefined {
  const text = readUrl(env, name, ['http:', 'https:'])
  const url = URL.parse(text ?? '')
  if (url?.username || url?.password)
    throw new ConfigInvalid(`${name} is invalid: expected a URL without a user and password`)
  return text
}

/** More nodes of one chain are refused: each is polled, and asked in every dispute. */
export const ENDPOINTS_MAX = 8

/**
 * Returns the comma-separated URLs in `name`, each checked like `readUrl`. Their text never enters
 * a message.
 */
export function readUrls(
  env: Environment,
  name: string,
  protocols: readonly string[],
): readonly string[] | undefined {
  return readList(env, name, (url) => readUrl(url, name, protocols))
}

export const readHttpUrls = (env: Environment, name: string): readonly string[] | undefined =>
  readList(env, name, (url) => readHttpUrl(url, name))

function readList(
  env: Environment,
  name: string,
  read: (env: Environment) => string | undefined,
): readonly string[] | undefined {
  const text = env[name] || undefined
  if (text === undefined) return undefined
  const urls = text.split(',').flatMap((part) => read({ [name]: part.trim() }) ?? [])
  if (urls.length === 0) throw new ConfigInvalid(`${name} is empty: expected at least one URL`)
  if (urls.length > ENDPOINTS_MAX) throw invalid(name, `at most ${ENDPOINTS_MAX} URLs`, urls.length)
  return urls
}

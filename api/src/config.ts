// The environment of an API node, parsed once.
import type { Rate } from './limits.ts'

export type Config = Readonly<{
  host: string
  port: number
  /** Name of the network. */
  environment: string
  rpcUrl: string
  indexerUrl: string
  databaseUrl: string
  databaseReadUrl: string | undefined
  redisUrl: string | undefined
  marketsCacheMs: number
  readyCacheMs: number
  /** Undefined: no limit. */
  publicRate: Rate | undefined
  proxyHops: number
  corsOrigins: readonly string[]
  logLevel: string
}>

/** A variable of the environment is not what it should be. */
export class ConfigInvalid extends Error {
  override name = 'ConfigInvalid'
}

type Environment = Readonly<Record<string, string | undefined>>

const NETWORKS = ['devnet', 'testnet', 'mainnet']
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const HTTP = ['http:', 'https:']
const POSTGRES = ['postgres:', 'postgresql:']
const PORT_MAX = 65_535
const CACHE_MS_MAX = 3_600_000
const PROXY_HOPS_MAX = 16

/** Returns the configuration; throws `ConfigInvalid`, which names the variable. */
export function parseConfig(env: Environment): Config {
  const indexerPort = whole(env, 'INDEXER_PORT', 3002, PORT_MAX)
  return {
    host: env.HOST || '127.0.0.1',
    port: whole(env, 'PORT', 3000, PORT_MAX),
    environment: oneOf(env, 'NETWORK', NETWORKS, 'devnet'),
    rpcUrl: url(env, 'RPC_URL', HTTP) ?? 'http://127.0.0.1:8545',
    indexerUrl: url(env, 'INDEXER_URL', HTTP) ?? `http://127.0.0.1:${indexerPort}`,
    databaseUrl: required('DATABASE_URL', url(env, 'DATABASE_URL', POSTGRES)),
    databaseReadUrl: url(env, 'DATABASE_READ_URL', POSTGRES),
    redisUrl: url(env, 'REDIS_URL', ['redis:', 'rediss:']),
    ...parseRestConfig(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  }
}

export type RestConfig = Pick<
  Config,
  'marketsCacheMs' | 'readyCacheMs' | 'publicRate' | 'proxyHops' | 'corsOrigins'
>

/** Returns what a server in any process takes from the environment. */
export const parseRestConfig = (env: Environment): RestConfig => ({
  marketsCacheMs: whole(env, 'MARKETS_CACHE_MS', 30_000, CACHE_MS_MAX),
  readyCacheMs: whole(env, 'READY_CACHE_MS', 2000, CACHE_MS_MAX),
  publicRate: rate(env, 'RATE_LIMIT_PUBLIC', { points: 600, seconds: 60 }),
  proxyHops: whole(env, 'TRUST_PROXY', 0, PROXY_HOPS_MAX),
  corsOrigins: origins(env, 'CORS_ORIGINS'),
})

function whole(env: Environment, name: string, absent: number, max: number): number {
  const text = env[name]
  if (text === undefined || text === '') return absent
  if (!/^\d{1,15}$/.test(text) || Number(text) > max)
    throw invalid(name, `a whole number up to ${max}`, text)
  return Number(text)
}

function oneOf(env: Environment, name: string, allowed: readonly string[], absent: string): string {
  const text = env[name] || absent
  if (!allowed.includes(text)) throw invalid(name, `one of ${allowed.join(', ')}`, text)
  return text
}

/** The text itself never enters the message: it may hold a password. */
function url(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (!protocols.includes(URL.parse(text)?.protocol ?? ''))
    throw new ConfigInvalid(`${name} is a URL of ${protocols.join(' or ')}`)
  return text
}

function required(name: string, text: string | undefined): string {
  if (text === undefined) throw new ConfigInvalid(`${name} is set (it is not)`)
  return text
}

/** `n/seconds`, or `off`. */
function rate(env: Environment, name: string, absent: Rate): Rate | undefined {
  const text = env[name]
  if (text === undefined || text === '') return absent
  if (text === 'off') return undefined
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(text)
  if (match === null) throw invalid(name, 'n/seconds, such as 600/60, or off', text)
  return { points: Number(match[1]), seconds: Number(match[2]) }
}

/** `*`, or origins with commas between them. */
function origins(env: Environment, name: string): readonly string[] {
  const text = env[name] || '*'
  if (text === '*') return ['*']
  const list = text.split(',').map((origin) => origin.trim())
  const wrong = list.find((origin) => URL.parse(origin)?.origin !== origin)
  if (wrong !== undefined)
    throw invalid(name, '* or origins such as https://example.com, with commas between', wrong)
  return list
}

const invalid = (name: string, rule: string, text: string) =>
  new ConfigInvalid(`${name} is ${rule} (it is "${text}")`)

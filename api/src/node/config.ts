// The environment of an API node, parsed once.
import type { GasTerms } from '@openvenue/core/networks'
import {
  type Environment,
  invalid,
  LOG_LEVELS,
  readChoice,
  readHttpUrl,
  readHttpUrls,
  readInteger,
  readNetwork,
  readPort,
  readRpcUrls,
  readUrl,
} from '@openvenue/runtime/environment'
import { readSettings } from '@openvenue/runtime/settings-file'
import { readStoreConfig } from '@openvenue/store/config'
import { ORDERS_RATE, PRIVATE_RATE, PUBLIC_RATE, type Rate, REGISTER_RATE } from '../http/limits.ts'
import { LAG_MAX } from '../model/freshness.ts'
import { parseAccountSettings } from './account-config.ts'
import type { AccountSettings } from './account-settings.ts'
import { parseRate } from './rate-config.ts'

export type NodeConfig = Readonly<{
  host: string
  port: number
  /** Port of the probes; undefined: none of their own. */
  probePort: number | undefined
  /** Name of the network. */
  environment: string
  rpcUrls: readonly string[]
  indexerUrls: readonly string[]
  /** Blocks behind the chain beyond which this node is not ready. */
  lagMax: number
  /** File of the contracts that /info publishes. */
  deploymentFile: string | undefined
  databaseUrl: string
  databaseReadUrl: string | undefined
  redisUrl: string | undefined
  /** NATS server of the feed. */
  feedUrl: string | undefined
  marketsCacheMs: number
  readyCacheMs: number
  /** Undefined: no limit. */
  publicRate: Rate | undefined
  privateRate: Rate | undefined
  ordersRate: Rate | undefined
  registerRate: Rate | undefined
  integratedPort: number
  integratedRate: Rate | undefined
  newMarketsWindowSeconds: number
  /** Path or URL of a token list. */
  tokenList: string | undefined
  /** Published by /info: public nodes of the chain, and its explorer. */
  publicRpcUrls: readonly string[]
  explorerUrl: string | undefined
  /** Public URL of the second host, whose pools the terminal shows. */
  publicIntegratedUrl: string | undefined
  gas: GasTerms
  /** Folder of the built terminal, instead of the default one. */
  terminalDir: string | undefined
  proxyHops: number
  corsOrigins: readonly string[]
  settings: AccountSettings
  logLevel: string
  /** One log line per request. */
  logsRequests: boolean
  /** Collector of traces, OTLP over HTTP; undefined: none. */
  tracesUrl: string | undefined
}>

const CACHE_MS_MAX = 3_600_000
const PROXY_HOPS_MAX = 16
/** Age up to which a pool counts as new: 30 days. */
export const NEW_MARKETS_WINDOW_S = 30 * 24 * 3600

/** Returns the configuration; throws `ConfigInvalid`, which names the variable. */
export function parseConfig(given: Environment): NodeConfig {
  const env = readSettings(given)
  const indexerPort = readPort(env, 'INDEXER_PORT', 3002)
  const { databaseUrl, databaseReadUrl, redisUrl, feedUrl } = readStoreConfig(env)
  if (databaseUrl === undefined)
    throw invalid('DATABASE_URL', "the URL of the indexer's PostgreSQL", undefined)
  return {
    host: env.HOST || '127.0.0.1',
    port: readPort(env, 'PORT', 3000),
    probePort: env.PROBE_PORT ? readPort(env, 'PROBE_PORT', 0) : undefined,
    environment: readNetwork(env).name,
    rpcUrls: readRpcUrls(env),
    indexerUrls: readHttpUrls(env, 'INDEXER_URL') ?? [`http://127.0.0.1:${indexerPort}`],
    lagMax: readInteger(env, 'INDEXER_LAG_MAX', { absent: LAG_MAX }),
    deploymentFile: env.DEPLOYMENT_FILE || undefined,
    databaseUrl,
    databaseReadUrl,
    redisUrl,
    feedUrl,
    ...parseRestConfig(env),
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS),
  }
}

export type RestConfig = Pick<
  NodeConfig,
  | 'marketsCacheMs'
  | 'readyCacheMs'
  | 'publicRate'
  | 'privateRate'
  | 'ordersRate'
  | 'registerRate'
  | 'integratedPort'
  | 'integratedRate'
  | 'newMarketsWindowSeconds'
  | 'tokenList'
  | 'publicRpcUrls'
  | 'explorerUrl'
  | 'publicIntegratedUrl'
  | 'gas'
  | 'terminalDir'
  | 'proxyHops'
  | 'corsOrigins'
  | 'settings'
  | 'logsRequests'
  | 'tracesUrl'
>

/** Returns the settings that a host in any process takes from the environment. */
export const parseRestConfig = (env: Environment): RestConfig => ({
  marketsCacheMs: readInteger(env, 'MARKETS_CACHE_MS', { absent: 30_000, max: CACHE_MS_MAX }),
  readyCacheMs: readInteger(env, 'READY_CACHE_MS', { absent: 2000, max: CACHE_MS_MAX }),
  publicRate: parseRate(env, 'RATE_LIMIT_PUBLIC', PUBLIC_RATE),
  privateRate: parseRate(env, 'RATE_LIMIT_PRIVATE', PRIVATE_RATE),
  ordersRate: parseRate(env, 'RATE_LIMIT_ORDERS', ORDERS_RATE),
  registerRate: parseRate(env, 'RATE_LIMIT_REGISTER', REGISTER_RATE),
  integratedPort: readPort(env, 'INTEGRATED_PORT', 3001),
  integratedRate: parseRate(env, 'RATE_LIMIT_INTEGRATED', PUBLIC_RATE),
  newMarketsWindowSeconds: readInteger(env, 'NEW_MARKETS_WINDOW_S', {
    absent: NEW_MARKETS_WINDOW_S,
    min: 1,
  }),
  tokenList: parseTokenList(env, 'TOKEN_LIST'),
  publicRpcUrls: readHttpUrls(env, 'PUBLIC_RPC_URL') ?? readNetwork(env).rpcUrls,
  explorerUrl: readHttpUrl(env, 'EXPLORER_URL') ?? readNetwork(env).explorerUrl,
  publicIntegratedUrl: readHttpUrl(env, 'PUBLIC_INTEGRATED_URL'),
  gas: readGasTerms(env),
  terminalDir: env.TERMINAL_DIR || undefined,
  proxyHops: readInteger(env, 'TRUST_PROXY', { absent: 0, max: PROXY_HOPS_MAX }),
  corsOrigins: parseOrigins(env, 'CORS_ORIGINS'),
  settings: parseAccountSettings(env),
  logsRequests: readChoice(env, 'LOG_REQUESTS', ['off', 'on']) === 'on',
  tracesUrl: readHttpUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
})

function readGasTerms(env: Environment): GasTerms {
  const { faucetUrl, currency, feeFloorWei, tipWei } = readNetwork(env)
  return { faucetUrl, currency, feeFloorWei, tipWei }
}

/** A path, or an https URL, because names and logos must not be altered in transit. */
function parseTokenList(env: Environment, name: string): string | undefined {
  const text = env[name] || undefined
  if (text === undefined || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  return readUrl(env, name, ['https:'])
}

/** `*`, or comma-separated origins. */
function parseOrigins(env: Environment, name: string): readonly string[] {
  const text = env[name] || '*'
  if (text === '*') return ['*']
  const list = text.split(',').map((origin) => origin.trim())
  const wrong = list.find((origin) => URL.parse(origin)?.origin !== origin)
  if (wrong !== undefined)
    throw invalid(name, '* or comma-separated origins such as https://example.com', wrong)
  return list
}

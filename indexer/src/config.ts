// The environment of the indexer's own process, parsed once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployment } from './deployment.ts'

export type Config = Readonly<{
  host: string
  port: number
  chainId: number
  rpcUrl: string
  rpcWsUrl: string | undefined
  /** Unset: the embedded database below `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  deploymentFile: string
  finalityBlocks: number
  lagMax: number
  logLevel: string
}>

/** A variable of the environment, or the deployment file, is not what it should be. */
export class ConfigInvalid extends Error {
  override name = 'ConfigInvalid'
}

type Environment = Readonly<Record<string, string | undefined>>

/** Chain ids and finality by `NETWORK`; a variable of its own overrides each. */
const NETWORKS = {
  devnet: { chainId: 5042002, finalityBlocks: 64 },
  testnet: { chainId: 5042002, finalityBlocks: 64 },
  mainnet: { chainId: undefined, finalityBlocks: 64 },
} as const

/** Returns the configuration; throws `ConfigInvalid`, which names the variable. */
export function parseConfig(env: Environment): Config {
  const network = NETWORKS[oneOf(env, 'NETWORK', Object.keys(NETWORKS), 'devnet') as 'devnet']
  const dataDir = env.DATA_DIR || '.data'
  return {
    host: env.HOST || '127.0.0.1',
    port: whole(env, 'INDEXER_PORT', 3002),
    chainId: whole(env, 'CHAIN_ID', network.chainId),
    rpcUrl: url(env, 'RPC_URL', ['http:', 'https:']) ?? 'http://127.0.0.1:8545',
    rpcWsUrl: url(env, 'RPC_WS_URL', ['ws:', 'wss:']),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    dataDir,
    deploymentFile: env.DEPLOYMENT_FILE || join(dataDir, 'deployment.json'),
    finalityBlocks: whole(env, 'FINALITY_BLOCKS', network.finalityBlocks),
    lagMax: whole(env, 'INDEXER_LAG_MAX', 20),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

function whole(env: Environment, name: string, absent: number | undefined): number {
  const text = env[name]
  if ((text === undefined || text === '') && absent !== undefined) return absent
  if (!/^\d{1,15}$/.test(text ?? '')) throw invalid(name, 'a whole number', text)
  return Number(text)
}

function oneOf(env: Environment, name: string, allowed: readonly string[], absent: string): string {
  const text = env[name] || absent
  if (!allowed.includes(text)) throw invalid(name, `one of ${allowed.join(', ')}`, text)
  return text
}

/** The text itself never enters the message: it may hold a key. */
function url(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (!protocols.includes(URL.parse(text)?.protocol ?? '')) {
    throw new ConfigInvalid(`${name} is a URL of ${protocols.join(' or ')}`)
  }
  return text
}

const invalid = (name: string, rule: string, text: string | undefined) =>
  new ConfigInvalid(`${name} is ${rule} (it is ${text === undefined ? 'not set' : `"${text}"`})`)

/** Reads the deployment file; throws `ConfigInvalid`, which names the file and the field. */
export function readDeployment(path: string): Deployment {
  try {
    return parseDeployment(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if (error instanceof ConfigInvalid) throw new ConfigInvalid(`${path}: ${error.message}`)
    throw new ConfigInvalid(`DEPLOYMENT_FILE (${path}) is a readable JSON file`, { cause: error })
  }
}

/** Returns the deployment that `value` describes: extra fields are ignored. */
export function parseDeployment(value: unknown): Deployment {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const { oracles, startBlock } = fields
  if (!Array.isArray(oracles)) throw new ConfigInvalid('oracles is a list of addresses')
  if (!Number.isSafeInteger(startBlock)) throw new ConfigInvalid('startBlock is a whole number')
  return {
    accounts: address(fields.accounts, 'accounts'),
    spot: address(fields.spot, 'spot'),
    perps: address(fields.perps, 'perps'),
    oracles: oracles.map((oracle) => address(oracle, 'oracles')),
    startBlock: startBlock as number,
  }
}

function address(value: unknown, name: string): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value
  throw new ConfigInvalid(`${name} is an address: 0x and 40 hex digits`)
}

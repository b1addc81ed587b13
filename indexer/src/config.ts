// The environment of the indexer's own process, parsed once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ConfigInvalid,
  type Environment,
  httpUrlsOf,
  invalid,
  LOG_LEVELS,
  oneOf,
  portOf,
  storeConfigOf,
  urlsOf,
  wholeOf,
} from '@openvenue/store/environment'
import type { Deployment } from './deployment.ts'

export type Config = Readonly<{
  host: string
  port: number
  chainId: number
  /** Nodes of the chain, the preferred one first. */
  rpcUrls: readonly string[]
  /** For newHeads: the first is that of the first node, and so on. */
  rpcWsUrls: readonly string[]
  /** Unset: the embedded database below `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  deploymentFile: string
  /** Whose pools are followed beside those that the deployment names. */
  ammV2Factories: readonly string[]
  ammV3Factories: readonly string[]
  finalityBlocks: number
  lagMax: number
  logLevel: string
}>

/** Chain ids and finality by `NETWORK`; a variable of its own overrides each. */
const NETWORKS = {
  devnet: { chainId: 5042002, finalityBlocks: 64 },
  testnet: { chainId: 5042002, finalityBlocks: 64 },
  mainnet: { chainId: undefined, finalityBlocks: 64 },
} as const

/** Returns the configuration; throws `ConfigInvalid`, which names the variable. */
export function parseConfig(env: Environment): Config {
  const network = NETWORKS[oneOf(env, 'NETWORK', ['devnet', 'testnet', 'mainnet'])]
  const { databaseUrl, dataDir } = storeConfigOf(env)
  return {
    host: env.HOST || '127.0.0.1',
    port: portOf(env, 'INDEXER_PORT', 3002),
    chainId: wholeOf(env, 'CHAIN_ID', { absent: network.chainId }),
    ...endpointsOf(env),
    databaseUrl,
    dataDir,
    deploymentFile: env.DEPLOYMENT_FILE || join(dataDir, 'deployment.json'),
    ammV2Factories: addressesOf(env, 'AMM_V2_FACTORIES'),
    ammV3Factories: addressesOf(env, 'AMM_V3_FACTORIES'),
    finalityBlocks: wholeOf(env, 'FINALITY_BLOCKS', { absent: network.finalityBlocks }),
    lagMax: wholeOf(env, 'INDEXER_LAG_MAX', { absent: 20 }),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS),
  }
}

function endpointsOf(env: Environment): Pick<Config, 'rpcUrls' | 'rpcWsUrls'> {
  const rpcUrls = httpUrlsOf(env, 'RPC_URL') ?? ['http://127.0.0.1:8545']
  const rpcWsUrls = urlsOf(env, 'RPC_WS_URL', ['ws:', 'wss:']) ?? []
  if (rpcWsUrls.length > rpcUrls.length)
    throw new ConfigInvalid('RPC_WS_URL is at most one URL for each of RPC_URL, in the same order')
  return { rpcUrls, rpcWsUrls }
}

/** Returns the addresses that `name` lists with commas between them; none if it is not set. */
function addressesOf(env: Environment, name: string): readonly string[] {
  const parts = (env[name] ?? '').split(',').map((part) => part.trim())
  const addresses = parts.filter((part) => part !== '')
  for (const address of addresses)
    if (!ADDRESS.test(address)) throw invalid(name, 'a list of addresses with commas', address)
  return addresses
}

/** Returns `deployment` with the factories that `config` names besides. */
export const withFactories = (
  deployment: Deployment,
  config: Pick<Config, 'ammV2Factories' | 'ammV3Factories'>,
): Deployment => ({
  ...deployment,
  v2Factories: [...(deployment.v2Factories ?? []), ...config.ammV2Factories],
  v3Factories: [...(deployment.v3Factories ?? []), ...config.ammV3Factories],
})

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
  const { v2Factories, v3Factories, startBlock } = fields
  if (!Number.isSafeInteger(startBlock)) throw new ConfigInvalid('startBlock is a whole number')
  return {
    accounts: address(fields.accounts, 'accounts'),
    spot: address(fields.spot, 'spot'),
    perps: address(fields.perps, 'perps'),
    oracles: addresses(fields.oracles, 'oracles'),
    ...(v2Factories === undefined ? {} : { v2Factories: addresses(v2Factories, 'v2Factories') }),
    ...(v3Factories === undefined ? {} : { v3Factories: addresses(v3Factories, 'v3Factories') }),
    startBlock: startBlock as number,
  }
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

function addresses(value: unknown, name: string): readonly string[] {
  if (!Array.isArray(value)) throw new ConfigInvalid(`${name} is a list of addresses`)
  return value.map((one) => address(one, name))
}

function address(value: unknown, name: string): string {
  if (typeof value === 'string' && ADDRESS.test(value)) return value
  throw new ConfigInvalid(`${name} is an address: 0x and 40 hex digits`)
}

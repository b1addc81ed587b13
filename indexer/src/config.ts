// The environment of the indexer's own process, parsed once.
import { join } from 'node:path'
import {
  type DeploymentFields,
  deploymentFields,
  isAddress,
  parseAddresses,
  parseContracts,
  readDeploymentFile,
} from '@openvenue/store/deployment-file'
import {
  ConfigInvalid,
  type Environment,
  invalid,
  LOG_LEVELS,
  readChoice,
  readInteger,
  readNetwork,
  readPort,
  readRpcUrls,
  readStoreConfig,
  readUrls,
} from '@openvenue/store/environment'
import { withSecretFiles } from '@openvenue/store/secret-files'
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
  /** Days of fills, trades, closed positions and funding that are kept; 0: all. */
  historyKeptDays: number
  /** Days of candles of one minute that are kept; 0: all. */
  minuteCandlesKeptDays: number
  lagMax: number
  logLevel: string
}>

/** Returns the configuration; throws `ConfigInvalid`, which names the variable. */
export function parseConfig(given: Environment): Config {
  const env = withSecretFiles(given)
  const network = readNetwork(env)
  const { databaseUrl, dataDir } = readStoreConfig(env)
  return {
    host: env.HOST || '127.0.0.1',
    port: readPort(env, 'INDEXER_PORT', 3002),
    chainId: readInteger(env, 'CHAIN_ID', { absent: network.chainId }),
    ...readEndpoints(env),
    databaseUrl,
    dataDir,
    deploymentFile: env.DEPLOYMENT_FILE || join(dataDir, 'deployment.json'),
    ammV2Factories: readAddresses(env, 'AMM_V2_FACTORIES'),
    ammV3Factories: readAddresses(env, 'AMM_V3_FACTORIES'),
    finalityBlocks: readInteger(env, 'FINALITY_BLOCKS', { absent: network.finalityBlocks }),
    historyKeptDays: readInteger(env, 'HISTORY_KEPT_DAYS', { absent: 0 }),
    minuteCandlesKeptDays: readInteger(env, 'MINUTE_CANDLES_KEPT_DAYS', { absent: 0 }),
    lagMax: readInteger(env, 'INDEXER_LAG_MAX', { absent: 20 }),
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS),
  }
}

function readEndpoints(env: Environment): Pick<Config, 'rpcUrls' | 'rpcWsUrls'> {
  const rpcUrls = readRpcUrls(env)
  // The network's own subscription is of the network's own node.
  const preset = env.RPC_URL ? [] : readNetwork(env).wsUrls
  const rpcWsUrls = readUrls(env, 'RPC_WS_URL', ['ws:', 'wss:']) ?? preset
  if (rpcWsUrls.length > rpcUrls.length)
    throw new ConfigInvalid('RPC_WS_URL is at most one URL for each of RPC_URL, in the same order')
  return { rpcUrls, rpcWsUrls }
}

/** Returns the addresses that `name` lists with commas between them; none if it is not set. */
function readAddresses(env: Environment, name: string): readonly string[] {
  const parts = (env[name] ?? '').split(',').map((part) => part.trim())
  const addresses = parts.filter((part) => part !== '')
  for (const address of addresses)
    if (!isAddress(address)) throw invalid(name, 'a list of addresses with commas', address)
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

/** Reads the file of a deployment on `chainId`; throws `ConfigInvalid`, which names the field. */
export const readDeployment = (path: string, chainId: number): Deployment =>
  readDeploymentFile(path, parseDeployment, chainId)

/** Returns the deployment that `value` describes: extra fields are ignored. */
export function parseDeployment(value: unknown): Deployment {
  const fields = deploymentFields(value)
  const { startBlock } = fields
  if (!Number.isSafeInteger(startBlock)) throw new ConfigInvalid('startBlock is a whole number')
  return {
    ...parseContracts(fields),
    ...factories(fields, 'v2Factories'),
    ...factories(fields, 'v3Factories'),
    startBlock: startBlock as number,
  }
}

/** Returns the factories that `name` lists; nothing where the file has no such field. */
const factories = (fields: DeploymentFields, name: 'v2Factories' | 'v3Factories') =>
  fields[name] === undefined ? {} : { [name]: parseAddresses(fields, name) }

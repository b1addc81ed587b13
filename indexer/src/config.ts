// Parses the environment of the standalone indexer process once.
import { join } from 'node:path'
import {
  type DeploymentFields,
  deploymentFields,
  isAddress,
  parseAddresses,
  parseContracts,
  readDeploymentFile,
} from '@openvenue/runtime/deployment-file'
import {
  type Environment,
  invalid,
  LOG_LEVELS,
  readChoice,
  readInteger,
  readNetwork,
  readPort,
  readRpcUrls,
  readUrls,
} from '@openvenue/runtime/environment'
import { readSettings } from '@openvenue/runtime/settings-file'
import { readStoreConfig } from '@openvenue/store/config'
import type { IndexerDeployment } from './deployment.ts'

export type IndexerConfig = Readonly<{
  host: string
  port: number
  chainId: number
  /** RPC endpoints of the chain, the preferred one first. */
  rpcUrls: readonly string[]
  /** newHeads subscriptions, in the order of `rpcUrls`. */
  rpcWsUrls: readonly string[]
  /** Unset: the embedded database below `dataDir`. */
  databaseUrl: string | undefined
  /** NATS server of the feed. */
  feedUrl: string | undefined
  dataDir: string
  deploymentFile: string
  /** Factories whose pools are followed in addition to those of the deployment. */
  ammV2Factories: readonly string[]
  ammV3Factories: readonly string[]
  finalityBlocks: number
  /** Days for which fills, trades, closed positions and funding are kept; 0: all. */
  historyKeptDays: number
  /** Days for which one-minute candles are kept; 0: all. */
  minuteCandlesKeptDays: number
  lagMax: number
  logLevel: string
}>

/** Returns the configuration. Throws `ConfigInvalid`, which names the variable. */
export function parseConfig(given: Environment): IndexerConfig {
  const env = readSettings(given)
  const network = readNetwork(env)
  const { databaseUrl, feedUrl, dataDir } = readStoreConfig(env)
  return {
    host: env.HOST || '127.0.0.1',
    port: readPort(env, 'INDEXER_PORT', 3002),
    chainId: readInteger(env, 'CHAIN_ID', { absent: network.chainId }),
    ...readEndpoints(env),
    databaseUrl,
    feedUrl,
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

function readEndpoints(env: Environment): Pick<IndexerConfig, 'rpcUrls' | 'rpcWsUrls'> {
  const rpcUrls = readRpcUrls(env)
  // The network's subscription belongs to the network's own node.
  const preset = env.RPC_URL ? [] : readNetwork(env).wsUrls
  const rpcWsUrls = readUrls(env, 'RPC_WS_URL', ['ws:', 'wss:']) ?? preset
  if (rpcWsUrls.length > rpcUrls.length)
    throw invalid('RPC_WS_URL', 'at most one URL for each of RPC_URL', rpcWsUrls.length)
  return { rpcUrls, rpcWsUrls }
}

/** Returns the comma-separated addresses of `name`; none if it is not set. */
function readAddresses(env: Environment, name: string): readonly string[] {
  const parts = (env[name] ?? '').split(',').map((part) => part.trim())
  const addresses = parts.filter((part) => part !== '')
  for (const address of addresses)
    if (!isAddress(address)) throw invalid(name, 'a list of addresses with commas', address)
  return addresses
}

/** Returns `deployment` with the additional factories of `config`. */
export const withFactories = (
  deployment: IndexerDeployment,
  config: Pick<IndexerConfig, 'ammV2Factories' | 'ammV3Factories'>,
): IndexerDeployment => ({
  ...deployment,
  v2Factories: [...(deployment.v2Factories ?? []), ...config.ammV2Factories],
  v3Factories: [...(deployment.v3Factories ?? []), ...config.ammV3Factories],
})

/** Reads the deployment file of `chainId`; throws `ConfigInvalid`, which names the field. */
export const readDeployment = (path: string, chainId: number): IndexerDeployment =>
  readDeploymentFile(path, parseDeployment, chainId)

/** Parses a deployment; extra fields are ignored. */
export function parseDeployment(value: unknown): IndexerDeployment {
  const fields = deploymentFields(value)
  const { startBlock } = fields
  if (!Number.isSafeInteger(startBlock)) throw invalid('startBlock', 'a whole number', startBlock)
  return {
    ...parseContracts(fields),
    ...factories(fields, 'v2Factories'),
    ...factories(fields, 'v3Factories'),
    startBlock: startBlock as number,
  }
}

/** Returns the factories of `name`; none when the file lacks the field. */
const factories = (fields: DeploymentFields, name: 'v2Factories' | 'v3Factories') =>
  fields[name] === undefined ? {} : { [name]: parseAddresses(fields, name) }

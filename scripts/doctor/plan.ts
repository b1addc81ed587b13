// Derives the checks from the environment. An error in it is a finding, and everything that can
// still be read is checked.
import { parseConfig as parseApi, parseRestConfig } from '@openvenue/api/node/config'
import { CANCEL_LANE, orderLane } from '@openvenue/core/relay'
import { parseDeployment, parseConfig as parseIndexer } from '@openvenue/indexer/config'
import { parseConfig as parseKeeper } from '@openvenue/keeper/config'
import {
  deploymentFields,
  readDeploymentFile,
  type VenueContracts,
} from '@openvenue/runtime/deployment-file'
import { type Environment, readNetwork, readPort } from '@openvenue/runtime/environment'
import { readSettings } from '@openvenue/runtime/settings-file'
import { readStoreConfig } from '@openvenue/store/config'
import { privateKeyToAddress } from 'viem/accounts'
import { bad, type Finding, messageOf, ok } from './finding.ts'

export type Wallet = Readonly<{ name: string; address: string }>
type VenueDeployment = VenueContracts &
  Readonly<{ startBlock: number; chainId: number | undefined }>

export type Plan = Readonly<{
  chainId: number
  /** Domain name that clients sign in. */
  domainName: string
  rpcUrls: readonly string[]
  databaseUrl: string | undefined
  databaseReadUrl: string | undefined
  redisUrl: string | undefined
  feedUrl: string | undefined
  /** Maximum number of blocks missing from the database. */
  lagMax: number
  host: string
  /** Ports by the variable that sets each. */
  ports: readonly (readonly [string, number])[]
  wallets: readonly Wallet[]
  deployment: VenueDeployment | undefined
  nowMs: () => number
}>

const PORTS = { PORT: 3000, INTEGRATED_PORT: 3001, INDEXER_PORT: 3002, KEEPER_PORT: 3003 }

/**
 * Returns the plan, unless the environment is unreadable, and the errors. `env` includes secrets
 * from files, so that none of it may be shown.
 */
export function readPlan(given: Environment, nowMs: () => number) {
  const findings: Finding[] = []
  const tried = <T>(item: string, advice: string, read: () => T): T | undefined => {
    try {
      const value = read()
      findings.push(ok(item, 'read'))
      return value
    } catch (error) {
      findings.push(bad(item, messageOf(error), advice))
      return undefined
    }
  }
  const advice = 'correct the variable that the message names'
  const read = tried('settings', advice, () => readPlanConfig(given))
  if (read === undefined) return { findings, plan: undefined, env: given }
  const { env, config } = read
  tried('settings of API nodes', advice, () =>
    config.databaseUrl === undefined ? parseRestConfig(env) : parseApi(given),
  )
  const { deploymentFile } = config
  const deployment = tried('deployment file', 'npm run deploy writes it', () =>
    readDeploymentFile(deploymentFile, parseWhole),
  )
  const isSending = Boolean(env.KEEPER_KEY || env.RELAY_KEYS)
  const wallets = isSending ? tried('keys', advice, () => readWallets(given)) : []
  const plan: Plan = { ...config, deployment, wallets: wallets ?? [], nowMs }
  return { findings, plan, env }
}

function readPlanConfig(given: Environment) {
  const env = readSettings(given)
  const config = {
    ...parseIndexer(given),
    ...readStoreConfig(env),
    domainName: env.TYPED_DATA_DOMAIN || readNetwork(env).domainName,
    ports: Object.entries(PORTS).map(
      ([name, absent]) => [name, readPort(env, name, absent)] as const,
    ),
  }
  return { env, config }
}

function parseWhole(value: unknown): VenueDeployment {
  const { chainId } = deploymentFields(value)
  return { ...parseDeployment(value), chainId: chainId === undefined ? undefined : Number(chainId) }
}

/** Returns only the addresses of keys. */
function readWallets(env: Environment): readonly Wallet[] {
  const { key, relayer } = parseKeeper(env)
  const lanes = (relayer?.keys ?? []).map((key, at) => ({
    name: at === 0 ? CANCEL_LANE : orderLane(at - 1),
    address: privateKeyToAddress(key),
  }))
  return key === undefined
    ? lanes
    : [{ name: 'keeper', address: privateKeyToAddress(key) }, ...lanes]
}

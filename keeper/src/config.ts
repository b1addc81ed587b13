// Parses the environment of the standalone keeper process once.
import { join } from 'node:path'
import {
  ConfigInvalid,
  type Environment,
  LOG_LEVELS,
  readChoice,
  readHttpUrl,
  readInteger,
  readNetwork,
  readPort,
  readRpcUrls,
} from '@openvenue/runtime/environment'
import { readSettings } from '@openvenue/runtime/settings-file'
import { readStoreConfig } from '@openvenue/store/config'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { FeeBounds } from './fees.ts'
import { parseRelayerSettings, type RelayerSettings } from './relayer/settings.ts'
import { TASKS, type TaskName } from './task.ts'

/** Enabled tasks. */
type Switches = Readonly<Record<TaskName, boolean>>

export type KeeperSettings = FeeBounds &
  Readonly<{
    switches: Switches
    /** Tip to offer when nodes are not asked for tip or gas. Absent: nodes are asked. */
    gasTip?: bigint | undefined
    /** Collector of traces, OTLP over HTTP; absent: none. */
    tracesUrl?: string | undefined
    /** Absent: this process does not relay. */
    relayer: RelayerSettings | undefined
  }>

export type KeeperConfig = KeeperSettings &
  Readonly<{
    host: string
    port: number
    chainId: number
    /** RPC endpoints of the chain, the preferred one first. */
    rpcUrls: readonly string[]
    databaseUrl: string
    /** NATS server of the feed. */
    feedUrl: string | undefined
    intentsKeptMs: number
    deploymentFile: string
    /** Never logged or put into an error. Absent: this process only relays. */
    key: Hex | undefined
    /** Set when prices are pushed. */
    priceUrl: string | undefined
    logLevel: string
  }>

/** The variable that enables each task. */
const SWITCHES: Readonly<Record<TaskName, string>> = {
  prices: 'KEEPER_PRICES',
  reports: 'KEEPER_REPORTS',
  pokes: 'KEEPER_POKES',
  liquidations: 'KEEPER_LIQUIDATIONS',
  deleveraging: 'KEEPER_DELEVERAGING',
  sweeps: 'KEEPER_SWEEPS',
  keys: 'KEEPER_KEYS',
}
const KEY = /^0x[0-9a-fA-F]{64}$/
const FEE_CAP_GWEI = 500
/** A thousandth of a native coin per unit of gas: more is a typing error. */
const FEE_CAP_GWEI_MAX = 1_000_000
const GWEI = 1_000_000_000n
export const KEEPER_PORT = 3003

/**
 * Returns the settings shared by the standalone and the embedded keeper; throws `ConfigInvalid`.
 * `relayKeys` are the relayer's keys when none are configured.
 */
export function parseKeeperSettings(
  env: Environment,
  relayKeys: readonly Hex[] = [],
): KeeperSettings {
  const gwei = { absent: FEE_CAP_GWEI, min: 1, max: FEE_CAP_GWEI_MAX }
  const feeCap = BigInt(readInteger(env, 'KEEPER_FEE_CAP_GWEI', gwei)) * GWEI
  const { feeFloorWei: feeFloor, isGasAsked, tipWei } = readNetwork(env)
  if (feeCap < feeFloor)
    throw new ConfigInvalid(
      `KEEPER_FEE_CAP_GWEI is too low: got ${feeCap / GWEI}, expected at least FEE_FLOOR_GWEI`,
    )
  const bounds = { feeCap, feeFloor }
  return {
    switches: Object.fromEntries(
      TASKS.map((task) => [task, readChoice(env, SWITCHES[task], ['on', 'off']) === 'on']),
    ) as Switches,
    ...bounds,
    gasTip: isGasAsked ? undefined : tipWei,
    relayer: parseRelayerSettings(env, bounds, relayKeys),
    tracesUrl: readHttpUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
  }
}

/** Returns the configuration. Throws `ConfigInvalid`, which names the variable. */
export function parseConfig(given: Environment): KeeperConfig {
  const env = readSettings(given)
  const settings = parseKeeperSettings(env)
  const { databaseUrl, feedUrl, dataDir, intentsKeptMs } = readStoreConfig(env)
  if (databaseUrl === undefined)
    throw new ConfigInvalid(
      "DATABASE_URL is missing: expected the indexer's PostgreSQL, not an embedded database",
    )
  return {
    ...settings,
    host: env.HOST || '127.0.0.1',
    port: readPort(env, 'KEEPER_PORT', KEEPER_PORT),
    chainId: readInteger(env, 'CHAIN_ID', { absent: readNetwork(env).chainId }),
    rpcUrls: readRpcUrls(env),
    databaseUrl,
    feedUrl,
    intentsKeptMs,
    deploymentFile: env.DEPLOYMENT_FILE || join(dataDir, 'deployment.json'),
    key: isRelayerOnly(settings) && !env.KEEPER_KEY ? undefined : parseKey(env),
    priceUrl: parsePriceUrl(env, settings.switches),
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS),
  }
}

/** Returns whether the process runs no tasks and so needs no task wallet. */
const isRelayerOnly = ({ switches, relayer }: KeeperSettings): boolean =>
  relayer !== undefined && TASKS.every((task) => !switches[task])

function parseKey(env: Environment): Hex {
  const key = env.KEEPER_KEY ?? ''
  const problem =
    'KEEPER_KEY is invalid: expected a private key, 0x and 64 hex digits, on the curve'
  if (key === '') throw new ConfigInvalid(`${problem}, or RELAY_KEYS with every task off`)
  if (!KEY.test(key)) throw new ConfigInvalid(problem)
  try {
    privateKeyToAddress(key as Hex)
  } catch {
    // The cause is dropped because it would contain the key.
    throw new ConfigInvalid(problem)
  }
  return key as Hex
}

function parsePriceUrl(env: Environment, switches: Switches): string | undefined {
  const url = readHttpUrl(env, 'KEEPER_PRICE_URL')
  if (switches.prices && url === undefined)
    throw new ConfigInvalid(
      'KEEPER_PRICE_URL is missing: expected a price source, or KEEPER_PRICES=off',
    )
  return url
}

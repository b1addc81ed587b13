// The environment of the devnet, parsed once.
import { parseRestConfig, type RestConfig } from '@openvenue/api/config'

export type Config = RestConfig &
  Readonly<{
    host: string
    port: number
    indexerPort: number
    anvilPort: number
    dataDir: string
    /** Unset: the embedded database below `dataDir`. */
    databaseUrl: string | undefined
    databaseReadUrl: string | undefined
    redisUrl: string | undefined
    domainName: string
    seed: number
    hasTraders: boolean
    /** Pause between looks of the traders, each at the next of the markets. */
    lookMs: number
    /** Hours of trading that a new chain begins with. */
    historyHours: number
    logLevel: string
  }>

/** A variable of the environment is not what it should be. */
export class ConfigInvalid extends Error {
  override name = 'ConfigInvalid'
}

type Environment = Readonly<Record<string, string | undefined>>

/** Every market is looked at every six seconds: some three orders a second in all. */
const LOOK_MS = 1_000
const PORT_MAX = 65_535
const SEED_MAX = 2 ** 32 - 1
/** More than this does not fit into the start budget; see docs/decisions/0007-devnet-chain.md. */
const HISTORY_HOURS_MAX = 24
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Returns the configuration; throws `ConfigInvalid`, which names the variable. */
export function parseConfig(env: Environment): Config {
  oneOf(env, 'NETWORK', ['devnet'])
  return {
    ...parseRestConfig(env),
    host: env.HOST || '127.0.0.1',
    port: whole(env, 'PORT', { absent: 3000, max: PORT_MAX }),
    indexerPort: whole(env, 'INDEXER_PORT', { absent: 3002, max: PORT_MAX }),
    anvilPort: whole(env, 'ANVIL_PORT', { absent: 8545, max: PORT_MAX }),
    dataDir: env.DATA_DIR || '.data',
    databaseUrl: env.DATABASE_URL || undefined,
    databaseReadUrl: env.DATABASE_READ_URL || undefined,
    redisUrl: env.REDIS_URL || undefined,
    domainName: env.TYPED_DATA_DOMAIN || 'openvenue',
    seed: whole(env, 'SEED', { absent: 1, max: SEED_MAX }),
    hasTraders: oneOf(env, 'TRADERS', ['on', 'off']) === 'on',
    lookMs: LOOK_MS,
    historyHours: whole(env, 'HISTORY_HOURS', { absent: 4, max: HISTORY_HOURS_MAX }),
    logLevel: oneOf(env, 'LOG_LEVEL', ['info', ...LOG_LEVELS]),
  }
}

type Whole = Readonly<{ absent: number; max: number }>

function whole(env: Environment, name: string, { absent, max }: Whole): number {
  const text = env[name] || String(absent)
  if (!/^\d{1,10}$/.test(text) || Number(text) > max)
    throw invalid(name, `a whole number up to ${max}`, text)
  return Number(text)
}

/** The first of `allowed` stands for an absent variable. */
function oneOf(env: Environment, name: string, allowed: readonly string[]): string {
  const text = env[name] || (allowed[0] ?? '')
  if (!allowed.includes(text))
    throw invalid(name, `one of ${[...new Set(allowed)].join(', ')}`, text)
  return text
}

const invalid = (name: string, rule: string, text: string) =>
  new ConfigInvalid(`${name} is ${rule} (it is "${text}")`)

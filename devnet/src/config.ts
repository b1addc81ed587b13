// Parses the environment of the devnet once.
import { parseRestConfig, type RestConfig } from '@openvenue/api/node/config'
import { NETWORKS } from '@openvenue/core/networks'
import { KEEPER_PORT, type KeeperSettings, parseKeeperSettings } from '@openvenue/keeper/config'
import {
  type Environment,
  LOG_LEVELS,
  readChoice,
  readInteger,
  readPort,
} from '@openvenue/runtime/environment'
import { withSettingsFile } from '@openvenue/runtime/settings-file'
import { readIntentsKept, readStoreConfig, type StoreConfig } from '@openvenue/store/config'
import { BLOCK_MS } from './chain.ts'
import { type Pace, paceOf, TRADERS_CHOICES } from './pace.ts'
import { ROLES } from './roles.ts'
import { derivePrivateKey } from './wallet-keys.ts'

export type DevnetConfig = RestConfig &
  StoreConfig &
  Readonly<{
    host: string
    port: number
    indexerPort: number
    anvilPort: number
    keeperPort: number
    keeper: KeeperSettings
    domainName: string
    seed: number
    /** Maximum wait of a transaction for its block. */
    blockMs: number
    /** Activity of the traders; undefined: no trading. */
    pace: Pace | undefined
    /** Hours of trading history of a new chain. */
    historyHours: number
    logLevel: string
  }>

/** Traders trade all day: an hour of intents takes 100 MB, and a week would fill a disk. */
const INTENTS_KEPT_MS = 15 * 60 * 1000
const SEED_MAX = 2 ** 32 - 1
const BLOCK_MS_MIN = 20
const BLOCK_MS_MAX = 60_000
/** More does not fit into the start budget; see docs/decisions/0007-devnet-chain.md. */
const HISTORY_HOURS_MAX = 24

/** Seals the secrets of keys that sign requests; a devnet has nothing of value. */
const SEALING_KEY = '5e'.repeat(32)

/** Returns the configuration. Throws `ConfigInvalid`, which names the variable. */
export function parseConfig(given: Environment): DevnetConfig {
  const env = withSettingsFile(given)
  readChoice(env, 'NETWORK', ['devnet'])
  return {
    // Bots of a devnet place more orders than they trade, for as long as it runs.
    ...parseRestConfig({
      RELAY_BUDGET_INITIAL: 'off',
      KEY_ENCRYPTION_KEY: SEALING_KEY,
      ...env,
    }),
    ...readStoreConfig(env),
    intentsKeptMs: readIntentsKept(env, INTENTS_KEPT_MS),
    host: env.HOST || '127.0.0.1',
    port: readPort(env, 'PORT', 3000),
    indexerPort: readPort(env, 'INDEXER_PORT', 3002),
    anvilPort: readPort(env, 'ANVIL_PORT', 8545),
    keeperPort: readPort(env, 'KEEPER_PORT', KEEPER_PORT),
    keeper: parseKeeperSettings(env, ROLES.relayers.map(derivePrivateKey)),
    domainName: env.TYPED_DATA_DOMAIN || NETWORKS.devnet.domainName,
    seed: readInteger(env, 'SEED', { absent: 1, max: SEED_MAX }),
    blockMs: readInteger(env, 'BLOCK_MS', {
      absent: BLOCK_MS,
      min: BLOCK_MS_MIN,
      max: BLOCK_MS_MAX,
    }),
    pace: paceOf(readChoice(env, 'TRADERS', TRADERS_CHOICES)),
    historyHours: readInteger(env, 'HISTORY_HOURS', { absent: 4, max: HISTORY_HOURS_MAX }),
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS),
  }
}

// Reads the settings of the store and the cache from the environment.
import { type Environment, readInteger, readUrl } from '@openvenue/runtime/environment'
import { INTENTS_KEPT_MS } from './intents/intents.ts'

export type StoreConfig = Readonly<{
  /** Unset: the embedded database below `dataDir`. */
  databaseUrl: string | undefined
  databaseReadUrl: string | undefined
  redisUrl: string | undefined
  dataDir: string
  /** Retention of finished intents, milliseconds. */
  intentsKeptMs: number
}>

const POSTGRES = ['postgres:', 'postgresql:']

/** Returns the settings of the store and the cache. */
export const readStoreConfig = (env: Environment): StoreConfig => ({
  databaseUrl: readUrl(env, 'DATABASE_URL', POSTGRES),
  databaseReadUrl: readUrl(env, 'DATABASE_READ_URL', POSTGRES),
  redisUrl: readUrl(env, 'REDIS_URL', ['redis:', 'rediss:']),
  dataDir: env.DATA_DIR || '.data',
  intentsKeptMs: readIntentsKept(env),
})

const MS = 1_000
const INTENTS_KEPT_SECONDS_MAX = 10 * 365 * 86_400

/** Returns the retention of finished intents, milliseconds. */
export function readIntentsKept(env: Environment, absentMs = INTENTS_KEPT_MS): number {
  const range = { absent: absentMs / MS, min: 60, max: INTENTS_KEPT_SECONDS_MAX }
  return MS * readInteger(env, 'INTENTS_KEPT_S', range)
}

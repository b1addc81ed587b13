// Reads the settings of the store and the cache from the environment.
import {
  ConfigInvalid,
  type Environment,
  readInteger,
  readUrl,
} from '@openvenue/runtime/environment'
import { checkDatabaseUrl } from './db/servers.ts'
import { INTENTS_KEPT_MS } from './intents/intents.ts'

export type StoreConfig = Readonly<{
  /** Unset: the embedded database below `dataDir`. */
  databaseUrl: string | undefined
  databaseReadUrl: string | undefined
  redisUrl: string | undefined
  /** A NATS server that carries new entries between processes. Unset: they read the database. */
  feedUrl: string | undefined
  dataDir: string
  /** Retention of finished intents, milliseconds. */
  intentsKeptMs: number
}>

/** Returns the settings of the store and the cache. */
export const readStoreConfig = (env: Environment): StoreConfig => ({
  databaseUrl: readDatabaseUrl(env, 'DATABASE_URL', true),
  databaseReadUrl: readDatabaseUrl(env, 'DATABASE_READ_URL', false),
  redisUrl: readUrl(env, 'REDIS_URL', ['redis:', 'rediss:']),
  feedUrl: readFeedUrl(env),
  dataDir: env.DATA_DIR || '.data',
  intentsKeptMs: readIntentsKept(env),
})

/** Returns a URL that may name several servers; its text never enters a message. */
function readDatabaseUrl(env: Environment, name: string, isWritten: boolean): string | undefined {
  const text = env[name] || undefined
  if (text === undefined) return undefined
  try {
    checkDatabaseUrl(text, isWritten)
  } catch (error) {
    throw new ConfigInvalid(`${name} is invalid: ${(error as Error).message}`)
  }
  return text
}

function readFeedUrl(env: Environment): string | undefined {
  const url = readUrl(env, 'FEED_URL', ['nats:', 'tls:'])
  if (url !== undefined && !env.DATABASE_URL)
    throw new ConfigInvalid('FEED_URL needs DATABASE_URL: an embedded database has one process')
  return url
}

const MS = 1_000
const INTENTS_KEPT_SECONDS_MAX = 10 * 365 * 86_400

/** Returns the retention of finished intents, milliseconds. */
export function readIntentsKept(env: Environment, absentMs = INTENTS_KEPT_MS): number {
  const range = { absent: absentMs / MS, min: 60, max: INTENTS_KEPT_SECONDS_MAX }
  return MS * readInteger(env, 'INTENTS_KEPT_S', range)
}

// Where a backup comes from and goes to.
import { existsSync } from 'node:fs'
import { readInteger, readNetwork, readStoreConfig } from '@openvenue/store/environment'
import type { StoreOptions } from '@openvenue/store/open'
import { databaseDir } from '@openvenue/store/pglite'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns where the venue's database is. A new embedded one is not made. */
export function databasePlace(env: Environment): StoreOptions {
  const { databaseUrl, dataDir } = readStoreConfig(env)
  if (databaseUrl !== undefined) return { databaseUrl }
  const place = databaseDir(dataDir)
  if (!existsSync(place))
    throw new Error(`${place} holds no database: set DATABASE_URL or DATA_DIR`)
  return { dataDir: place }
}

/** Returns the chain of the venue, as the services read it. */
export const chainIdOf = (env: Environment): number =>
  readInteger(env, 'CHAIN_ID', { absent: readNetwork(env).chainId, min: 1 })

/** Says what went wrong and ends the command. */
export function endWith(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const advice = message.includes('is open in process')
    ? '\nThe running venue has the embedded database to itself: stop it first.'
    : ''
  process.stderr.write(`${message}${advice}\n`)
  process.exitCode = 1
}

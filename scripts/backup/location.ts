// Where a backup comes from and goes to.
import { existsSync } from 'node:fs'
import { type Environment, readInteger, readNetwork } from '@openvenue/runtime/environment'
import { readSettings, withSettingsFile } from '@openvenue/runtime/settings-file'
import { readStoreConfig } from '@openvenue/store/config'
import { databaseDir } from '@openvenue/store/db/pglite'
import type { StoreOptions } from '@openvenue/store/open'

/** Returns where the venue's database is, as services read it. A new embedded one is not made. */
export function databaseLocation(env: Environment): StoreOptions {
  const { databaseUrl, dataDir } = readStoreConfig(readSettings(env))
  if (databaseUrl !== undefined) return { databaseUrl }
  const folder = databaseDir(dataDir)
  if (!existsSync(folder))
    throw new Error(`${folder} holds no database: set DATABASE_URL or DATA_DIR, or run npm start`)
  return { dataDir: folder }
}

/** Returns the chain of the venue, as the services read it. */
export function chainIdOf(given: Environment): number {
  const env = withSettingsFile(given)
  return readInteger(env, 'CHAIN_ID', { absent: readNetwork(env).chainId, min: 1 })
}

/** Prints the error; the command exits with 1. */
export function endWith(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const advice = message.includes('is open in process')
    ? '\nThe running venue has the embedded database to itself: stop it, run this command again, start it.'
    : ''
  process.stderr.write(`${message}${advice}\n`)
  process.exitCode = 1
}

// The databases that the suite runs on: PGlite, or PostgreSQL where there is one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { openStore, type StoreOptions } from '../src/open.ts'
import type { Store } from '../src/store.ts'
import { writeEmptyDatabase } from './memory-store.ts'

/** A new, empty database. Opened again, it is the one it was. */
export type TestDatabase = Readonly<{
  options: StoreOptions
  open(): Promise<Store>
  remove(): Promise<void>
}>

export type Engine = Readonly<{ name: string; createDatabase(): Promise<TestDatabase> }>

const createTestDatabase = (options: StoreOptions, remove: () => Promise<void>): TestDatabase => ({
  options,
  open: () => openStore(options),
  remove,
})

const pglite: Engine = {
  name: 'PGlite',
  createDatabase: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openvenue-store-'))
    const remove = () => rm(folder, { recursive: true, force: true })
    const dataDir = join(folder, 'db')
    await writeEmptyDatabase(dataDir)
    return createTestDatabase({ dataDir }, remove)
  },
}

let databases = 0

const postgres = (serverUrl: string): Engine => ({
  name: 'PostgreSQL',
  createDatabase: async () => {
    const name = `test_${process.pid}_${databases++}`
    await administer(serverUrl, `CREATE DATABASE ${name}`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    const remove = () => administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)
    return createTestDatabase({ databaseUrl: url.href }, remove)
  },
})

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Returns PostgreSQL on the server of `databaseUrl`, where databases may be made. */
export const postgresEngine = (databaseUrl: string | undefined): Engine | undefined =>
  databaseUrl === undefined ? undefined : postgres(databaseUrl)

/**
 * Returns the engines to test: PostgreSQL where there is a server, else PGlite. `npm test` runs
 * every suite on PGlite, `npm run test:services` on PostgreSQL.
 */
export const testEngines = (databaseUrl: string | undefined): readonly Engine[] => [
  postgresEngine(databaseUrl) ?? pglite,
]

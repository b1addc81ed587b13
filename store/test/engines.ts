// The databases that the suite runs on: PGlite, or PostgreSQL where there is one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { openStore, type StoreOptions } from '../src/open.ts'
import { createMemoryDatabase, type MemoryDatabase, writeEmptyDatabase } from './memory-store.ts'

/** An empty database. Opened again, it has what was written before. */
export type TestDatabase = MemoryDatabase &
  Readonly<{
    /** Address for other stores and processes; throws for a database in memory. */
    options: StoreOptions
  }>

export type Engine = Readonly<{
  name: string
  /** Creates a database for this process; PGlite keeps it in memory. */
  createDatabase(): Promise<TestDatabase>
  /** Creates a database that other processes can open as well. */
  createSharedDatabase(): Promise<TestDatabase>
}>

const createTestDatabase = (options: StoreOptions, remove: () => Promise<void>): TestDatabase => ({
  options,
  open: (kept = {}) => openStore({ ...options, ...kept }),
  remove,
})

const pglite: Engine = {
  name: 'PGlite',
  createDatabase: async () => ({
    ...(await createMemoryDatabase()),
    get options(): never {
      throw new Error('this database is in memory: use createSharedDatabase for one on disk')
    },
  }),
  createSharedDatabase: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openvenue-store-'))
    const remove = () => rm(folder, { recursive: true, force: true })
    const dataDir = join(folder, 'db')
    await writeEmptyDatabase(dataDir)
    return createTestDatabase({ dataDir }, remove)
  },
}

let databases = 0

const postgres = (serverUrl: string): Engine => {
  const createDatabase = async () => {
    const name = `test_${process.pid}_${databases++}`
    await administer(serverUrl, `CREATE DATABASE ${name}`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    const remove = () => administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)
    return createTestDatabase({ databaseUrl: url.href }, remove)
  }
  return { name: 'PostgreSQL', createDatabase, createSharedDatabase: createDatabase }
}

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

// Databases of the suite: PGlite, or PostgreSQL where there is one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type StoreOptions } from '../src/open.ts'
import {
  createMemoryDatabase,
  type MemoryDatabase,
  writeBareDatabase,
  writeEmptyDatabase,
} from './memory-store.ts'
import { administer, databaseUrl, findTemplate } from './postgres-template.ts'

/** An empty database. Reopened, it has its earlier rows. */
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
  /** Creates a shared database without tables, for the first process to migrate. */
  createBareDatabase(): Promise<TestDatabase>
}>

const createTestDatabase = (options: StoreOptions, remove: () => Promise<void>): TestDatabase => ({
  options,
  open: (retention = {}) => openStore({ ...options, ...retention }),
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
  createSharedDatabase: () => createOnDisk(writeEmptyDatabase),
  createBareDatabase: () => createOnDisk(writeBareDatabase),
}

async function createOnDisk(write: (dataDir: string) => Promise<void>): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'openvenue-store-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const dataDir = join(folder, 'db')
  await write(dataDir)
  return createTestDatabase({ dataDir }, remove)
}

let databases = 0

const postgres = (serverUrl: string): Engine => {
  const run = (text: string) => administer(serverUrl, (client) => client.query(text))
  const create = async (from = '') => {
    const name = `test_${process.pid}_${databases++}`
    await run(`CREATE DATABASE ${name} ${from}`)
    const remove = async () => void (await run(`DROP DATABASE ${name} WITH (FORCE)`))
    return createTestDatabase({ databaseUrl: databaseUrl(serverUrl, name) }, remove)
  }
  const createDatabase = async () => create(`TEMPLATE ${await findTemplate(serverUrl)}`)
  return {
    name: 'PostgreSQL',
    createDatabase,
    createSharedDatabase: createDatabase,
    createBareDatabase: () => create(),
  }
}

/** Returns PostgreSQL on the server of `databaseUrl`, where databases may be created. */
export const postgresEngine = (databaseUrl: string | undefined): Engine | undefined =>
  databaseUrl === undefined ? undefined : postgres(databaseUrl)

/**
 * Returns the engines to test: PostgreSQL where there is a server, otherwise PGlite. `npm test`
 * runs every suite on PGlite, `npm run test:services` on PostgreSQL.
 */
export const testEngines = (databaseUrl: string | undefined): readonly Engine[] => [
  postgresEngine(databaseUrl) ?? pglite,
]

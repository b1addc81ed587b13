// PostgreSQL inside this process: one connection, which reads and writes take in turns.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PGlite, type Transaction as PGliteTransaction } from '@electric-sql/pglite'
import {
  type Call,
  copyStatement,
  type Db,
  isCopy,
  type Param,
  prepareText,
  type Row,
  SESSION_SETTINGS,
  type Session,
  type Sql,
  type Step,
  scriptOf,
  type Transaction,
} from './db.ts'
import { kinds, TABLES } from './tables.ts'

/**
 * Commits between two pieces of upkeep. No background process collects dead rows here, so the
 * writer does, one table at a time: a piece holds up the process for some milliseconds.
 */
const UPKEEP_COMMITS = 100
const UPKEEP: readonly string[] = [
  ...['checkpoint', 'blocks', 'feed', 'undo', ...kinds.map((what) => TABLES[what].name)].map(
    (table) => `VACUUM (ANALYZE) ${table}`,
  ),
  'CHECKPOINT',
]

/** Memory before speed: the working set of an embedded venue is small. No replica follows it. */
const CONFIGURATION = ['shared_buffers = 32MB', 'wal_level = minimal', 'max_wal_senders = 0']
/** Samples a few hundred rows a table: enough to tell large from small. */
const LITE_SETTINGS = `${SESSION_SETTINGS} SET default_statistics_target = 1;`

const asText = (value: string) => value
/** Types of what our queries return: bool, int8, int4, text, numeric. */
const TEXT = { 16: asText, 20: asText, 23: asText, 25: asText, 1700: asText }
const OPTIONS = { rowMode: 'array', parsers: TEXT } as const

type Runner = Pick<PGlite | PGliteTransaction, 'query' | 'exec'>

/** Opens the database in `dataDir`, or in memory. Throws when another process has `dataDir` open. */
export async function openPglite(dataDir: string | undefined): Promise<Db> {
  const release = dataDir === undefined ? () => {} : await claim(dataDir)
  const lite = await PGlite.create({
    ...(dataDir === undefined ? {} : { dataDir }),
    postgresqlconf: CONFIGURATION,
  }).catch((error) => {
    release()
    throw error
  })
  await lite.exec(LITE_SETTINGS)
  const sql = sqlOf(lite)
  return {
    engine: 'pglite',
    primary: sql,
    replica: sql,
    readTransaction: (work) => lite.transaction((tx) => work(sqlOf(tx))),
    script: async (text) => void (await lite.exec(text)),
    session: async () => sessionOf(lite),
    // The only process that can commit is this one.
    listen: () => () => {},
    ping: async () => void (await lite.exec('SELECT 1')),
    close: async () => {
      await lite.close()
      release()
    },
  }
}

const sqlOf = (runner: Runner): Sql => ({
  query: async (text, params: readonly Param[] = []) =>
    (await runner.query<Row>(text, [...params], OPTIONS)).rows as unknown as Row[],
})

function sessionOf(lite: PGlite): Session {
  let commits = 0
  const upkeep = async () => {
    commits += 1
    const due = commits / UPKEEP_COMMITS
    if (Number.isInteger(due)) await lite.exec(UPKEEP[due % UPKEEP.length] ?? 'CHECKPOINT')
  }
  return {
    prepare: async (statements) =>
      void (await lite.exec(`DEALLOCATE ALL;${statements.map(prepareText).join('')}`)),
    run: async (steps) => {
      if (steps.some(isCopy)) await lite.transaction((tx) => runSteps(tx, steps))
      else await lite.exec(scriptOf(steps))
      await upkeep()
    },
    transaction: async (work) => {
      const result = await lite.transaction((tx) => work(transactionOf(tx)))
      await upkeep()
      return result
    },
    isOpen: () => !lite.closed,
    close: async () => {},
  }
}

const transactionOf = (tx: PGliteTransaction): Transaction => ({
  ...sqlOf(tx),
  run: async (calls: readonly Call[]) => void (await tx.exec(scriptOf(calls))),
})

async function runSteps(tx: PGliteTransaction, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (isCopy(step)) {
      await tx.query(copyStatement(step, `'/dev/blob'`), [], { blob: new Blob([step.rows]) })
    } else await tx.exec(scriptOf([step]))
  }
}

const claimed = new Set<string>()

/**
 * Marks `dataDir` as ours: two processes in one directory would destroy it. The mark of a process
 * that no longer lives is taken over. Returns what removes it.
 */
async function claim(dataDir: string): Promise<() => void> {
  const path = `${resolve(dataDir)}.pid`
  await mkdir(dirname(path), { recursive: true })
  const holder = holderOf(path)
  if (claimed.has(path) || (holder !== process.pid && isAlive(holder))) {
    throw new Error(`a data directory is open once (${dataDir} is open in process ${holder})`)
  }
  claimed.add(path)
  writeFileSync(path, `${process.pid}\n`)
  return () => {
    claimed.delete(path)
    rmSync(path, { force: true })
  }
}

function holderOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the place of the database below the folder that keeps everything of a devnet. */
export const databaseDir = (dataDir: string) => join(dataDir, 'db')

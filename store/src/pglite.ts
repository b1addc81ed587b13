// PostgreSQL inside this process: one connection, which reads and writes take in turns.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PGlite, type Transaction as PGliteTransaction, type Results } from '@electric-sql/pglite'
import {
  copyStatement,
  type Db,
  isCopy,
  type Param,
  prepareText,
  SESSION_SETTINGS,
  type Session,
  type Sql,
  type SqlRow,
  type StatementCall,
  type Step,
  scriptText,
  type Transaction,
  type View,
} from './db.ts'
import { leasesInProcess } from './lease.ts'
import { PreparedTexts } from './pglite-prepared.ts'
import { kinds, TABLES } from './tables.ts'

/**
 * Commits between two pieces of upkeep. No background process collects dead rows here, so the
 * writer does, one table at a time: a piece holds up the process for some milliseconds, the longer
 * the more died since the last time.
 */
export const UPKEEP_COMMITS = 20
/** Upkeep begins so long after a commit, so that nobody waits for it who waits for the block. */
export const UPKEEP_DELAY_MS = 50
/** Their rows change all the time, and a plan that was made while they were empty is a bad one. */
const ORDER_TABLES = [
  'intents',
  'intent_log',
  'intent_head',
  'order_budgets',
  'orders',
  'account_days',
]
const OTHER_TABLES = [
  ...['checkpoint', 'blocks', 'feed', 'undo', 'notifications', 'equity_snapshots'],
  ...['relay_status', 'safeguard_head', 'cancel_timers', 'socket_nodes', 'ended_connections'],
  ...['disconnect_rules', 'mmp_rules', 'api_keys', 'key_relays', 'registrations'],
  ...['used_signatures', 'used_request_signatures', 'history_counts', 'notification_preferences'],
  ...['margin_warnings', 'order_origins'],
]
const RECORD_TABLES = kinds.map((what) => TABLES[what].name)
/** All whose rows change. */
export const UPKEEP_TABLES: readonly string[] = [
  ...new Set([...ORDER_TABLES, ...OTHER_TABLES, ...RECORD_TABLES]),
]
const half = Math.ceil(UPKEEP_TABLES.length / 2)
const UPKEEP: readonly string[] = [
  ...[...UPKEEP_TABLES.slice(0, half), ...ORDER_TABLES, ...UPKEEP_TABLES.slice(half)].map(
    (table) => `VACUUM (ANALYZE) ${table}`,
  ),
  'CHECKPOINT',
]

/**
 * Memory before speed: the working set of an embedded venue is small. No replica follows it.
 * Filling a new segment of the log with zeros would hold up the process for 45 ms every few hundred
 * blocks.
 */
const CONFIGURATION = [
  'shared_buffers = 32MB',
  'wal_level = minimal',
  'max_wal_senders = 0',
  'wal_init_zero = off',
]
/** Samples a few hundred rows a table: enough to distinguish large from small. */
const LITE_SETTINGS = `${SESSION_SETTINGS} SET default_statistics_target = 1;`

const asText = (value: string) => value
/** Types of what our queries return: bool, int8, int4, text, numeric. */
const TEXT = { 16: asText, 20: asText, 23: asText, 25: asText, 1700: asText }
/** Parsers given with a query would be merged with PGlite's own for each query. */
export const LITE_OPTIONS = { postgresqlconf: CONFIGURATION, parsers: TEXT }
const OPTIONS = { rowMode: 'array' } as const

type Runner = Pick<PGlite | PGliteTransaction, 'query' | 'exec'>

/** The part of a PGlite that a store uses. */
export type Lite = Pick<PGlite, 'query' | 'exec' | 'transaction' | 'closed' | 'close'>

/**
 * Opens the database in `dataDir`, or in memory. Throws when another process has `dataDir` open.
 */
export async function openPglite(dataDir: string | undefined): Promise<Db> {
  const release = dataDir === undefined ? () => {} : await claim(dataDir)
  const lite = await PGlite.create({
    ...(dataDir === undefined ? {} : { dataDir }),
    ...LITE_OPTIONS,
  }).catch((error) => {
    release()
    throw error
  })
  return serveLite(lite, release)
}

/** Serves the queries of a store from `lite`; `release` is called when it has closed. */
export async function serveLite(lite: Lite, release: () => void): Promise<Db> {
  await lite.exec(LITE_SETTINGS)
  const prepared = new PreparedTexts()
  const declared = new Set<string>()
  const sql = createSql(lite, prepared)
  const write: Db['writeTransaction'] = (work) =>
    lite.transaction((tx) => work(createSql(tx, prepared)))
  const read: Db['load'] = (work) => lite.transaction((tx) => work(createView(tx)))
  return {
    engine: 'pglite',
    // One connection serves all in the order in which they come.
    feed: sql,
    keys: sql,
    primary: sql,
    replica: sql,
    readTransaction: read,
    load: read,
    writeTransaction: write,
    writeTogether: (calls) =>
      write(async (sql) => {
        const rows: SqlRow[][] = []
        for (const { text, params } of calls) rows.push(await sql.query(text, params))
        return rows
      }),
    script: async (text) => void (await lite.exec(text)),
    maintain: (work) => work(async (text) => lastRows(await lite.exec(text, OPTIONS))),
    session: async () => createSession(lite, declared),
    // The only process that can commit is this one.
    listen: () => () => {},
    lease: leasesInProcess(),
    ping: async () => void (await lite.exec('SELECT 1')),
    close: async () => {
      await lite.close()
      release()
    },
  }
}

const lastRows = (results: readonly Results[]) =>
  (results.at(-1)?.rows ?? []) as unknown as SqlRow[]

const createSql = (runner: Runner, prepared?: PreparedTexts): Sql => {
  const execute = async (text: string) => lastRows(await runner.exec(text, OPTIONS))
  const ask = async (text: string, params: readonly Param[]) =>
    (await runner.query<SqlRow>(text, [...params], OPTIONS)).rows as unknown as SqlRow[]
  return {
    query: (text, params = []) => prepared?.run(text, params, execute) ?? ask(text, params),
  }
}

const createView = (runner: Runner): View => {
  const sql = createSql(runner)
  return {
    ...sql,
    each: async (text, params, take) => {
      for (const row of await sql.query(text, params)) take(row)
    },
  }
}

/** `declared`: names that the sessions before it have prepared. */
function createSession(lite: Lite, declared: Set<string>): Session {
  let commits = 0
  let failure: unknown
  const upkeep = async (text: string) => {
    await delay(UPKEEP_DELAY_MS, undefined, { ref: false })
    if (!lite.closed) await lite.exec(text)
  }
  /** Throws what went wrong with the upkeep, at the next one who writes. */
  const begin = () => {
    const error = failure
    failure = undefined
    if (error !== undefined) throw error
  }
  const committed = () => {
    commits += 1
    const due = commits / UPKEEP_COMMITS
    if (!Number.isInteger(due)) return
    upkeep(UPKEEP[due % UPKEEP.length] ?? 'CHECKPOINT').catch((error: unknown) => {
      failure = lite.closed ? undefined : error
    })
  }
  return {
    prepare: async (statements) => {
      const gone = [...declared].map((name) => `DEALLOCATE ${name};`)
      await lite.exec(`${gone.join('')}${statements.map(prepareText).join('')}`)
      declared.clear()
      for (const { name } of statements) declared.add(name)
    },
    run: async (steps) => {
      begin()
      if (steps.some(isCopy)) await lite.transaction((tx) => runSteps(tx, steps))
      else await lite.exec(scriptText(steps))
      committed()
    },
    transaction: async (work) => {
      begin()
      const result = await lite.transaction((tx) => work(createTransaction(tx)))
      committed()
      return result
    },
    isOpen: () => !lite.closed,
    close: async () => {},
  }
}

const createTransaction = (tx: PGliteTransaction): Transaction => ({
  ...createView(tx),
  run: async (calls: readonly StatementCall[]) => void (await tx.exec(scriptText(calls))),
})

async function runSteps(tx: PGliteTransaction, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (isCopy(step)) {
      await tx.query(copyStatement(step, `'/dev/blob'`), [], { blob: new Blob([step.rows]) })
    } else await tx.exec(scriptText([step]))
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
  const holder = readHolder(path)
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

function readHolder(path: string): number {
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

// PostgreSQL inside this process: one connection, which reads and writes share.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PGlite, type Transaction as PGliteTransaction, type Results } from '@electric-sql/pglite'
import { leasesInProcess } from '@openvenue/runtime/lease'
import {
  copyStatement,
  type Db,
  type DbSession,
  type DbView,
  isCopy,
  type Param,
  prepareText,
  SESSION_SETTINGS,
  type Sql,
  type SqlRow,
  type StatementCall,
  scriptText,
  type Transaction,
  type WriteStep,
} from './db.ts'
import { PreparedTexts } from './pglite-prepared.ts'
import { kinds, TABLES } from './tables.ts'

/**
 * Commits between two steps of upkeep. There is no background process to vacuum, so the writer
 * does, one table at a time: a step blocks the process for some milliseconds, growing with the
 * number of rows that died since.
 */
export const UPKEEP_COMMITS = 20
/** Delay of upkeep after a commit, so that requests waiting for the block do not wait for it. */
export const UPKEEP_DELAY_MS = 50
/** Their rows change constantly, and plans made while they were empty are bad. */
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
const RECORD_TABLES = kinds.map((kind) => TABLES[kind].name)
/** Tables whose rows change. */
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
 * Favours memory over speed: the working set of an embedded venue is small. It has no replica.
 * Zero-filling a new log segment would block the process for 45 ms every few hundred blocks.
 */
const CONFIGURATION = [
  'shared_buffers = 32MB',
  'wal_level = minimal',
  'max_wal_senders = 0',
  'wal_init_zero = off',
]
/** Samples a few hundred rows per table: enough to distinguish large from small. */
const LITE_SETTINGS = `${SESSION_SETTINGS} SET default_statistics_target = 1;`

const asText = (value: string) => value
/** Types in query results: bool, int8, int4, text, numeric. */
const TEXT = { 16: asText, 20: asText, 23: asText, 25: asText, 1700: asText }
/** Parsers passed with a query would be merged with PGlite's own for each query. */
export const LITE_OPTIONS = { postgresqlconf: CONFIGURATION, parsers: TEXT }
const OPTIONS = { rowMode: 'array' } as const

type Runner = Pick<PGlite | PGliteTransaction, 'query' | 'exec'>

/** The part of PGlite that a store uses. */
export type Lite = Pick<PGlite, 'query' | 'exec' | 'transaction' | 'closed' | 'close'>

/** Opens the database in `dataDir` or in memory. Throws when another process has it open. */
export async function openPglite(dataDir: string | undefined): Promise<Db> {
  const release = dataDir === undefined ? () => {} : await claimDirectory(dataDir)
  const lite = await PGlite.create({
    ...(dataDir === undefined ? {} : { dataDir }),
    ...LITE_OPTIONS,
  }).catch((error) => {
    release()
    throw error
  })
  return serveLite(lite, release)
}

/** Serves a store's queries from `lite`; calls `release` once it has closed. */
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
    // One connection serves all calls in order.
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
    // Only this process can commit.
    listen: () => () => {},
    // No other process can have replaced it.
    onConnect: () => {},
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

const createView = (runner: Runner): DbView => {
  const sql = createSql(runner)
  return {
    ...sql,
    each: async (text, params, take) => {
      for (const row of await sql.query(text, params)) take(row)
    },
  }
}

/** `declared`: names that earlier sessions have prepared. */
function createSession(lite: Lite, declared: Set<string>): DbSession {
  let commits = 0
  let failure: unknown
  const runUpkeep = async (text: string) => {
    await delay(UPKEEP_DELAY_MS, undefined, { ref: false })
    if (!lite.closed) await lite.exec(text)
  }
  /** Throws an upkeep error to the next writer. */
  const begin = () => {
    const error = failure
    failure = undefined
    if (error !== undefined) throw error
  }
  const committed = () => {
    commits += 1
    const due = commits / UPKEEP_COMMITS
    if (!Number.isInteger(due)) return
    runUpkeep(UPKEEP[due % UPKEEP.length] ?? 'CHECKPOINT').catch((error: unknown) => {
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

async function runSteps(tx: PGliteTransaction, steps: readonly WriteStep[]): Promise<void> {
  for (const step of steps) {
    if (isCopy(step)) {
      await tx.query(copyStatement(step, `'/dev/blob'`), [], { blob: new Blob([step.rows]) })
    } else await tx.exec(scriptText([step]))
  }
}

const claimed = new Set<string>()

/**
 * Claims `dataDir` for this process, since two processes would destroy it. The claim of a dead
 * process is replaced. Returns the function that releases it.
 */
async function claimDirectory(dataDir: string): Promise<() => void> {
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

/** Returns the database's folder within a devnet's data folder. */
export const databaseDir = (dataDir: string) => join(dataDir, 'db')

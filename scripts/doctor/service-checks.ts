// Checks the database, its replica, Redis, and whether ports are free.
import { readdirSync } from 'node:fs'
import { createServer, isIPv6 } from 'node:net'
import { join } from 'node:path'
import { ACCEPT_QUEUE, readKernelLimit } from '@openvenue/runtime/accept-queue'
import { openCache } from '@openvenue/store/db/cache'
import type { Db } from '@openvenue/store/db/db'
import { openPostgres } from '@openvenue/store/db/postgres'
import { CONNECTIONS_MAX } from '@openvenue/store/db/postgres-pools'
import { readServerState } from '@openvenue/store/maintenance/server-state'
import { readHead } from './chain-checks.ts'
import { bad, type Check, type Finding, messageOf, ok } from './finding.ts'
import type { Plan } from './plan.ts'
import { judgeServer } from './server-checks.ts'

/** PostgreSQL 14. */
const VERSION_MIN = 140_000
const REPLICA_BLOCKS_MAX = 30
const INDEXED_SECONDS_MAX = 60
const REDIS_TRIES = 8
/** A stream of its own, so that no follower gets the message. */
const NATS_CHECK = 'openvenue-doctor'
const HTTP_MS_MAX = 2_000
const MIGRATIONS = join(import.meta.dirname, '../../store/migrations')

export const checkDatabase =
  (plan: Plan): Check =>
  async () => {
    const { databaseUrl, databaseReadUrl } = plan
    const item = 'database'
    if (databaseUrl === undefined)
      return [ok(item, 'embedded: sufficient only for npm start and a single indexer')]
    const db = openPostgres(databaseUrl, databaseReadUrl)
    try {
      return await readDatabase(db, plan)
    } catch (error) {
      return [bad(item, messageOf(error), 'check DATABASE_URL and that PostgreSQL is running')]
    } finally {
      // Hanging connections are not waited for.
      void db.close().catch(() => undefined)
    }
  }

async function readDatabase(db: Db, plan: Plan): Promise<readonly Finding[]> {
  const [row = []] = await db.primary.query(
    "SELECT current_setting('server_version_num'), to_regclass('migrations')::text",
  )
  const [version, migrations] = row
  const state = await readServerState(db.primary, plan.nowMs)
  const findings = [
    checkVersion(Number(version)),
    ...judgeServer(state),
    await checkConnections(db),
  ]
  const item = 'migrations'
  if (migrations === null)
    return [
      ...findings,
      bad(item, 'none has run: the database is empty', 'start the indexer to create the tables'),
    ]
  const done = new Set(
    (await db.primary.query('SELECT name FROM migrations')).map(([name]) => name),
  )
  const missing = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql') && !done.has(file))
  if (missing.length > 0)
    return [
      ...findings,
      bad(item, `not yet run: ${missing.join(', ')}`, 'start the indexer of this version'),
    ]
  return [...findings, ok(item, `all ${done.size} have run`), ...(await readFeed(db, plan))]
}

export function checkVersion(version: number): Finding {
  const item = 'database'
  const text = `PostgreSQL ${Math.floor(version / 10_000)}`
  return version >= VERSION_MIN ? ok(item, text) : bad(item, text, 'use PostgreSQL 14 or newer')
}

/** Each API node and keeper listens; of the indexers, one writes. */
const PROCESSES = `SELECT current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int,
    count(*) FILTER (WHERE application_name IN ('openvenue listener', 'openvenue writer'))
  FROM pg_stat_activity WHERE datname = current_database()`

async function checkConnections(db: Db): Promise<Finding> {
  const [[room, processes] = []] = await db.primary.query(PROCESSES)
  return judgeConnections(Number(room), Number(processes))
}

export function judgeConnections(room: number, processes: number): Finding {
  const item = 'possible connections'
  const text = `${processes} running processes may open ${processes * CONNECTIONS_MAX} of ${room}`
  if (processes * CONNECTIONS_MAX <= room) return ok(item, text)
  return bad(item, text, 'raise max_connections of PostgreSQL')
}

const CHECKPOINT = 'SELECT seq, number, seconds, restored_to FROM checkpoint'

async function readFeed(db: Db, plan: Plan): Promise<readonly Finding[]> {
  const [[seq, number, seconds, awaited] = []] = await db.primary.query(CHECKPOINT)
  return [
    await checkIndexed(plan, number == null ? undefined : Number(number), Number(seconds)),
    ...checkWait(Number(number ?? -1), Number(awaited ?? -1)),
    ...(plan.databaseReadUrl === undefined ? [] : [await checkReplica(db, Number(seq))]),
  ]
}

/** Age of the database's newest block, and number of blocks that it lacks. */
async function checkIndexed(
  { nowMs, rpcUrls: [url = ''], lagMax }: Plan,
  number: number | undefined,
  seconds: number,
): Promise<Finding> {
  const item = 'indexed'
  if (number === undefined) return bad(item, 'no block yet', 'start the indexer')
  const age = Math.round(nowMs() / 1000 - seconds)
  // A node that is down is a finding of its own.
  const head = await readHead(url).catch(() => undefined)
  const lag = head === undefined ? 0 : head - number
  const behind = lag > lagMax ? `, ${lag} blocks behind the chain` : ''
  if (age <= INDEXED_SECONDS_MAX && lag <= lagMax) return ok(item, `block ${number}, ${age} s old`)
  return bad(item, `block ${number} is ${age} s old${behind}`, 'RUNBOOK.md#headlag')
}

async function checkReplica(db: Db, seq: number): Promise<Finding> {
  const item = 'replica'
  try {
    const [[behindSeq] = []] = await db.replica.query(CHECKPOINT)
    const lag = seq - Number(behindSeq)
    const text = `${Math.max(0, lag)} blocks behind`
    return lag <= REPLICA_BLOCKS_MAX ? ok(item, text) : bad(item, text, 'RUNBOOK.md#replicalag')
  } catch (error) {
    return bad(item, messageOf(error), 'check DATABASE_READ_URL')
  }
}

/** After a restore, or during a reindex for other contracts, relayers wait. */
function checkWait(number: number, awaited: number): readonly Finding[] {
  if (awaited <= number) return []
  const text = `accepts no orders before block ${awaited} is indexed; indexed: ${number}`
  return [bad('relayer', text, 'wait for the indexer, or see RUNBOOK.md#noleaseholder')]
}

export const checkRedis =
  ({ redisUrl }: Plan): Check =>
  async () => {
    if (redisUrl === undefined) return [ok('redis', 'not set: each process counts separately')]
    const cache = await openCache({ redisUrl, buckets: {} })
    try {
      return [await pingRedis(() => cache.ping())]
    } finally {
      await cache.close()
    }
  }

/** A busy machine may take longer than a request would wait. */
async function pingRedis(ping: () => Promise<void>): Promise<Finding> {
  let failure: unknown
  for (let tried = 0; tried < REDIS_TRIES; tried++) {
    try {
      await ping()
      return ok('redis', 'responds')
    } catch (error) {
      failure = error
    }
  }
  return bad('redis', messageOf(failure), 'check REDIS_URL and that Redis is running')
}

export const checkNats =
  ({ feedUrl }: Plan): Check =>
  async () => {
    if (feedUrl === undefined) return []
    const item = 'nats'
    try {
      const { openSession } = await import('@openvenue/store/broadcast/nats-session')
      const session = await openSession(feedUrl, NATS_CHECK, [`${NATS_CHECK}.>`])
      try {
        const startedMs = performance.now()
        await session.publish(`${NATS_CHECK}.doctor`, '', `${startedMs}`)
        return [ok(item, `stores a message in ${Math.ceil(performance.now() - startedMs)} ms`)]
      } finally {
        await session.close()
      }
    } catch (error) {
      return [bad(item, messageOf(error), 'check FEED_URL, and that NATS runs with JetStream')]
    }
  }

export function judgeQueue(limit: number | undefined): Finding {
  const item = 'accept queue'
  if (limit === undefined) return ok(item, 'the limit of the kernel is unknown here')
  const text = `net.core.somaxconn is ${limit}`
  if (limit >= ACCEPT_QUEUE) return ok(item, text)
  return bad(item, text, `run sysctl -w net.core.somaxconn=${ACCEPT_QUEUE}, and keep it`)
}

export const checkQueue: Check = async () => [judgeQueue(await readKernelLimit())]

/** A port used by a service of the venue is not a problem. */
export const checkPort =
  ({ host }: Plan, name: string, port: number): Check =>
  async () => {
    const item = `port ${name}`
    const code = await listen(host, port)
    if (code === undefined) return [ok(item, `${port} is free`)]
    if (code !== 'EADDRINUSE')
      return [bad(item, `${port} on ${host}: ${code}`, `set ${name} or HOST to a usable address`)]
    const shown = isIPv6(host) ? `[${host}]` : host
    const isOurs = await fetch(`http://${shown}:${port}/metrics`, {
      signal: AbortSignal.timeout(HTTP_MS_MAX),
    })
      .then(async (answer) => (await answer.text()).includes('openvenue_'))
      .catch(() => false)
    if (isOurs) return [ok(item, `${port} is used by a service of the venue`)]
    return [bad(item, `${port} is used by another program`, `stop it, or set ${name}`)]
  }

/** Returns why the port cannot be opened; undefined when it can. */
function listen(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  server.listen(port, host, () => server.close(() => resolve(undefined)))
  return promise
}

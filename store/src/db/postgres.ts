// PostgreSQL over the network: pools by purpose, one session that writes, one that listens.
import type { Db, Sql } from './db.ts'
import { createSight, postgresLeases } from './postgres-lease.ts'
import { PostgresListener } from './postgres-listener.ts'
import {
  type LimitOverrides,
  limitsOf,
  type Purpose,
  PurposePool,
  SESSION_AGE_MS_MAX,
  settings,
} from './postgres-pools.ts'
import { createSql, createView } from './postgres-rows.ts'
import { openSession } from './postgres-writer.ts'
import { Servers } from './servers.ts'

/**
 * The lock comes before the view: TRUNCATE of a wipe ignores older views, so they must not overlap.
 */
const BEGIN_READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  LOCK TABLE checkpoint IN ACCESS SHARE MODE`

/**
 * Opens `url` for writes and the feed, and `readUrl` for history and loads; connections are made as
 * needed. Every call fails in bounded time, even when the server does not answer.
 */
export function openPostgres(
  url: string,
  readUrl: string | undefined,
  given: LimitOverrides = {},
  ageMsMax = SESSION_AGE_MS_MAX,
): Db {
  let check = async (_sql: Sql) => {}
  const servers = new Servers(url, 'read-write')
  const readServers = readUrl === undefined ? servers : new Servers(readUrl, 'any')
  const createPool = (purpose: Purpose, from = servers) =>
    new PurposePool(from, purpose, {
      given: limitsOf(given, readUrl !== undefined),
      ageMsMax,
      // A replica is read only.
      check: async (sql) => (from === servers ? check(sql) : undefined),
    })
  const [feed, keys, primary] = [createPool('feed'), createPool('keys'), createPool('primary')]
  const [history, load] = [createPool('history', readServers), createPool('load', readServers)]
  // A replica does not migrate, and may lag too far to load from.
  const primaryLoad = readUrl === undefined ? load : createPool('load')
  const pools = new Set([feed, keys, primary, history, load, primaryLoad])
  const listener = new PostgresListener(servers, settings(servers, 'listener'), ageMsMax)
  const sightings = { everyMs: ageMsMax, isSeen: createSight(primary.sql) }
  return {
    engine: 'postgres',
    feed: feed.sql,
    keys: keys.sql,
    primary: primary.sql,
    replica: history.sql,
    readTransaction: (work, from = 'replica') =>
      (from === 'primary' ? primary : history).transaction(BEGIN_READING, (...client) =>
        work(createView(...client)),
      ),
    load: (work, from = 'replica') =>
      (from === 'primary' ? primaryLoad : load).transaction(BEGIN_READING, (...client) =>
        work(createView(...client)),
      ),
    writeTransaction: (work) =>
      keys.transaction('BEGIN', (...client) => work(createSql(...client))),
    writeTogether: (calls) => keys.together(calls),
    script: (text) => primaryLoad.alone(async (run) => void (await run(text))),
    maintain: (work) => primaryLoad.alone(work),
    session: (lost) => openSession(servers, { lost, check: (sql) => check(sql), sightings }),
    listen: (channel, onMessage, onLost = () => {}) => listener.listen(channel, onMessage, onLost),
    onConnect: (added) => {
      check = added
    },
    lease: postgresLeases(servers, settings(servers, 'lease'), sightings),
    ping: async () =>
      void (await Promise.all((readUrl === undefined ? [feed] : [feed, history]).map(ping))),
    pools: () => {
      const further = primaryLoad === load ? {} : { primary_load: primaryLoad }
      return listLoads({ feed, keys, primary, history, load, ...further })
    },
    close: async () => {
      listener.close()
      await Promise.all([...pools].map((pool) => pool.close()))
    },
  }
}

const ping = (pool: PurposePool) => pool.ping()

const listLoads = (pools: Readonly<Record<string, PurposePool>>) =>
  Object.entries(pools).map(([pool, { load }]) => ({ pool, ...load }))

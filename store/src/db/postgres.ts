// PostgreSQL over the network: pools by purpose, one session that writes, one that listens.
import type { Db, Sql } from './db.ts'
import { postgresLeases } from './postgres-lease.ts'
import { PostgresListener } from './postgres-listener.ts'
import { type LimitOverrides, type Purpose, PurposePool, settings } from './postgres-pools.ts'
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
): Db {
  let check = async (_sql: Sql) => {}
  const servers = new Servers(url, 'read-write')
  const readServers = readUrl === undefined ? servers : new Servers(readUrl, 'any')
  const createPool = (purpose: Purpose, from = servers) =>
    new PurposePool(from, purpose, {
      given,
      // A replica is read only.
      check: async (sql) => (from === servers ? check(sql) : undefined),
    })
  const [feed, keys, primary] = [createPool('feed'), createPool('keys'), createPool('primary')]
  const [history, load] = [createPool('history', readServers), createPool('load', readServers)]
  // A replica does not migrate, and may lag too far to load from.
  const primaryLoad = readUrl === undefined ? load : createPool('load')
  const pools = new Set([feed, keys, primary, history, load, primaryLoad])
  const listener = new PostgresListener(servers, settings(servers, 'listener'))
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
    session: (lost) => openSession(servers, lost, (sql) => check(sql)),
    listen: (channel, onMessage, onLost = () => {}) => listener.listen(channel, onMessage, onLost),
    onConnect: (added) => {
      check = added
    },
    lease: postgresLeases(servers, settings(servers, 'lease')),
    ping: async () => {
      await feed.ping()
      if (readUrl !== undefined) await history.ping()
    },
    pools: () => {
      const named = Object.entries({ feed, keys, primary, history, load })
      if (primaryLoad !== load) named.push(['primary_load', primaryLoad])
      return named.map(([pool, { load: connections }]) => ({ pool, ...connections }))
    },
    close: async () => {
      listener.close()
      await Promise.all([...pools].map((pool) => pool.close()))
    },
  }
}

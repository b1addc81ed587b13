// Stores behind Debian's PgBouncer in session mode, with its default settings otherwise.
import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeIntent } from '@openvenue/api/test/made-intents'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { freePort } from '../net/ports.ts'
import { Child } from './child.ts'
import { findOwner } from './postgres.ts'
import { until } from './until.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const WITHIN_MS = 30_000
/** Server connections: more than two stores use. */
const POOL_SIZE = 24
const WINDOWS = { trades: 0, candles: {}, settlements: 0, priceSeconds: 0, poolHoursFrom: 0 }

/** Timeout of statements by purpose. */
const LIMITS = { feed: '3s', keys: '3s', primary: '10s', replica: '5s' } as const

/** Any client becomes `postgres`, as for the suite's own server. */
const configOf = (server: URL, port: number) => `[databases]
* = host=${server.hostname} port=${server.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = ${POOL_SIZE}
`

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('stores behind PgBouncer', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-pgbouncer-'))
    let database: TestDatabase
    let bouncer: Child
    let url: string
    let store: Store
    let other: Store
    before(async () => {
      database = await postgres.createDatabase()
      const server = new URL(database.options.databaseUrl ?? '')
      const port = await freePort()
      const config = join(folder, 'pgbouncer.ini')
      writeFileSync(config, configOf(server, port))
      chmodSync(folder, 0o755)
      const owner = findOwner()
      if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
      const logPath = join(folder, 'pgbouncer.log')
      bouncer = Child.start({ command: PGBOUNCER, args: [config], logPath, cwd: '/', ...owner })
      url = `postgres://postgres@127.0.0.1:${port}${server.pathname}`
      const open = async () => {
        store = await openStore({ databaseUrl: url })
        return true
      }
      await until('PgBouncer is ready', open, WITHIN_MS)
      other = await openStore({ databaseUrl: url })
    })
    after(async () => {
      await store.close()
      await other.close()
      await bouncer.end('SIGINT', 5_000)
      await database.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    test('each pool has its limits, and another client none of them', async () => {
      for (const [purpose, limit] of Object.entries(LIMITS)) {
        const sql = store.db[purpose as keyof typeof LIMITS]
        for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout'])
          assert.deepEqual(await sql.query(`SHOW ${name}`), [[limit]], purpose)
        assert.deepEqual(await sql.query('SHOW jit'), [['off']])
      }
      await store.close()
      const limits = await other.db.maintain((run) =>
        run('SHOW idle_in_transaction_session_timeout'),
      )
      assert.deepEqual(limits, [['5min']], 'that of its own pool')
      store = await openStore({ databaseUrl: url })
    })

    test('indexer, API node and keeper work: writes, loads, the log, notifications and leases', async () => {
      const state = await store.writer.loadState()
      const header = { number: 0, hash: '0xa0', parentHash: '0x', seconds: 1_700_000_000 }
      assert.equal(state.head, undefined)
      let signals = 0
      const stop = other.reader.onSignal(() => {
        signals += 1
      })
      await until('it listens', async () => signals > 0, WITHIN_MS)
      const before = signals
      await store.writer.commit([{ header, changes: [] }], 0)
      await until('the commit is signalled', async () => signals > before, WITHIN_MS)
      const { seq } = await other.reader.snapshot(WINDOWS)
      assert.equal((await other.reader.feedAfter(seq - 1, 10)).length, 1)
      const [added] = await other.intents.add([makeIntent({ state: 'received' })])
      assert.ok(added !== undefined && 'added' in added)
      assert.equal((await store.intents.live()).intents.length, 1)
      const lease = await store.lease('keeper')
      assert.ok(lease?.isHeld())
      assert.equal(await other.lease('keeper'), undefined)
      const { signal } = new AbortController()
      const waiting = other.lease('keeper', { waitMs: WITHIN_MS, signal })
      await lease?.release()
      const next = await waiting
      assert.ok(next?.isHeld())
      await next?.release()
      stop()
    })
  })

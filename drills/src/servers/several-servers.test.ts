// DATABASE_URL and DATABASE_READ_URL that name a primary and its standby.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openPostgres } from '@openvenue/store/db/postgres'
import { openDatabase, openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { Postgres } from './postgres.ts'
import { until } from './until.ts'

const WITHIN_MS = 30_000
const AGE_MS = 1_000

/** Opens a port that leads new connections elsewhere, as a name does, and keeps the open ones. */
async function openName(firstPort: number) {
  let port = firstPort
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [source, target] of [
      [near, far],
      [far, near],
    ] as const) {
      source.on('error', () => target.destroy())
      source.on('close', () => target.destroy())
      source.pipe(target)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const lead = (other: number) => {
    port = other
  }
  return { port: (server.address() as AddressInfo).port, lead, close: () => void server.close() }
}

// PostgreSQL's programs are installed where there are services.
if (process.env.DATABASE_URL !== undefined)
  describe('a URL of a standby and its primary', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-several-'))
    let primary: Postgres
    let standby: Postgres
    before(async () => {
      chmodSync(folder, 0o755)
      for (const name of ['one', 'two']) mkdirSync(join(folder, name))
      const log = (name: string) => join(folder, `${name}.log`)
      primary = await Postgres.primary(join(folder, 'one'), log('one'))
      standby = await Postgres.startReplica(primary, join(folder, 'two'), log('two'))
    })
    after(async () => {
      await standby.stop()
      await primary.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    /** The standby comes first. */
    const urlOf = (attrs: string) => {
      const hosts = `127.0.0.1:${standby.port},localhost:${primary.port}`
      const query = attrs === '' ? '' : `?target_session_attrs=${attrs}`
      return `postgres://postgres:secret@${hosts}/postgres${query}`
    }
    const portOf = async (sql: Store['db']['primary']) =>
      Number((await sql.query('SELECT inet_server_port()'))[0]?.[0])

    test('every connection finds the primary, with a role and without', async () => {
      for (const attrs of ['read-write', 'primary', 'any', '']) {
        const store = await openStore({ databaseUrl: urlOf(attrs) })
        for (const sql of [store.db.feed, store.db.keys, store.db.primary, store.db.replica])
          assert.equal(await portOf(sql), primary.port)
        const lease = await store.lease('keeper')
        assert.ok(lease?.isHeld())
        await lease?.release()
        await store.writer.loadState()
        let heard = 0
        const stop = store.db.listen('one', () => {
          heard += 1
        })
        await until('it listens', async () => heard === 1, WITHIN_MS)
        await store.db.primary.query("SELECT pg_notify('one', 'x')::text")
        await until('it is notified', async () => heard === 2, WITHIN_MS)
        stop()
        await store.close()
      }
    })

    test('history is read from the server of the role that DATABASE_READ_URL asks for', async () => {
      const expected = {
        any: standby.port,
        'read-only': standby.port,
        standby: standby.port,
        'prefer-standby': standby.port,
        primary: primary.port,
      }
      for (const [attrs, port] of Object.entries(expected)) {
        const options = { databaseUrl: urlOf(''), databaseReadUrl: urlOf(attrs) }
        const db = await openDatabase(options)
        assert.equal(await portOf(db.replica), port, attrs)
        assert.equal(await portOf(db.primary), primary.port)
        await db.close()
      }
    })

    test('a lease and a writer end once their name leads to another server', async () => {
      mkdirSync(join(folder, 'three'))
      const log = join(folder, 'three.log')
      const successor = await Postgres.startReplica(primary, join(folder, 'three'), log)
      await successor.query('SELECT pg_promote()')
      const name = await openName(primary.port)
      const db = openPostgres(primary.url(name.port), undefined, {}, AGE_MS)
      let isLost = false
      const session = await db.session(() => {
        isLost = true
      })
      const lease = await db.lease('keeper')
      assert.deepEqual([session?.isOpen(), lease?.isHeld()], [true, true])
      // The former primary lives on, and so do connections to it.
      name.lead(successor.port)
      await lease?.lost
      await until('the writer has ended', async () => isLost, WITHIN_MS)
      const next = await db.lease('keeper')
      assert.ok(next?.isHeld())
      assert.equal(await portOf(db.primary), successor.port)
      await next?.release()
      await db.close()
      name.close()
      await successor.stop()
    })

    test('a promotion is followed; without any primary the error names each server', async () => {
      const store = await openStore({ databaseUrl: urlOf('read-write') })
      const reads = await openDatabase({
        databaseUrl: urlOf(''),
        databaseReadUrl: `postgres://postgres@localhost:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=prefer-standby`,
      })
      let heard = 0
      const stop = store.db.listen('one', () => {
        heard += 1
      })
      await until('it listens', async () => heard === 1, WITHIN_MS)
      const lsn = await primary.query('SELECT pg_current_wal_lsn()')
      const has = `SELECT pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn`
      await until('it is replicated', async () => (await standby.query(has)) === 'true', WITHIN_MS)
      await primary.kill()
      const failure = await store.db.keys.query('SELECT 1').then(
        () => assert.fail('there is no primary'),
        (error: Error) => error.message,
      )
      const down = `localhost:${primary.port} (connect ECONNREFUSED`
      assert.ok(failure.startsWith('no server can be used: '), failure)
      assert.ok(failure.includes(`127.0.0.1:${standby.port} (is a standby)`), failure)
      assert.ok(failure.includes(down), failure)
      assert.ok(!failure.includes('secret'), failure)
      await assert.rejects(store.lease('keeper'), /is a standby/)
      await standby.query('SELECT pg_promote()')
      const serves = () => portOf(store.db.primary).then((port) => port === standby.port)
      await until('the promoted standby serves', serves, WITHIN_MS)
      const lease = await store.lease('keeper')
      assert.ok(lease?.isHeld())
      await until('it listens again', async () => heard > 1, WITHIN_MS)
      assert.equal(await portOf(reads.replica), standby.port, 'a primary, where no standby is left')
      await lease?.release()
      stop()
      await store.close()
      await reads.close()
      await standby.kill()
      await assert.rejects(
        openStore({ databaseUrl: urlOf('read-write') }),
        (error: Error) => error.message.split('ECONNREFUSED').length > 2,
      )
    })
  })

// One connection listens on every channel, reconnects when lost, and closes without listeners.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { startBetween } from '../../test/between.ts'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import type { Db } from './db.ts'
import { openPostgres } from './postgres.ts'

const engine = postgresEngine(process.env.DATABASE_URL)

if (engine !== undefined)
  describe(`listening on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    let other: Store
    let db: Db
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      other = await database.open()
      db = store.db
    })
    after(async () => {
      await Promise.all([store.close(), other.close()])
      await database.remove()
    })
    const notify = (channel: string, payload: string) =>
      other.db.primary.query('SELECT pg_notify($1, $2)::text', [channel, payload])
    const listeners = async () => {
      const rows = await other.db.primary.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE application_name = 'openvenue listener' AND datname = current_database()`,
      )
      return rows.length
    }
    const listen = (channel: string) => {
      const heard: (string | undefined)[] = []
      return { heard, stop: db.listen(channel, (payload) => heard.push(payload)) }
    }

    test('each channel receives its notifications over one shared connection', async () => {
      const [one, two] = [listen('one'), listen('two')]
      await until('both listen', () => one.heard.length > 0 && two.heard.length > 0)
      const late = listen('one')
      await until('the late one listens', () => late.heard.length > 0)
      assert.deepEqual([one.heard, two.heard, late.heard], [[undefined], [undefined], [undefined]])
      await notify('one', 'a')
      await notify('two', 'b')
      await notify('three', 'c')
      await notify('one', '')
      await until('all is heard', () => one.heard.length === 3 && late.heard.length === 3)
      assert.deepEqual(one.heard, [undefined, 'a', ''])
      assert.deepEqual(two.heard, [undefined, 'b'])
      assert.deepEqual(late.heard, [undefined, 'a', ''])
      assert.equal(await listeners(), 1)
      late.stop()
      await notify('one', 'd')
      await until('the other hears on', () => one.heard.length === 4)
      assert.equal(late.heard.length, 3)
      one.stop()
      two.stop()
      await until('the connection ends', async () => (await listeners()) === 0)
    })

    test('a lost connection is replaced, and every channel learns that it may have missed some', async () => {
      const [one, two] = [listen('one'), listen('two')]
      await until('both listen', () => one.heard.length === 1 && two.heard.length === 1)
      await other.db.primary.query(
        `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
          WHERE application_name = 'openvenue listener' AND datname = current_database()`,
      )
      await until('both listen again', () => one.heard.length === 2 && two.heard.length === 2)
      await notify('two', 'x')
      await until('it hears again', () => two.heard.length === 3)
      assert.deepEqual(two.heard, [undefined, undefined, 'x'])
      one.stop()
      two.stop()
    })

    test('a dead connection is detected and replaced by another', async (t) => {
      const between = await startBetween(new URL(database.options.databaseUrl ?? ''))
      const behind = openPostgres(between.url, undefined)
      const heard: (string | undefined)[] = []
      let deaf = 0
      const hear = (payload: string | undefined) => void heard.push(payload)
      const stop = behind.listen('one', hear, () => {
        deaf += 1
      })
      await until('it listens', () => heard.length === 1)
      between.freeze('openvenue listener')
      await notify('one', 'lost')
      const startMs = performance.now()
      await until('it sees that', () => deaf === 1)
      t.diagnostic(`noticed after ${(performance.now() - startMs).toFixed(0)} ms`)
      await until('it says so again', () => deaf === 3, 20_000)
      assert.deepEqual(heard, [undefined])
      between.thaw()
      await until('it listens again', () => heard.length === 2)
      await notify('one', 'z')
      await until('it hears', () => heard.length === 3)
      assert.deepEqual(heard, [undefined, undefined, 'z'])
      stop()
      await behind.close()
      between.close()
    })

    test('a permanently silent connection does not delay the shutdown', async () => {
      const between = await startBetween(new URL(database.options.databaseUrl ?? ''))
      const behind = openPostgres(between.url, undefined)
      const heard: (string | undefined)[] = []
      const stop = behind.listen('one', (payload) => void heard.push(payload))
      await until('it listens', () => heard.length === 1)
      between.freeze()
      stop()
      await behind.close()
      between.close()
    })

    test('the listener can start again right after it ended', async () => {
      listen('one').stop()
      const again = listen('one')
      await until('it listens', () => again.heard.length > 0)
      await notify('one', 'y')
      await until('it hears', () => again.heard.includes('y'))
      again.stop()
      await until('the connections end', async () => (await listeners()) === 0)
    })
  })

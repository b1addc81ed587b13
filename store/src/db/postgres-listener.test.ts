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
      const messages: (string | undefined)[] = []
      return { heard: messages, stop: db.listen(channel, (payload) => messages.push(payload)) }
    }

    test('each notification channel receives its own over one shared connection', async () => {
      const [first, second] = [listen('one'), listen('two')]
      await until('both listen', () => first.heard.length > 0 && second.heard.length > 0)
      const late = listen('one')
      await until('the late one listens', () => late.heard.length > 0)
      assert.deepEqual(
        [first.heard, second.heard, late.heard],
        [[undefined], [undefined], [undefined]],
      )
      await notify('one', 'a')
      await notify('two', 'b')
      await notify('three', 'c')
      await notify('one', '')
      await until('all is heard', () => first.heard.length === 3 && late.heard.length === 3)
      assert.deepEqual(first.heard, [undefined, 'a', ''])
      assert.deepEqual(second.heard, [undefined, 'b'])
      assert.deepEqual(late.heard, [undefined, 'a', ''])
      assert.equal(await listeners(), 1)
      late.stop()
      await notify('one', 'd')
      await until('the other hears on', () => first.heard.length === 4)
      assert.equal(late.heard.length, 3)
      first.stop()
      second.stop()
      await until('the connection ends', async () => (await listeners()) === 0)
    })

    test('a lost connection is replaced, and every channel learns that it may lack notifications', async () => {
      const [first, second] = [listen('one'), listen('two')]
      await until('both listen', () => first.heard.length === 1 && second.heard.length === 1)
      await other.db.primary.query(
        `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
          WHERE application_name = 'openvenue listener' AND datname = current_database()`,
      )
      await until('both listen again', () => first.heard.length === 2 && second.heard.length === 2)
      await notify('two', 'x')
      await until('it hears again', () => second.heard.length === 3)
      assert.deepEqual(second.heard, [undefined, undefined, 'x'])
      first.stop()
      second.stop()
    })

    test('a dead connection is detected and replaced by another', async (t) => {
      const between = await startBetween(new URL(database.options.databaseUrl ?? ''))
      const behind = openPostgres(between.url, undefined)
      const messages: (string | undefined)[] = []
      let losses = 0
      const onMessage = (payload: string | undefined) => void messages.push(payload)
      const stop = behind.listen('one', onMessage, () => {
        losses += 1
      })
      await until('it listens', () => messages.length === 1)
      between.freeze('openvenue listener')
      await notify('one', 'lost')
      const startMs = performance.now()
      await until('it sees that', () => losses === 1)
      t.diagnostic(`noticed after ${(performance.now() - startMs).toFixed(0)} ms`)
      await until('it says so again', () => losses === 3, 20_000)
      assert.deepEqual(messages, [undefined])
      between.thaw()
      await until('it listens again', () => messages.length === 2)
      await notify('one', 'z')
      await until('it hears', () => messages.length === 3)
      assert.deepEqual(messages, [undefined, undefined, 'z'])
      stop()
      await behind.close()
      between.close()
    })

    test('a connection that stays silent does not delay the shutdown of the listener', async () => {
      const between = await startBetween(new URL(database.options.databaseUrl ?? ''))
      const behind = openPostgres(between.url, undefined)
      const messages: (string | undefined)[] = []
      const stop = behind.listen('one', (payload) => void messages.push(payload))
      await until('it listens', () => messages.length === 1)
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

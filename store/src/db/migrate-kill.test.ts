// A migrating process is killed: the next one finds each script either applied or not started.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { openDatabase } from '../open.ts'
import type { Store } from '../store.ts'
import { migrate } from './migrate.ts'

const MIGRATING = join(import.meta.dirname, '../../test/migrating.ts')
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const KILLS = 3
/** Maximum number of kills until scripts have run, on a busy machine. */
const KILLS_MAX = 10
/** Time by which scripts have usually run; doubled each time that none has. */
const KILLED_MS_MAX = 600
const GOODS = 'CREATE TABLE goods (id bigint PRIMARY KEY); INSERT INTO goods VALUES (1), (2)'
/** More rows than a page cache holds. */
const CHANGES = `ALTER TABLE goods ADD COLUMN price bigint;
  CREATE TABLE stores (id bigint PRIMARY KEY, text text);
  INSERT INTO stores SELECT i, repeat('x', 200) FROM generate_series(1, 100000) i;
  UPDATE goods SET price = id;
  CREATE INDEX goods_by_price ON goods (price)`
const GROWN_BYTES = 10_000_000
const MIDWAY_MS_MAX = 60_000

const SCHEMA = `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'ran ' || name FROM migrations ORDER BY 1`

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`a migration whose process is killed, on ${engine.name}`, () => {
    const databases: TestDatabase[] = []
    const children: ChildProcess[] = []
    let folder = ''
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'openvenue-migrating-'))
    })
    after(async () => {
      for (const child of children) child.kill('SIGKILL')
      for (const database of databases) await database.remove()
      await rm(folder, { recursive: true })
    })

    const make = async (made: Promise<TestDatabase>) => {
      databases.push(await made)
      return made
    }
    const start = ({ options }: TestDatabase, ...args: readonly string[]) => {
      const child = spawn(process.execPath, [MIGRATING, JSON.stringify(options), ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      children.push(child)
      return child
    }
    const kill = async (child: ChildProcess) => {
      if (child.exitCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    }
    const withStore = async <T>(database: TestDatabase, use: (store: Store) => Promise<T>) => {
      const store = await database.open()
      try {
        return await use(store)
      } finally {
        await store.close()
      }
    }
    const schemaOf = (database: TestDatabase) =>
      withStore(database, async ({ db }) => (await db.primary.query(SCHEMA)).flat())

    /** Waits until a script is in progress. */
    const midway = async ({ options: { dataDir = '' } }: TestDatabase, store?: Store) => {
      const fromBytes = sizeOf(dataDir)
      const isThere = async () => {
        if (store === undefined) return sizeOf(dataDir) - fromBytes > GROWN_BYTES
        const sleeping = await store.db.primary.query(`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event = 'PgSleep'`)
        return sleeping.length > 0
      }
      await until('the script is in its middle', isThere, MIDWAY_MS_MAX)
    }

    test('a script is applied as a whole or not at all, and the next process continues', async () => {
      const database = await make(engine.createSharedDatabase())
      await withStore(database, async () => {})
      const isShared = engine.name !== 'PGlite'
      await writeFile(join(folder, '9001-goods.sql'), GOODS)
      // The server completes the statement although its client is gone.
      const stay = isShared ? 'SELECT pg_sleep(2)' : 'DO $$ BEGIN LOOP NULL; END LOOP; END $$'
      await writeFile(join(folder, '9002-changes.sql'), `${CHANGES}; ${stay}`)
      const watch = isShared ? await database.open() : undefined
      const child = start(database, folder)
      await midway(database, watch)
      await kill(child)
      await writeFile(join(folder, '9002-changes.sql'), CHANGES)
      await watch?.close()
      const next = start(database, folder)
      assert.deepEqual(await once(next, 'exit'), [0, null])
      await withStore(database, async ({ db }) => {
        const ask = async (text: string) => (await db.primary.query(text)).flat()
        assert.deepEqual(await ask('SELECT count(*)::text FROM stores'), ['100000'])
        assert.deepEqual(await ask('SELECT price FROM goods ORDER BY id'), ['1', '2'])
        assert.deepEqual(await ask(`SELECT name FROM migrations WHERE name > '9' ORDER BY 1`), [
          '9001-goods.sql',
          '9002-changes.sql',
        ])
      })
    })

    test(`the project's scripts create the same tables through kills at any moment (seed ${SEED})`, async (t) => {
      const whole = await make(engine.createSharedDatabase())
      const broken = await make(engine.createBareDatabase())
      const expected = await schemaOf(whole)
      const ran: number[] = []
      let msMax = KILLED_MS_MAX
      for (let at = 0; at < KILLS || (ran.at(-1) === 0 && at < KILLS_MAX); at++) {
        const child = start(broken)
        await Promise.race([once(child.stdout as never, 'data'), once(child, 'exit')])
        await delay(((SEED % 997) * (at + 1) * 131) % msMax)
        await kill(child)
        const db = await openDatabase(broken.options)
        ran.push((await db.primary.query(`SELECT name FROM migrations`).catch(() => [])).length)
        await db.close()
        if (ran.at(-1) === 0) msMax *= 2
      }
      assert.ok((ran.at(-1) ?? 0) > 0, 'it was killed after the first script')
      t.diagnostic(`scripts that had run after each kill: ${ran}`)
      assert.deepEqual(
        ran,
        ran.toSorted((a, b) => a - b),
      )
      const db = await openDatabase(broken.options)
      await migrate(db)
      await db.close()
      assert.deepEqual(await schemaOf(broken), expected)
    })
  })

const sizeOf = (folder: string) =>
  (folder === '' ? [] : globSync(`${folder}/**`)).reduce((sum, path) => {
    const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 }
    return sum + size
  }, 0)

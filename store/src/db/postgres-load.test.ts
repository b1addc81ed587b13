// A load streams its rows, and ends in bounded time whatever happens to the statement.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '@openvenue/core/test/until'
import { processId } from '../../test/backends.ts'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import { within } from '../../test/waits.ts'
import type { Db, SqlRow } from './db.ts'
import { openPostgres } from './postgres.ts'

const engine = postgresEngine(process.env.DATABASE_URL)
/** Far above the time of a failure, and far below an endless wait. */
const ENDS_MS_MAX = 15_000
/** Fails at the row where the divisor is zero, after many others. */
const FAILS_LATE = 'SELECT n, 1 / (50000 - n) FROM generate_series(1, 100000) AS n'

if (engine !== undefined)
  describe('a load from PostgreSQL', () => {
    let database: TestDatabase
    let db: Db
    before(async () => {
      database = await engine.createDatabase()
      await (await database.open()).close()
      db = openPostgres(database.options.databaseUrl ?? '', undefined, {
        load: { silenceMsMax: 3000 },
      })
    })
    after(async () => {
      await db.close()
      await database.remove()
    })
    const each = (text: string, take: (row: SqlRow) => void = () => {}) =>
      db.load((view) => view.each(text, [], take))
    const openTransactions = async () =>
      (
        await db.primary.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND state LIKE 'idle in transaction%'`,
        )
      ).length
    const works = async () => {
      const rows: SqlRow[] = []
      await each('SELECT n, NULL FROM generate_series(1, 3) AS n', (row) => rows.push(row))
      assert.deepEqual(rows, [
        ['1', null],
        ['2', null],
        ['3', null],
      ])
    }

    test('an SQL error during a load ends it and leaves no open transaction', async () => {
      let rows = 0
      const load = each(FAILS_LATE, () => {
        rows += 1
      })
      await assert.rejects(within(ENDS_MS_MAX, load), /division by zero/)
      assert.ok(rows > 1000, `${rows} rows came before`)
      await until('no transaction stands open', async () => (await openTransactions()) === 0)
      await works()
    })

    test('a load that is cancelled ends, and the next load succeeds', async () => {
      let pid = ''
      const load = db.load(async (view) => {
        pid = await processId(view)
        await view.each('SELECT pg_sleep(600)', [], () => {})
      })
      const cancelled = assert.rejects(within(ENDS_MS_MAX, load), /canceling statement/)
      await until('it sleeps', async () => {
        const text = `SELECT pg_cancel_backend(pid)::text FROM pg_stat_activity
          WHERE pid = $1 AND query LIKE '%pg_sleep%' AND state = 'active'`
        return pid !== '' && (await db.primary.query(text, [pid])).length > 0
      })
      await cancelled
      await until('no transaction stands open', async () => (await openTransactions()) === 0)
      await works()
    })

    test('a row that cannot be processed ends the load with its error', async () => {
      const load = each('SELECT n FROM generate_series(1, 1000000) AS n', ([n]) => {
        if (n === '7') throw new Error('no seventh')
      })
      await assert.rejects(within(ENDS_MS_MAX, load), /no seventh/)
      await until('no transaction stands open', async () => (await openTransactions()) === 0)
      await works()
    })

    test('a frozen server process ends the load in bounded time', async () => {
      let pid = 0
      let rows = 0
      const load = db.load(async (view) => {
        pid = Number(await processId(view))
        await view.each(
          `SELECT n, repeat('x', 100) FROM generate_series(1, 10000000) AS n`,
          [],
          () => {
            rows += 1
            if (rows === 1000) process.kill(pid, 'SIGSTOP')
          },
        )
      })
      try {
        await assert.rejects(within(ENDS_MS_MAX, load), /nothing came/)
        await works()
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      await until('no transaction stands open', async () => (await openTransactions()) === 0)
    })

    test('a suspended process keeps its view open no longer than the limit', async () => {
      const given = JSON.stringify({ load: { silenceMsMax: 1000 } })
      const program = join(import.meta.dirname, '../../test/long-load.ts')
      const child = spawn(process.execPath, [program, database.options.databaseUrl ?? '', given], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const loads = async () =>
        (
          await db.primary.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
              AND application_name = 'openvenue load' AND backend_xmin IS NOT NULL`,
          )
        ).length
      try {
        await once(child.stdout, 'data')
        child.kill('SIGSTOP')
        await until('the server ends it', async () => (await loads()) === 0, ENDS_MS_MAX)
      } finally {
        child.kill('SIGKILL')
      }
    })

    test('rows of a load are passed on as they arrive, and the driver keeps none', async () => {
      // Garbage counts as freed, whenever it is collected.
      setFlagsFromString('--expose-gc')
      const collect: () => void = runInNewContext('gc')
      const heapMb = () => {
        collect()
        return process.memoryUsage().heapUsed / 1e6
      }
      const before = heapMb()
      let peak = 0
      let rows = 0
      await each(`SELECT n, repeat('x', 500) FROM generate_series(1, 400000) AS n`, () => {
        rows += 1
        if (rows % 20_000 === 0) peak = Math.max(peak, heapMb() - before)
      })
      assert.equal(rows, 400_000)
      // All rows would take 200 MB.
      assert.ok(peak < 100, `${peak.toFixed(0)} MB above the start`)
    })
  })

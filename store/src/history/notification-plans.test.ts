// Query plans of notifications and snapshots at the size of years of trading.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { walletFilter } from '../../test/notifications.ts'
import type { Param } from '../db/db.ts'
import type { Store } from '../store.ts'
import { EQUITY_SQL } from './equity-rows.ts'
import { NOTIFICATION_SQL } from './notification-rows.ts'
import type { NotificationQuery } from './notifications.ts'

/** PGlite is for small venues, and its test runs on every change. */
const ROWS = { PGlite: 20_000, PostgreSQL: 1_000_000 } as const
/** A statement is first planned for its arguments, and later once for all. */
const MODES = ['force_custom_plan', 'force_generic_plan'] as const
const [BUSY, QUIET] = ['0xbusy', '0x7'] as const
const START_SECONDS = 1_700_000_000

/** One row in a hundred belongs to the busy wallet; each of the others has 200. */
const walletText = (rows: number) =>
  `CASE WHEN n % 100 = 0 THEN '${BUSY}' ELSE '0x' || n % (${rows} / 200) END`
const fill = (rows: number) => `
  INSERT INTO notifications (wallet, id, type, seconds, block_number, block_hash, data, is_listed,
    is_pushed, read_ms)
  SELECT ${walletText(rows)}, 'id-' || n, CASE WHEN n % 3 = 0 THEN 'order_filled' ELSE 'order_cancelled' END,
    ${START_SECONDS} + n, n / 10, '0xhash', '{}', n % 50 > 0, true, CASE WHEN n % 2 = 0 THEN 1 END
  FROM generate_series(1, ${rows}) n;
  INSERT INTO equity_snapshots (wallet, seconds, equity, is_hourly)
  SELECT ${walletText(rows)}, ${START_SECONDS} + n, n, n < ${rows} / 2 FROM generate_series(1, ${rows}) n;`

type PlanCase = readonly [of: string, text: string, params: readonly Param[]]

for (const engine of testEngines(process.env.DATABASE_URL)) {
  const rows = ROWS[engine.name as keyof typeof ROWS]
  describe(`notifications and snapshots on ${engine.name} with ${rows} rows a table`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      await store.db.script(fill(rows))
      await store.db.primary.query('VACUUM ANALYZE notifications')
      await store.db.primary.query('VACUUM ANALYZE equity_snapshots')
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    const check = (title: string, cases: readonly PlanCase[]) =>
      test(`${title}: an index serves each query in order`, async () => {
        for (const planCase of cases)
          for (const mode of MODES) {
            const plan = await explain(planCase, mode)
            const message = `${planCase[0]}, ${mode}\n${plan.join('\n')}`
            const bad = plan.filter((line) => /Seq Scan|Sort(?! Key)/.test(line))
            assert.deepEqual(bad, [], message)
            assert.ok(plan.join().includes('Index'), message)
          }
      })

    const middle = START_SECONDS + rows / 2
    const pages = [BUSY, QUIET].flatMap((wallet) =>
      (['all', 'unread', 'read'] as const).flatMap((status) =>
        [true, false].flatMap((isAscending) =>
          [undefined, { seconds: middle, id: 'id-5' }].flatMap((database) =>
            [undefined, 'order_filled'].map((type): PlanCase => {
              const filter = { ...walletFilter(wallet), status, type }
              const query: NotificationQuery = {
                ...filter,
                isAscending,
                after: database,
                limit: 51,
              }
              const beyond = database === undefined ? [] : [database.seconds, database.id]
              const params = [wallet, 0, 4_000_000_000, type ?? null, 51, ...beyond]
              return [JSON.stringify(query), NOTIFICATION_SQL.page(query), params]
            }),
          ),
        ),
      ),
    )
    check('pages', pages)
    check('counts', [
      ['all', NOTIFICATION_SQL.count('all'), [BUSY, 0, 4_000_000_000, null]],
      ['unread', NOTIFICATION_SQL.count('unread'), [QUIET, 0, 4_000_000_000, null]],
    ])
    check('single notifications', [
      ['one', NOTIFICATION_SQL.find, [BUSY, 'id-100']],
      ['mark', NOTIFICATION_SQL.mark, [BUSY, '{id-100,id-200}', 5]],
      ['mark all', NOTIFICATION_SQL.markAll, [QUIET, middle, 5]],
      ['delete', NOTIFICATION_SQL.remove, [BUSY, 'id-100']],
    ])
    check('what the upkeep reads', [
      ['wallets', NOTIFICATION_SQL.wallets, ['']],
      ['snapshots beyond 400 days', EQUITY_SQL.expire, [START_SECONDS + 100, 100, 'true']],
    ])
    check('snapshots', [
      ['a month', EQUITY_SQL.range, [BUSY, middle, middle + 5000, 3600]],
      ['all', EQUITY_SQL.range, [QUIET, 0, 4_000_000_000, 3600]],
    ])

    const explain = ([, text, params]: PlanCase, mode: string): Promise<string[]> =>
      store.db.writeTransaction(async (sql) => {
        const name = `planned_${statements++}`
        await sql.query(`SELECT set_config('plan_cache_mode', '${mode}', true)`)
        await sql.query(`PREPARE ${name} AS ${text}`)
        const args = params.map((param) =>
          param === null ? 'NULL' : typeof param === 'number' ? param : `'${param}'`,
        )
        const lines = await sql.query(`EXPLAIN EXECUTE ${name}(${args.join(', ')})`)
        await sql.query(`DEALLOCATE ${name}`)
        return lines.map(([line]) => String(line))
      })
  })
}

let statements = 0

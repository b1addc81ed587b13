// PostgreSQL itself is killed during a migration: an interrupted script leaves nothing, and an
// interrupted index is rebuilt, without manual steps.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { migrate } from '@openvenue/store/db/migrate'
import { openDatabase, openStore } from '@openvenue/store/open'
import { Postgres } from './postgres.ts'
import { until } from './until.ts'

const WITHIN_MS = 30_000
const GOODS = `CREATE TABLE goods (id bigint PRIMARY KEY);
  INSERT INTO goods SELECT generate_series(1, 1000)`
const CHANGES = `ALTER TABLE goods ADD COLUMN price bigint;
  UPDATE goods SET price = id; CREATE TABLE stores (id bigint)`
const INDEX = 'CREATE INDEX CONCURRENTLY goods_by_id ON goods (id)'

// PostgreSQL's programs are installed where there are services.
if (process.env.DATABASE_URL !== undefined)
  describe('a migration with a killed server', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-migrating-'))
    const scripts = join(folder, 'scripts')
    let server: Postgres
    before(async () => {
      // PostgreSQL runs as another user.
      chmodSync(folder, 0o755)
      mkdirSync(scripts)
      mkdirSync(join(folder, 'server'))
      server = await Postgres.primary(join(folder, 'server'), join(folder, 'server.log'))
      const store = await openStore({ databaseUrl: server.url() })
      await store.close()
    })
    after(async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    const write = (name: string, text: string) => writeFileSync(join(scripts, name), text)
    const run = async () => {
      const db = await openDatabase({ databaseUrl: server.url() })
      await migrate(db, scripts).finally(() => db.close())
    }
    const count = (from: string) => server.query(`SELECT count(*) FROM ${from}`)
    const killWhile = async (condition: string) => {
      const failed = assert.rejects(run())
      const isThere = async () => (await count(`pg_stat_activity WHERE ${condition}`)) === '1'
      await until('the migration is running', isThere, WITHIN_MS)
      await server.kill()
      await failed
      await server.start()
    }

    test('a server killed during a migration leaves nothing of its script, which then runs again', async () => {
      write('9001-goods.sql', GOODS)
      write('9002-changes.sql', `${CHANGES}; SELECT pg_sleep(3600)`)
      await killWhile(`wait_event = 'PgSleep'`)
      assert.equal(await count('goods'), '1000')
      assert.equal(await count(`pg_tables WHERE tablename = 'stores'`), '0')
      assert.equal(
        await count(`pg_attribute WHERE attrelid = 'goods'::regclass AND attname = 'price'`),
        '0',
      )
      assert.equal(await count(`migrations WHERE name = '9002-changes.sql'`), '0')
      write('9002-changes.sql', CHANGES)
      await run()
      assert.equal(await count('goods WHERE price = id'), '1000')
    })

    test('a server killed during a migration leaves an invalid index, which is rebuilt', async () => {
      write('9003-index.sql', INDEX)
      // A build waits for earlier writers.
      const db = await openDatabase({ databaseUrl: server.url() })
      const released = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const writing = db.writeTransaction(async (sql) => {
        await sql.query('INSERT INTO goods VALUES (0, 0)')
        begun.resolve()
        await released.promise
      })
      const cut = assert.rejects(writing)
      await begun.promise
      await killWhile(
        `query LIKE 'CREATE INDEX CONCURRENTLY goods_by_id%' AND wait_event_type = 'Lock'`,
      )
      released.resolve()
      await cut
      await db.close()
      const valid = `pg_index WHERE indexrelid = to_regclass('goods_by_id') AND indisvalid`
      assert.equal(await count(valid), '0')
      assert.equal(await count(`migrations WHERE name = '9003-index.sql'`), '0')
      await run()
      assert.equal(await count(valid), '1')
      assert.equal(await count('goods'), '1000', 'uncommitted rows are gone')
    })
  })

// Old history is dropped on the primary while a query reads it on the replica: the primary
// continues at once, and the replica when the query has ended or was cancelled by the server.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { YEAR_ACCOUNTS, YEAR_MARKETS, yearBlock } from '@openvenue/store/test/years'
import { Client } from 'pg'
import { Postgres } from './postgres.ts'
import { until } from './until.ts'

const WITHIN_MS = 60_000
const DAY = 86_400
const PARTITION = 90 * DAY
const START = 220 * PARTITION
/** The default of PostgreSQL is 30 s. */
const STANDBY_DELAY = '2s'
const OLD = `fills_${START / PARTITION}`

// PostgreSQL's programs are installed where there are services.
if (process.env.DATABASE_URL !== undefined)
  describe('dropping history', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-retention-'))
    let primary: Postgres
    let replica: Postgres
    let store: Store
    let block = 0
    before(async () => {
      // PostgreSQL runs as another user.
      chmodSync(folder, 0o755)
      for (const name of ['primary', 'replica']) mkdirSync(join(folder, name))
      primary = await Postgres.primary(join(folder, 'primary'), join(folder, 'primary.log'))
      store = await openStore({ databaseUrl: primary.url() })
      await write(0)
      await write(PARTITION)
      await store.close()
      replica = await Postgres.startReplica(
        primary,
        join(folder, 'replica'),
        join(folder, 'replica.log'),
      )
      await replica.query(`ALTER SYSTEM SET max_standby_streaming_delay = '${STANDBY_DELAY}'`)
      await replica.query('SELECT pg_reload_conf()')
    })
    after(async () => {
      await store?.close()
      await replica?.stop()
      await primary?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    const write = (afterSeconds: number) => {
      block += 1
      const newBlock = yearBlock(block, START + afterSeconds + block, () => 0.5)
      return store.writer.commit([newBlock], Number.MAX_SAFE_INTEGER)
    }
    const isThere = async (server: Postgres) =>
      (await server.query(`SELECT to_regclass('${OLD}')::text`)) === OLD
    const headOf = (server: Postgres) => server.query('SELECT number FROM checkpoint')

    test('dropped history leaves the primary at once, and the replica when its reader has ended', async () => {
      const reader = new Client({ connectionString: replica.url() })
      // The server ends the connection of a reader that waits between two statements.
      reader.on('error', () => {})
      await reader.connect()
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      const { rowCount } = await reader.query(`SELECT id FROM ${OLD}`)
      assert.ok((rowCount ?? 0) > 0)

      store = await openStore({
        databaseUrl: primary.url(),
        databaseReadUrl: replica.url(),
        historyKeptDays: 180,
      })
      await write(3 * PARTITION)
      assert.equal(
        await isThere(primary),
        false,
        'a reader of the replica does not block the primary',
      )
      await write(3 * PARTITION)
      // Pages come from the primary meanwhile, or from the replica when it continues.
      const { rows } = await store.history.rows(
        'fill',
        {
          account: YEAR_ACCOUNTS[1],
          markets: [...YEAR_MARKETS],
          isAscending: false,
          fromSeconds: 0,
          toSeconds: 2 ** 40,
          limit: 1000,
        },
        'primary',
      )
      assert.ok(rows.length > 0)
      const isLevel = async () => (await headOf(replica)) === String(block)
      await until('the replica catches up', isLevel, WITHIN_MS)
      assert.equal(await isThere(replica), false)
      await assert.rejects(reader.query(`SELECT id FROM ${OLD}`))
      await reader.end().catch(() => {})
    })
  })

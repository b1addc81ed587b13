// Restore drill: the database is lost, a backup is restored into a new one, and the chain is
// reindexed. All steps use an operator's commands while processes run.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { until } from '@openvenue/core/test/until'
import { CHAIN_TABLES } from '@openvenue/store/db/table-list'
import { tableDump } from '@openvenue/store/maintenance/dump'
import type { Store } from '@openvenue/store/store'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { apiAnswers } from '../test/api-answers.ts'
import { FakeChain } from '../test/chain.ts'
import { IndexerProcess } from '../test/indexer-process.ts'
import { type ServedChain, serveChain } from '../test/server.ts'
import { FAKE_DEPLOYMENT } from '../test/venue.ts'

const SEED = Number(process.env.RESTORE_SEED ?? 5)
const BLOCKS = 200
/** Enough rows that a restore takes a while. */
const SNAPSHOTS = 40_000
const SCRIPTS = join(import.meta.dirname, '../../scripts')
/**
 * Recreated by running processes. All other tables come from the chain or are compared row by row,
 * so that a table missing from backups fails here.
 */
const PASSING = ['socket_nodes', 'ended_connections', 'relay_status', 'migrations', 'feed_key']
/** Tables except partitions, which are reindexed. */
const TABLES = `SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p')
  AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1`
/** Later than any test, so that nothing is due. */
const LATER_MS = 4_000_000_000_000
const KEY = { id: 'ab'.repeat(16), secret: 'cd'.repeat(32) }
/** The key belongs to the account with the most fills. */
const KEY_ROW = `INSERT INTO api_keys (key, secret_hash, account, signing_key, created_ms, expires_ms)
  SELECT '${KEY.id}', '${hash('sha256', KEY.secret)}', wallet, '0xkey', 1, ${LATER_MS}
  FROM accounts a ORDER BY
    (SELECT count(*) FROM fills f WHERE f.account = a.account) DESC, account LIMIT 1`
const PUBLIC_PATHS = [
  ...['/markets', '/assets', '/relay/ledger', '/orderbook/ETH-USDC'],
  ...['/instrument/ETH-USDC/trade-history', '/candles?instrument_name=ETH-USDC&resolution=1'],
]
const PRIVATE_PATHS = [
  ...['/orders', '/open-orders', '/trade-history', '/order-history', '/position-history'],
  ...['/transaction-history', '/notifications', '/notifications/preferences', '/api-keys'],
]
/** With keys, an invite and the indexer's data: at least one row in every backed-up table. */
const ROWS = [
  `INSERT INTO registrations VALUES ('0xaa', '0xkey', 1, 'from a friend', 1, 2, NULL)`,
  `INSERT INTO used_signatures VALUES (sha256('pair'))`,
  `INSERT INTO order_budgets VALUES (1, 42, 1)`,
  `INSERT INTO used_request_signatures VALUES (sha256('request'), ${LATER_MS})`,
  `INSERT INTO notifications VALUES
    ('0xaa', 'read', 'fill', 5, NULL, NULL, '{"a":1}', true, false, 9),
    ('0xaa', 'deleted', 'fill', 6, NULL, NULL, '{"a":2}', false, false, NULL)`,
  `INSERT INTO notification_preferences VALUES ('0xaa', true, false, '{"fill": [true]}')`,
  `INSERT INTO margin_warnings VALUES ('0xengine', 3, 4, 5)`,
  `INSERT INTO key_relays (wallet, signing_key, expiry, wallet_signature, signing_key_signature,
    status, times, created_ms, updated_ms) VALUES ('0xaa', '0xkey', 1, 's', 't', 'failed', 1, 1, 1)`,
  ...['refused', 'expired'].map(
    (
      state,
      at,
    ) => `INSERT INTO intents VALUES ('0xid${at}', ${at + 1}, 'order', 1, '0xaa', 'm', 'l',
      '${state}', 1, '{}', 'mine-${at}', NULL, 99, 1, 7, NULL, NULL, 'WHY', ${LATER_MS}000000)`,
  ),
  `INSERT INTO intent_log (seq, id, state, at_ns, include_by_block, hash)
    VALUES (1, '0xid0', 'refused', 1, 7, NULL), (2, '0xid1', 'expired', 1, 7, repeat('2', 64))`,
  `UPDATE intent_head SET seq = 2, hash = repeat('2', 64)`,
  `INSERT INTO order_origins VALUES ('0x01', '{"clientOrderId": "mine"}')`,
  `INSERT INTO cancel_timers VALUES (1, '0xaa', 1, 1, ${LATER_MS}, true, '[]')`,
  'INSERT INTO disconnect_rules VALUES (1, true, 1)',
  `INSERT INTO mmp_rules VALUES (1, '0xaa', 'ETH', 1, 0, 5, NULL, 1, NULL, 2)`,
  'UPDATE safeguard_head SET changed = 2',
  `INSERT INTO equity_snapshots SELECT '0xaa', i, i, false FROM generate_series(1, ${SNAPSHOTS}) i`,
]

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe(`a venue whose database is lost, seed ${SEED}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-restore-'))
    const file = join(folder, 'venue.backup')
    const chain = new FakeChain(SEED)
    const databases: TestDatabase[] = []
    const running: IndexerProcess[] = []
    let served: ServedChain
    before(async () => {
      chain.mine({ blocks: BLOCKS, actions: 4 })
      served = await serveChain(chain)
      writeFileSync(join(folder, 'deployment.json'), JSON.stringify(FAKE_DEPLOYMENT))
      databases.push(await postgres.createBareDatabase(), await postgres.createBareDatabase())
    })
    after(async () => {
      for (const indexer of running) await indexer.end('SIGKILL')
      await served.close()
      for (const database of databases) await database.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    const env = (at: TestDatabase) => ({ DATABASE_URL: at.options.databaseUrl ?? '' })
    const command = (at: TestDatabase, name: string, args: readonly string[]) => {
      const { PATH = '' } = process.env
      return spawn(process.execPath, [join(SCRIPTS, `${name}.ts`), ...args], {
        env: { PATH, ...env(at) },
      })
    }
    const run = async (at: TestDatabase, name: string, ...args: readonly string[]) => {
      const child = command(at, name, args)
      const texts: string[] = []
      child.stdout.on('data', (text) => texts.push(String(text)))
      child.stderr.on('data', (text) => texts.push(String(text)))
      const [status] = await once(child, 'close')
      return { status, text: texts.join('') }
    }
    const index = async (at: TestDatabase) => {
      const indexer = new IndexerProcess(folder, served, env(at))
      running.push(indexer)
      await indexer.reaches(() => indexer.synced === chain.head.number)
      return indexer
    }
    const withStore = async <T>(at: TestDatabase, work: (store: Store) => Promise<T>) => {
      const store = await at.open()
      try {
        return await work(store)
      } finally {
        await store.close()
      }
    }
    const contents = (at: TestDatabase) =>
      withStore(at, async (store) => {
        const contentByTable: Record<string, readonly unknown[]> = {}
        for (const [table] of await store.db.primary.query(TABLES))
          if (!CHAIN_TABLES.includes(`${table}`) && !PASSING.includes(`${table}`))
            contentByTable[`${table}`] = await store.db.primary.query(
              `SELECT t::text FROM ${table} t ORDER BY 1`,
            )
        return { chain: await tableDump(store), kept: contentByTable }
      })
    const answers = async (at: TestDatabase) => {
      const more = { ...env(at), RPC_URL: served.url, DATA_DIR: folder, INDEXER_URL: served.url }
      const headers = { 'API-KEY': KEY.id, 'API-SECRET': KEY.secret }
      const paths = [...PUBLIC_PATHS, ...PRIVATE_PATHS]
      const answered = Object.entries(await apiAnswers(more, { paths, headers }))
      // Requests are recorded; a book has the node's start time, also in its checksum.
      const noted = /"last_used_timestamp":"\d+"|"last_updated_timestamp":\d+,"checksum":"\w+"/
      return Object.fromEntries(answered.map(([path, text]) => [path, text.replace(noted, '')]))
    }
    /** Kills a restore in the middle of its transaction. */
    const killHalfway = async (at: TestDatabase) => {
      const { kept: empty } = await contents(at)
      const child = command(at, 'restore', ['--in', file])
      const ended = once(child, 'close')
      await withStore(at, async ({ db }) => {
        await until('the restore is in its transaction', async () => {
          const busy = await db.primary.query(`SELECT 1 FROM pg_stat_activity
            WHERE application_name = 'openvenue writer' AND datname = current_database()
              AND query LIKE '%INSERT INTO equity_snapshots%' AND xact_start IS NOT NULL`)
          if (busy.length > 0) return true
          assert.equal(child.exitCode, null, 'the restore ended before it was killed')
          return false
        })
        child.kill('SIGKILL')
        await ended
      })
      assert.deepEqual((await contents(at)).kept, empty)
    }

    test('a lost database is complete after a restore, even a killed one, and a reindex', async () => {
      const [old, anew] = databases as [TestDatabase, TestDatabase]
      const indexer = await index(old)
      await withStore(old, async ({ db }) => {
        for (const text of [...ROWS, KEY_ROW]) await db.script(text)
      })
      const code = (await run(old, 'invites', 'create', '1')).text.trim()
      const made = await run(old, 'backup', '--out', file)
      assert.equal(made.status, 0, made.text)
      assert.match(made.text, new RegExp(`chain 5042002, block ${chain.head.number}\n$`))
      const written = gunzipSync(readFileSync(file)).toString()
      assert.ok(written.includes(hash('sha256', code)))
      assert.ok(!written.includes(code), 'a code is nowhere in plain')
      const early = await run(old, 'restore', '--in', file, '--replace')
      assert.match(early.text, /stop the services|stop them all/)
      await indexer.end('SIGTERM')
      const before = { ...(await contents(old)), answers: await answers(old) }
      const { kept: none } = await contents(anew)
      for (const [table, rows] of Object.entries(before.kept))
        assert.notDeepEqual(rows, none[table], `nothing is in ${table}`)
      for (const [path, answer] of Object.entries(before.answers))
        assert.match(answer, /^200 /, path)
      assert.match(before.answers['/trade-history'] ?? '', /"trade_id"/)
      await old.remove()
      databases.shift()

      await killHalfway(anew)
      const restored = await run(anew, 'restore', '--in', file, '--nothing-since')
      assert.equal(restored.status, 0, restored.text)
      await (await index(anew)).end('SIGTERM')
      const now = await contents(anew)
      assert.equal(now.chain, before.chain)
      assert.deepEqual(now.kept, before.kept)
      assert.deepEqual(await answers(anew), before.answers)
    })
  })

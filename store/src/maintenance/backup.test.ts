// Data that only the venue has is restored from a file, unless it may have been revoked since.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Engine, type TestDatabase, testEngines } from '../../test/engines.ts'
import { KEPT_TABLES } from '../db/table-list.ts'
import type { Store } from '../store.ts'
import { writeBackup } from './backup.ts'
import { BackupRefused } from './backup-lines.ts'
import { restoreBackup } from './restore.ts'
import { RESTORED, SEQ_GAP } from './restore-gap.ts'
import { endRestoreWait } from './restore-wait.ts'

const CHAIN_ID = 5042002
const NOW_MS = 1_800_000_000_000
const WALLET = `0x${'a1'.repeat(20)}`
const STRANGE = `a "quoted" \\ back\tslash\nline, {brace} and é`

/** At least one row in every backed-up table, with values that are hard to write. */
const ROWS = [
  `INSERT INTO registrations VALUES ('${WALLET}', '0xkey', 115792089237316195423570985008687907853269984665640564039457584007913129639935, E'a "quoted" \\\\ back\\tslash\\nline, {brace} and é', 1, 2, NULL)`,
  `INSERT INTO api_keys (key, secret_hash, account, signing_key, created_ms, expires_ms)
    VALUES ('key-1', 'hash-1', '${WALLET}', '0xkey', 1, ${NOW_MS * 2})`,
  `INSERT INTO invites VALUES ('invite-hash', 1, NULL, NULL)`,
  `INSERT INTO used_signatures VALUES (sha256('pair'))`,
  `INSERT INTO used_request_signatures VALUES (sha256('request'), ${NOW_MS})`,
  `INSERT INTO notifications VALUES ('${WALLET}', 'n1', 'fill', 5, 7, '0x07', '{"a":"NULL"}', true, false, 9)`,
  `INSERT INTO notification_preferences VALUES ('${WALLET}', true, false, '{"fill": [true]}')`,
  `INSERT INTO margin_warnings VALUES ('0xengine', 3, 4, NULL)`,
  `INSERT INTO equity_snapshots SELECT '${WALLET}', i, i * 10::numeric ^ 18, false FROM generate_series(1, 1201) i`,
  `INSERT INTO key_relays (wallet, signing_key, expiry, wallet_signature, signing_key_signature,
    status, times, created_ms, updated_ms) VALUES ('${WALLET}', '0xkey', 1, 's', 't', 'sent', 1, 1, 1)`,
  ...['queued', 'included'].map(
    (state, at) => `INSERT INTO intents VALUES ('id-${state}', ${at + 1}, 'order', 1, '${WALLET}',
      'm', 'l', '${state}', 1, '{}', 'mine-${at}', NULL, 99, 1, 7, NULL, NULL, NULL, 1)`,
  ),
  `INSERT INTO intent_log (seq, id, state, at_ns, include_by_block, hash)
    VALUES (1, 'id-queued', 'queued', 1, 7, NULL), (2, 'id-included', 'included', 1, 7, 'h2')`,
  `UPDATE intent_head SET seq = 2, hash = repeat('2', 64)`,
  'INSERT INTO order_budgets VALUES (1, 42, 1)',
  `INSERT INTO order_origins VALUES ('0x01', '{"clientOrderId": "a \\\\ name"}')`,
  `INSERT INTO cancel_timers VALUES (1, '${WALLET}', 1, 1, 2, true, '[]')`,
  'INSERT INTO disconnect_rules VALUES (1, true, 1)',
  `INSERT INTO mmp_rules VALUES (1, '${WALLET}', 'ETH', 1, 0, 5, NULL, 1, NULL, 2)`,
  'UPDATE safeguard_head SET changed = 2',
  'UPDATE checkpoint SET notified_to = 6',
]

function setUp(engine: Engine) {
  const databases: TestDatabase[] = []
  const stores: Store[] = []
  const state = { folder: '', path: '' }
  before(async () => {
    state.folder = await mkdtemp(join(tmpdir(), 'openvenue-backup-'))
    state.path = join(state.folder, 'venue.backup')
  })
  after(async () => {
    for (const store of stores) await store.close()
    for (const database of databases) await database.remove()
    await rm(state.folder, { recursive: true })
  })
  return {
    state,
    make: async () => {
      const database = await engine.createDatabase()
      databases.push(database)
      const store = await database.open()
      stores.push(store)
      return store
    },
  }
}

/** Returns all rows of the backed-up tables as text. */
async function keptRows({ db }: Store, tables: readonly string[] = KEPT_TABLES) {
  const rowsByTable: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await db.primary.query(`SELECT t::text FROM ${table} t`)
    rowsByTable[table] = rows.flat().map(String).toSorted()
  }
  return rowsByTable
}

const options = (path: string) => ({
  ...{ path, chainId: CHAIN_ID, nowMs: NOW_MS },
  ...{ isComplete: false, isReplacing: false },
})

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`backup and restore on ${engine.name}`, () => {
    const { state, make } = setUp(engine)
    let source: Store
    let empty: Store
    before(async () => {
      source = await make()
      empty = await make()
      for (const text of ROWS) await source.db.script(text)
      await writeBackup(source.db, { path: state.path, chainId: CHAIN_ID, nowMs: NOW_MS })
    })
    /** Checks that a failed restore left nothing. */
    const stillEmpty = async () => {
      const counts = Object.values(await keptRows(empty)).map((rows) => rows.length)
      assert.equal(
        counts.reduce((a, b) => a + b),
        2,
      )
    }
    const refuse = async (path: string, why: RegExp, more: object = {}) => {
      await assert.rejects(
        restoreBackup(empty.db, { ...options(path), ...more }),
        (error: Error) => {
          assert.ok(error instanceof BackupRefused, String(error.stack))
          assert.match(error.message, why)
          return true
        },
      )
      await stillEmpty()
    }
    const rewritten = async (change: (text: string) => string) => {
      const path = join(state.folder, `${randomBytes(4).toString('hex')}.backup`)
      await writeFile(path, gzipSync(change(gunzipSync(await readFile(state.path)).toString())))
      return path
    }

    test('a backup has every table, is readable by its owner only, and leaves no other file', async () => {
      const rows = await keptRows(source)
      for (const table of KEPT_TABLES) assert.ok((rows[table] ?? []).length > 0, table)
      assert.equal((await stat(state.path)).mode & 0o777, 0o600)
      assert.deepEqual(await readdir(state.folder), ['venue.backup'])
      const lines = gunzipSync(await readFile(state.path))
        .toString()
        .trim()
        .split('\n')
      const { notifiedTo, chainId } = JSON.parse(lines[0] as string)
      assert.deepEqual([notifiedTo, chainId], [6, CHAIN_ID])
    })

    test('a truncated, damaged or other file is refused as a backup, and leaves nothing', async () => {
      const whole = await readFile(state.path)
      const cut = join(state.folder, 'cut')
      await writeFile(cut, whole.subarray(0, whole.length / 2))
      await refuse(cut, /damaged|not whole/)
      await refuse(await rewritten((text) => text.replace('"mine-0"', '"mine-9"')), /not whole/)
      await refuse(await rewritten((text) => text.split('\n').slice(0, -2).join('\n')), /not whole/)
      await refuse(await rewritten(() => 'hello'), /damaged|not whole|no backup/)
      await writeFile(cut, 'hello')
      await refuse(cut, /damaged/)
    })

    test('a backup of a newer schema or another chain is refused', async () => {
      const newer = await rewritten((text) => text.replace('0001-schema.sql', '9999-later.sql'))
      await refuse(newer, /newer schema \(9999-later.sql\)/)
      await refuse(state.path, /chain 5042002, and this is for 1/, { chainId: 1 })
    })

    test('a complete restore brings every row back unchanged', async () => {
      const target = await make()
      await restoreBackup(target.db, { ...options(state.path), isComplete: true })
      assert.deepEqual(await keptRows(target), await keptRows(source))
      const [row] = await target.db.primary.query(
        `SELECT r.referral_code, c.notified_to::text FROM registrations r, checkpoint c`,
      )
      assert.deepEqual(row, [STRANGE, '6'])
      const next = await target.db.primary.query(`INSERT INTO api_keys (key, secret_hash, account,
        signing_key, created_ms, expires_ms) VALUES ('2', '', '', '', 1, 1) RETURNING number::text`)
      assert.deepEqual(next, [['2']])
    })

    test('after a restore with a gap no key, order or receipt number is valid again', async () => {
      const target = await make()
      const startUs = Date.now() * 1000
      const restored = await restoreBackup(target.db, options(state.path))
      assert.deepEqual([restored.ended, restored.keysLeftOut], [1, 1])
      const ask = (text: string) => target.db.primary.query(text)
      assert.deepEqual(await ask('SELECT key FROM api_keys'), [])
      assert.deepEqual(await ask('SELECT status, reason FROM key_relays'), [['failed', RESTORED]])
      assert.deepEqual(await ask('SELECT id, state, reason FROM intents ORDER BY id'), [
        ['id-included', 'included', null],
        ['id-queued', 'refused', RESTORED],
      ])
      const [head] = await ask('SELECT seq::text, from_seq::text, hash FROM intent_head')
      assert.equal(head?.[0], head?.[1])
      // A second restore of this backup comes later: its numbers are others.
      assert.ok(Number(head?.[0]) >= Math.max(SEQ_GAP + 3, startUs))
      assert.deepEqual(await ask('SELECT hash FROM intent_log ORDER BY seq DESC LIMIT 1'), [
        [head?.[2] ?? null],
      ])
      const same = ['used_signatures', 'used_request_signatures', 'order_budgets', 'registrations']
      assert.deepEqual(await keptRows(target, same), await keptRows(source, same))
    })

    test("a restored database waits for the chain to reach the backup's block", async () => {
      const head = `UPDATE checkpoint SET number = 40, hash = '0xa', parent_hash = '0xb', seconds = 9`
      const [from, target] = [await make(), await make()]
      await from.db.script(head)
      const path = join(state.folder, 'at-40.backup')
      await writeBackup(from.db, { path, chainId: CHAIN_ID, nowMs: NOW_MS })
      await target.intents.writeStatus('{}', NOW_MS)
      await restoreBackup(target.db, options(path))
      assert.equal(await target.intents.awaitedBlock(), 40)
      await target.db.script(head.replace('40', '39'))
      assert.equal(await target.intents.awaitedBlock(), 40)
      await target.db.script(head)
      assert.equal(await target.intents.awaitedBlock(), undefined)
      assert.equal(await from.intents.awaitedBlock(), undefined)
      const statusRows = await target.db.primary.query('SELECT * FROM relay_status')
      assert.deepEqual(statusRows, [], 'whoever takes orders hears of no relayer')
    })

    test("an endless wait after a restore is ended by hand, and no other chain's order survives", async () => {
      const head = (number: number) =>
        `UPDATE checkpoint SET number = ${number}, hash = '0xa', parent_hash = '0xb', seconds = 9`
      const target = await make()
      assert.equal(await endRestoreWait(target.db, NOW_MS), undefined)
      const rows = [
        ['waits', 'queued', 'NULL'],
        ['in-12', 'included', '12'],
        ['in-40', 'included', '40'],
      ]
      for (const [at, [id, intentState, block]] of rows.entries())
        await target.db.script(`INSERT INTO intents (id, seq, kind, account, wallet, market, lane,
          state, gas, payload, deadline_seconds, received_ns, include_by_block, block_number,
          updated_ns) VALUES ('${id}', ${at + 1}, 'order', 1, '${WALLET}', 'm', 'l',
          '${intentState}', 1, '{}', 99, 1, 7, ${block}, 1);
          INSERT INTO intent_log (seq, id, state, at_ns, include_by_block, hash)
          VALUES (${at + 1}, '${id}', '${intentState}', 1, 7, NULL)`)
      await target.db.script(`UPDATE intent_head SET seq = 3, hash = repeat('2', 64)`)
      const path = join(state.folder, 'of-another.backup')
      await target.db.script(head(40))
      await writeBackup(target.db, { path, chainId: CHAIN_ID, nowMs: NOW_MS })
      await restoreBackup(target.db, { ...options(path), isComplete: true, isReplacing: true })
      await target.db.script(head(20))
      assert.deepEqual(await endRestoreWait(target.db, NOW_MS), {
        ...{ awaited: 40, readTo: 20, ended: 2 },
      })
      assert.equal(await target.intents.awaitedBlock(), undefined)
      const ask = (text: string) => target.db.primary.query(text)
      assert.deepEqual(await ask('SELECT id, state, reason FROM intents ORDER BY id'), [
        ['in-12', 'included', null],
        ['in-40', 'refused', RESTORED],
        ['waits', 'refused', RESTORED],
      ])
    })

    test('a restore into a database with rows is refused unless they are to be replaced', async () => {
      const target = await make()
      await target.db.script(`INSERT INTO invites VALUES ('other', 1, NULL, NULL)`)
      await assert.rejects(restoreBackup(target.db, options(state.path)), /not empty \(invites/)
      await restoreBackup(target.db, { ...options(state.path), isReplacing: true })
      const hashes = await target.db.primary.query('SELECT hash FROM invites')
      assert.deepEqual(hashes, [['invite-hash']])
    })
  })

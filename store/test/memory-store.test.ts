import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scenario } from '@openvenue/core/test/scenario/scenario'
import { UPKEEP_COMMITS, UPKEEP_DELAY_MS } from '../src/db/pglite.ts'
import type { Store } from '../src/store.ts'
import { createMemoryDatabase, openMemoryStore, openUnpooledStore } from './memory-store.ts'
import { replay } from './replay.ts'

const { blocks } = replay(
  scenario().list('ETH-USDC').deposit('alice', 'USDC', 1n).next().next().blocks(),
)

test('memory stores that are opened together are each empty and isolated', async () => {
  const stores = await Promise.all(Array.from({ length: 3 }, () => openMemoryStore()))
  try {
    await stores[0]?.writer.commit(blocks, 0)
    const feeds = await Promise.all(stores.map(({ reader }) => reader.feedAfter(0, 100)))
    assert.deepEqual(
      feeds.map((entries) => entries.length > 0),
      [true, false, false],
    )
  } finally {
    await Promise.all(stores.map((store) => store.close()))
  }
})

/** Leftovers of each kind; those of the first list belong to a session. */
const LEFTOVERS: Readonly<Record<string, readonly string[]>> = {
  'a session': [
    'PREPARE left AS SELECT 1',
    'CREATE TEMP TABLE passing (n int)',
    "SET work_mem = '8MB'",
    "SELECT pg_advisory_lock(5)::text || ''",
    'LISTEN left_channel',
    'BEGIN',
    'SELECT 1 / 0',
  ],
  rows: [
    `INSERT INTO tokens SELECT n::text, 'A', repeat('x', 100), 6 FROM generate_series(1, 5000) n`,
    `INSERT INTO accounts VALUES (1, '0xa', 1)`,
    `INSERT INTO api_keys (key, secret_hash, account, signing_key, created_ms, expires_ms)
      VALUES ('k', '', '', '', 1, 2)`,
    `UPDATE intent_head SET seq = 9`,
    `INSERT INTO migrations VALUES ('9999-left.sql')`,
    `DELETE FROM migrations WHERE name = '0001-schema.sql'`,
  ],
  statistics: ['ANALYZE', 'VACUUM (ANALYZE) accounts'],
  definitions: [
    'CREATE TABLE goods (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, price int UNIQUE)',
    'CREATE VIEW prices AS SELECT price FROM goods',
    'CREATE SEQUENCE numbers',
    'CREATE INDEX left_index ON accounts (opened_seconds)',
    `CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    'CREATE TRIGGER halting BEFORE INSERT ON orders EXECUTE FUNCTION halt()',
  ],
}

/** State of a database by its catalogue: contents, definitions, statistics, session. */
const STATE: Readonly<Record<string, string>> = {
  relations: `SELECT relkind::text, relname::text, oid::text, relpages::text, reltuples::text,
      relallvisible::text
    FROM pg_class WHERE oid >= 16384 AND relnamespace <> 'pg_toast'::regnamespace ORDER BY oid`,
  columns: `SELECT attrelid::text, attname::text, atttypid::text FROM pg_attribute
    WHERE attrelid >= 16384 AND attnum > 0 ORDER BY attrelid, attnum`,
  constraints: `SELECT conname::text FROM pg_constraint ORDER BY oid`,
  functions: 'SELECT oid::text FROM pg_proc WHERE oid >= 16384',
  triggers: 'SELECT tgname::text FROM pg_trigger',
  sequences: 'SELECT sequencename::text, last_value::text FROM pg_sequences ORDER BY 1',
  statistics: 'SELECT starelid::text FROM pg_statistic WHERE starelid >= 16384',
  prepared: 'SELECT name FROM pg_prepared_statements',
  settings: `SELECT name, setting FROM pg_settings WHERE source = 'session' ORDER BY name`,
  listening: 'SELECT pg_listening_channels()',
  locks: `SELECT objid::text FROM pg_locks WHERE locktype = 'advisory'`,
}

async function describeDatabase({ db }: Store): Promise<Readonly<Record<string, unknown>>> {
  const state: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(STATE)) state[name] = await db.primary.query(text)
  const tables = await db.primary.query(
    // The key of messages is drawn for each database.
    `SELECT tablename::text FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> 'feed_key' ORDER BY 1`,
  )
  for (const [table] of tables)
    state[`rows of ${table}`] = await db.primary.query(`SELECT t::text FROM ${table} t ORDER BY 1`)
  return state
}

/** Identifies the PGlite that serves a store. */
const instanceOf = ({ db }: Store) => db.primary.query('SELECT pg_postmaster_start_time()::text')

for (const [kind, statements] of Object.entries(LEFTOVERS))
  test(`a memory store opened after one that left ${kind} behind equals a fresh one`, async () => {
    const fresh = await openUnpooledStore()
    const expected = await describeDatabase(fresh)
    await fresh.close()
    const first = await openMemoryStore()
    const instance = await instanceOf(first)
    await first.writer.commit(blocks, 0)
    assert.equal((await first.lease('left'))?.isHeld(), true)
    for (const text of statements) await first.db.maintain((run) => run(text)).catch(() => {})
    await first.close()
    const next = await openMemoryStore()
    assert.deepEqual(await instanceOf(next), instance)
    assert.deepEqual(await describeDatabase(next), expected)
    assert.equal((await next.lease('left'))?.isHeld(), true)
    await next.writer.commit(blocks, 0)
    assert.equal((await next.reader.feedAfter(0, 100)).length, blocks.length)
    await next.close()
  })

test('a memory store whose definitions were changed is not reused', async () => {
  const first = await openMemoryStore()
  const instance = await instanceOf(first)
  await first.db.script('ALTER TABLE accounts ADD COLUMN extra text')
  await first.close()
  const next = await openMemoryStore()
  assert.notDeepEqual(await instanceOf(next), instance)
  await assert.rejects(next.db.primary.query('SELECT extra FROM accounts'), /does not exist/)
  await next.close()
})

test('a closed memory store answers nothing and does no upkeep, whichever store has its database', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const first = await openMemoryStore()
  const instance = await instanceOf(first)
  const session = await first.db.session(() => {})
  for (let commits = 0; commits < UPKEEP_COMMITS; commits++) await session?.run([])
  await first.close()
  const next = await openMemoryStore()
  assert.deepEqual(await instanceOf(next), instance)
  await next.writer.commit(blocks, 0)
  const before = await describeDatabase(next)
  t.mock.timers.tick(UPKEEP_DELAY_MS)
  await assert.rejects(first.db.ping(), /PGlite is closed/)
  await assert.rejects(first.db.script('DELETE FROM tokens'), /PGlite is closed/)
  await assert.rejects(first.writer.loadState(), /PGlite is closed/)
  await assert.rejects(first.close(), /PGlite is closed/)
  assert.equal(session?.isOpen(), false)
  assert.deepEqual(await describeDatabase(next), before)
  await next.close()
})

test('a memory store that is reopened has its rows, and nothing of the previous session', async () => {
  const database = await createMemoryDatabase()
  const first = await database.open()
  await first.writer.commit(blocks, 0)
  for (const text of LEFTOVERS['a session'] ?? [])
    await first.db.maintain((run) => run(text)).catch(() => {})
  await assert.rejects(database.open(), /open already/)
  await first.close()
  const again = await database.open()
  assert.equal((await again.reader.feedAfter(0, 100)).length, blocks.length)
  const { prepared, settings, locks } = await describeDatabase(again)
  const fresh = await openMemoryStore()
  const expected = await describeDatabase(fresh)
  assert.deepEqual([prepared, locks], [[], []])
  assert.deepEqual(settings, expected.settings)
  await fresh.close()
  await database.remove()
  await assert.rejects(again.db.ping(), /PGlite is closed/)
})

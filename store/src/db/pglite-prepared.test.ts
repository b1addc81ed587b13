// Prepared statements of the embedded database give the same answers as others.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMemoryStore } from '../../test/memory-store.ts'
import type { Db } from './db.ts'
import { UPKEEP_TABLES } from './pglite.ts'

/** More uses than it takes until a text is prepared. */
const TIMES = 6

let db: Db
before(async () => {
  ;({ db } = await openMemoryStore())
  await db.script('CREATE TABLE words (id int PRIMARY KEY, word text)')
})
after(() => db?.close())

const preparedTexts = async () =>
  (await db.primary.query('SELECT statement FROM pg_prepared_statements')).map(([text]) => text)

test('a statement that is repeated is prepared, and accepts any value', async () => {
  const text = 'SELECT $1::text, $2::bigint + 1, $3::text[]::text, $4::text IS NULL'
  const words = ["it's", '\\n {"a": 1}', 'ü€', '']
  for (let time = 0; time < TIMES; time++) {
    const word = words[time % words.length] ?? ''
    const [row] = await db.primary.query(text, [word, '9007199254740993', `{"${time}",b}`, null])
    assert.deepEqual(row, [word, '9007199254740994', `{${time},b}`, 't'])
  }
  assert.equal((await preparedTexts()).filter((statement) => statement?.includes(text)).length, 1)
})

test('a prepared statement works inside a transaction, and survives a failure', async () => {
  const add = 'INSERT INTO words VALUES ($1, $2) RETURNING id'
  for (let id = 0; id < TIMES; id++)
    assert.deepEqual(await db.writeTransaction((tx) => tx.query(add, [id, 'a'])), [[`${id}`]])
  await assert.rejects(db.primary.query(add, [1, 'again']), { code: '23505' })
  const failing = db.writeTransaction(async (tx) => {
    await tx.query(add, [100, 'a'])
    await tx.query(add, [1, 'again'])
  })
  await assert.rejects(failing, { code: '23505' })
  assert.deepEqual(await db.primary.query(add, [100, 'b']), [['100']])
})

test('concurrent callers of the same statement all get their answers', async () => {
  const text = 'SELECT word FROM words WHERE id = $1'
  const queries = Array.from({ length: 20 }, (_, at) =>
    at % 2 === 0 ? db.primary.query(text, [0]) : db.writeTransaction((tx) => tx.query(text, [0])),
  )
  for (const rows of await Promise.all(queries)) assert.deepEqual(rows, [['a']])
})

test('a new writer keeps prepared statements, and drops those of the previous writer', async () => {
  const text = 'SELECT count(*) FROM words WHERE id < $1'
  const ask = () => db.primary.query(text, [3])
  for (let time = 0; time < TIMES; time++) await ask()
  for (let time = 0; time < 2; time++) {
    const session = await db.session(() => {})
    await session?.prepare([{ name: 'one', types: [], text: `SELECT ${time}` }])
    assert.deepEqual(await ask(), [['3']])
  }
})

test('statements that change with every call do not use memory', async () => {
  for (let id = 0; id < 600; id++)
    for (let time = 0; time < 3; time++) await db.primary.query(`SELECT ${id}`)
  assert.ok((await preparedTexts()).length <= 300)
})

test('upkeep covers every table whose rows change', async () => {
  const rows = await db.primary.query(
    `SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition`,
  )
  const tables = rows.map(([name]) => String(name)).filter((name) => name !== 'words')
  assert.ok(tables.length > 30)
  const left = tables.filter((name) => !UPKEEP_TABLES.includes(name) && !STILL.has(name))
  assert.deepEqual(left, [])
  assert.deepEqual(
    UPKEEP_TABLES.filter((name) => !tables.includes(name)),
    [],
  )
})

/** Tables written by hand, or once. */
const STILL = new Set(['feed_key', 'invites', 'migrations'])

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { BlockChanges, Change } from '@openvenue/core/changes'
import type { Account, Token } from '@openvenue/core/records'
import { emptyState } from '@openvenue/core/state'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import fc from 'fast-check'
import { type TestDatabase, testEngines } from '../test/engines.ts'
import { comparedState, naiveCounts, replay, rowsOfKind } from '../test/replay.ts'
import { kinds, type RecordFields, TABLES } from './db/tables.ts'
import { tableDump } from './maintenance/dump.ts'
import { type Store, UndoGone } from './store.ts'

const WINDOWS = {
  trades: 50,
  candles: { '1': 20, '60': 20 },
  settlements: 5,
  priceSeconds: 0,
  poolHoursFrom: 0,
}
const seed = Number(process.env.SEED ?? 1)

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`the store on ${engine.name}, scenarios from seed ${seed}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
    })
    beforeEach(() => store.writer.wipeChain())
    after(async () => {
      await store.close()
      await database.remove()
    })

    const reopen = async () => {
      await store.close()
      store = await database.open()
    }

    test('loading the store returns what was applied, in batches of any size', async () => {
      const { state, blocks } = replay(randomScenario(seed, 120))
      for (const batch of splitBatches(blocks)) await store.writer.commit(batch, 0)
      const loaded = await store.writer.loadState()
      assert.deepEqual(comparedState(loaded), comparedState(state))
      await reopen()
      assert.deepEqual(comparedState(await store.writer.loadState()), comparedState(state))
    })

    test('every table has the last content of each row, through COPY and through statements', async () => {
      const { blocks } = replay(randomScenario(seed + 1, 150))
      await store.writer.commit(blocks, 1000)
      const atOnce = await tableDump(store)
      assert.equal(atOnce, naiveDump(blocks))
      await store.writer.wipeChain()
      for (const block of blocks) await store.writer.commit([block], 1000)
      assert.equal(await tableDump(store), atOnce)
    })

    test('undoing blocks restores every table exactly, to any depth above finality', async () => {
      const { blocks } = replay(randomScenario(seed + 2, 60))
      const [first, rest] = [blocks.slice(0, 20), blocks.slice(20)]
      await store.writer.commit(first, 20)
      const dumps = [await tableDump(store)]
      for (const block of rest) {
        await store.writer.commit([block], 20)
        dumps.push(await tableDump(store))
      }
      for (const number of [59, 54, 53, 20]) {
        await store.writer.undoTo(number)
        assert.equal(await tableDump(store), dumps[number - 20], `back at block ${number}`)
        assert.deepEqual((await store.writer.loadState()).head, blocks[number - 1]?.header)
      }
      await store.writer.commit(rest, 20)
      assert.equal(await tableDump(store), dumps.at(-1))
    })

    test('a final block is not undone, and nothing is partially undone', async () => {
      const { blocks } = replay(randomScenario(seed + 3, 30))
      await store.writer.commit(blocks, 25)
      const dump = await tableDump(store)
      await assert.rejects(store.writer.undoTo(24), UndoGone)
      assert.equal(await tableDump(store), dump)
      assert.deepEqual(await store.writer.readHeader(25), blocks[24]?.header)
      assert.equal(await store.writer.readHeader(24), undefined)
      await store.writer.undoTo(25)
      assert.deepEqual((await store.writer.loadState()).head, blocks[24]?.header)
    })

    test('candles and settlements are read by range, from the requested end', async () => {
      const { blocks } = replay(randomScenario(seed + 8, 200))
      await store.writer.commit(blocks, 1000)
      const candles = rowsOfKind(
        blocks.flatMap((block) => block.changes),
        'candle',
      )
      const { market } = candles[0] as { market: string }
      const series = { market, resolution: '1' }
      const all = candles.filter((row) => row.market === market && row.resolution === '1')
      const opens = all.map((row) => row.openSeconds as number)
      const [from, to] = [opens[2] as number, opens.at(-2) as number]
      const inside = all.slice(2, -1).map(writtenCandle)
      const range = { ...series, fromSeconds: from, toSeconds: to }
      const { reader } = store
      const read = async (limit: number, newest: boolean, of = range) => [
        ...(await reader.candles({ ...of, limit, newest })).rows(),
      ]
      assert.deepEqual(await read(2, false), inside.slice(0, 2))
      assert.deepEqual(await read(2, true), inside.slice(-2))
      assert.deepEqual(await read(999, true), inside)
      assert.deepEqual(await read(999, true, { ...range, resolution: 'none' }), [])
      assert.equal((await reader.candleBefore({ ...series, beforeSeconds: from })).rows, opens[1])
      assert.equal(
        (await reader.candleBefore({ ...series, beforeSeconds: opens[0] as number })).rows,
        undefined,
      )
      const settled = rowsOfKind(
        blocks.flatMap((block) => block.changes),
        'settlement',
      )
      const perp = settled[0]?.market as string
      const hours = settled.filter((row) => row.market === perp)
      const span = { market: perp, fromSeconds: 0, toSeconds: 2 ** 40 }
      assert.deepEqual((await reader.settlements({ ...span, limit: 2 })).rows, hours.slice(-2))
    })

    test('a block that does not follow the last one is refused', async () => {
      const { blocks } = replay(randomScenario(seed + 9, 10))
      await store.writer.commit(blocks.slice(0, 5), 0)
      const rule = { name: 'InvariantError', message: /a block follows the last one committed/ }
      await assert.rejects(store.writer.commit(blocks.slice(4, 6), 0), rule)
      await assert.rejects(store.writer.commit(blocks.slice(6, 8), 0), rule)
      const [next] = blocks.slice(5) as [BlockChanges]
      const stranger = { ...next, header: { ...next.header, parentHash: '0xdead' } }
      await assert.rejects(store.writer.commit([stranger], 0), rule)
      await store.writer.commit(blocks.slice(6, 8), 6)
      await store.writer.commit(blocks.slice(8), 6)
    })

    test('a refusal by the database leaves nothing behind, and the writer of blocks continues', async () => {
      const { blocks } = replay(randomScenario(seed + 10, 40))
      await store.writer.commit(blocks.slice(0, 20), 0)
      const dump = await tableDump(store)
      const { seq } = await store.reader.snapshot(WINDOWS)
      const [next] = blocks.slice(20) as [BlockChanges]
      const bad = { ...next, changes: [...next.changes, impossible] }
      await assert.rejects(store.writer.commit([bad], 0))
      await assert.rejects(store.writer.commit([bad, ...many(blocks.slice(21))], 0))
      assert.equal(await tableDump(store), dump)
      assert.deepEqual(await store.reader.feedAfter(seq, 10), [])
      await store.writer.commit(blocks.slice(20), 0)
    })

    test('wiping the chain keeps tables that do not come from it', async () => {
      const { blocks, state } = replay(randomScenario(seed + 12, 20))
      await store.db.script(`CREATE TABLE notes (body text); INSERT INTO notes VALUES ('kept')`)
      await store.writer.commit(blocks, 0)
      await store.writer.wipeChain()
      assert.deepEqual(await store.writer.loadState(), emptyState())
      assert.equal(await tableDump(store), 'head undefined undefined')
      assert.deepEqual(await store.db.primary.query('SELECT body FROM notes'), [['kept']])
      await store.writer.commit(blocks, 0)
      assert.deepEqual(comparedState(await store.writer.loadState()), comparedState(state))
    })

    test('any text is read back unchanged, through statements and through COPY', async () => {
      const texts = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))
      const names = fc.sample(texts, { numRuns: 1500, seed })
      const tokens = names.slice(0, 300).map((name, index) => makeToken(index, name))
      const added = (kind: 'token' | 'account', key: string, after: Token | Account) =>
        ({ what: kind, key, before: undefined, after }) as Change
      const header = { number: 1, hash: '0x1', parentHash: '0x0', seconds: 1 }
      const changes = tokens.map((token) => added('token', token.address, token))
      await store.writer.commit([{ header, changes }], 0)
      const { records } = await store.writer.loadState()
      assert.deepEqual([...records.token.values()], tokens)
      const accounts = names.map((wallet, account) => ({ account, wallet, openedSeconds: 1 }))
      const next = { number: 2, hash: '0x2', parentHash: '0x1', seconds: 2 }
      const opened = accounts.map((account) => added('account', `${account.account}`, account))
      await store.writer.commit([{ header: next, changes: opened }], 0)
      const rows = await store.db.primary.query('SELECT wallet FROM accounts ORDER BY account')
      assert.deepEqual(rows.flat(), names)
      await store.writer.undoTo(1)
      assert.equal((await store.db.primary.query('SELECT account FROM accounts')).length, 0)
    })

    test('the database answers a ping', () => store.reader.ping())
  })
}

const makeToken = (index: number, text: string): Token => ({
  address: `0x${String(index).padStart(4, '0')}`,
  symbol: text,
  name: text.split('').reverse().join('').toWellFormed(),
  decimals: 18,
})

/** A row that no table accepts: its market is null. */
const impossible = {
  what: 'ticker',
  key: 'null',
  before: undefined,
  after: { market: null, lastTick: 1, lastTradeSeconds: 1, openInterest: 1n },
} as unknown as Change

/** Makes blocks large enough for COPY. */
const many = (blocks: readonly BlockChanges[]) =>
  blocks.map((block) => ({ ...block, changes: Array(200).fill(block.changes).flat() }))

function* splitBatches(blocks: readonly BlockChanges[]) {
  const sizes = [1, 2, 40, 1, 7]
  for (let at = 0, round = 0; at < blocks.length; round += 1) {
    const size = sizes[round % sizes.length] as number
    yield blocks.slice(at, at + size)
    at += size
  }
}

/** A candle as returned by the reader. */
function writtenCandle({ market: _, takerBuyUnits: __, ...candle }: RecordFields) {
  const isCount = (field: string) => field !== 'resolution' && field !== 'openSeconds'
  return Object.fromEntries(
    Object.entries(candle).map(([field, value]) => [field, isCount(field) ? `${value}` : value]),
  )
}

function naiveDump(blocks: readonly BlockChanges[]): string {
  const changes = blocks.flatMap((block) => block.changes)
  const { number, hash } = (blocks.at(-1) as BlockChanges).header
  const lines = [`head ${number} ${hash}`]
  for (const kind of kinds) {
    const { name, columns, key } = TABLES[kind]
    const rows = rowsOfKind(changes, kind).sort((a, b) => {
      for (const { field } of key) {
        const [x, y] = [a[field] as string | number, b[field] as string | number]
        if (x !== y) return x < y ? -1 : 1
      }
      return 0
    })
    const cells = (row: RecordFields) =>
      columns.map(({ field }) => String(row[field] ?? null)).join(' ')
    lines.push(...rows.map((row) => `${name} ${cells(row)}`))
  }
  return [...lines, ...naiveCounts(changes)].join('\n')
}

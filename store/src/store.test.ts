import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { BlockChanges, Change } from '@openvenue/core/changes'
import type { Account, Token } from '@openvenue/core/records'
import { emptyState, fold } from '@openvenue/core/state'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import fc from 'fast-check'
import { type TestDatabase, testEngines } from '../test/engines.ts'
import { comparedState, naiveCounts, replay, rowsOfKind } from '../test/replay.ts'
import { tableDump } from './dump.ts'
import { FEED_ENTRIES_MAX } from './session-statements.ts'
import { FeedGone, type Store, UndoGone } from './store.ts'
import { type Fields, kinds, TABLES } from './tables.ts'

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

    test('what is loaded is what was applied, however the blocks are batched', async () => {
      const { state, blocks } = replay(randomScenario(seed, 120))
      for (const batch of splitBatches(blocks)) await store.writer.commit(batch, 0)
      const loaded = await store.writer.loadState()
      assert.deepEqual(comparedState(loaded), comparedState(state))
      await reopen()
      assert.deepEqual(comparedState(await store.writer.loadState()), comparedState(state))
    })

    test('every table holds the last content of each row, through COPY as through statements', async () => {
      const { blocks } = replay(randomScenario(seed + 1, 150))
      await store.writer.commit(blocks, 1000)
      const atOnce = await tableDump(store)
      assert.equal(atOnce, naiveDump(blocks))
      await store.writer.wipeChain()
      for (const block of blocks) await store.writer.commit([block], 1000)
      assert.equal(await tableDump(store), atOnce)
    })

    test('undoing restores every table exactly, to any depth above finality', async () => {
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

    test('a final block is not undone, and nothing is half undone', async () => {
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

    test('the feed has no gap across undos and restarts, and its fold is the state', async () => {
      const { blocks } = replay(randomScenario(seed + 4, 40))
      const { seq: start } = await store.reader.snapshot(WINDOWS)
      await store.writer.commit(blocks.slice(0, 30), 5)
      await store.writer.undoTo(22)
      await reopen()
      await store.writer.commit(blocks.slice(22, 40), 5)
      const state = emptyState()
      let seq = start
      for (;;) {
        const entries = await store.reader.feedAfter(seq, 7)
        if (entries.length === 0) break
        for (const entry of entries) {
          assert.equal(entry.seq, ++seq)
          fold(state, entry.changes)
          state.head = entry.header
        }
      }
      assert.equal(seq, start + 30 + 8 + 18)
      assert.deepEqual(comparedState(state), comparedState(await store.writer.loadState()))
    })

    test('an entry read back from the database equals the one handed over in process', async () => {
      const { blocks } = replay(randomScenario(seed + 5, 10))
      const { seq } = await store.reader.snapshot(WINDOWS)
      await store.writer.commit(blocks, 0)
      const handed = await store.reader.feedAfter(seq, 100)
      assert.equal(handed[3]?.changes, blocks[3]?.changes)
      await reopen()
      assert.deepEqual(await store.reader.feedAfter(seq, 100), handed)
    })

    test('a snapshot at N plus the entries after N is the state at the head, for every N', async () => {
      const { state, blocks } = replay(randomScenario(seed + 6, 25))
      const snapshots = [await store.reader.snapshot(WINDOWS)]
      for (const block of blocks) {
        await store.writer.commit([block], 0)
        snapshots.push(await store.reader.snapshot(WINDOWS))
      }
      for (const snapshot of snapshots) {
        for (const { header, changes } of await store.reader.feedAfter(snapshot.seq, 100)) {
          fold(snapshot.state, changes)
          snapshot.state.head = header
        }
        assert.deepEqual(comparedState(snapshot.state), comparedState(state))
      }
    })

    test('a snapshot holds the newest of each series, in the promised order', async () => {
      const { blocks } = replay(randomScenario(seed + 7, 200))
      await store.writer.commit(blocks, 1000)
      const changes = blocks.flatMap((block) => block.changes)
      const snapshot = await store.reader.snapshot({
        ...WINDOWS,
        trades: 3,
        candles: { '1': 4, '60': 1 },
      })
      const trades = rowsOfKind(changes, 'trade')
      for (const [market, window] of snapshot.trades) {
        const all = trades.filter((trade) => trade.market === market)
        assert.deepEqual(window, all.slice(-3).reverse())
      }
      const candles = rowsOfKind(changes, 'candle')
      for (const [series, window] of snapshot.candles) {
        const all = candles.filter((row) => `${row.market}|${row.resolution}` === series)
        assert.deepEqual(window, all.slice(series.endsWith('|1') ? -4 : -1))
      }
      assert.deepEqual(
        new Set([...snapshot.candles.keys()].map((series) => series.split('|')[1])),
        new Set(['1', '60']),
      )
      const minutes = rowsOfKind(changes, 'priceMinute')
      const middle = minutes[minutes.length >> 1]?.openSeconds as number
      const late = await store.reader.snapshot({ ...WINDOWS, priceSeconds: middle })
      for (const [series, window] of late.priceMinutes) {
        const all = minutes.filter((row) => row.series === series)
        assert.deepEqual(
          window,
          all.filter((row) => (row.openSeconds as number) >= middle),
        )
      }
      const hours = rowsOfKind(changes, 'poolHour')
      const from = hours[hours.length >> 1]?.openSeconds as number
      const newer = hours.filter((row) => (row.openSeconds as number) >= from)
      const recent = await store.reader.snapshot({ ...WINDOWS, poolHoursFrom: from })
      assert.deepEqual(new Set(recent.poolHours.keys()), new Set(newer.map(({ pool }) => pool)))
      for (const [pool, window] of recent.poolHours) {
        const all = newer.filter((row) => row.pool === pool)
        assert.deepEqual(window, all)
      }
      assert.ok(recent.poolHours.size > 0 && newer.length < hours.length)
      assert.ok(snapshot.trades.size > 0 && snapshot.candles.size > 0 && late.priceMinutes.size > 0)
    })

    test('candles and settlements are read by range, from the end that is asked for', async () => {
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

    test('what the database refuses leaves nothing behind, and the writer goes on', async () => {
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

    test('a reader is woken by each commit, until it stops', async () => {
      const { blocks } = replay(randomScenario(seed + 11, 4))
      const { seq } = await store.reader.snapshot(WINDOWS)
      const seen: number[] = []
      const reads: Promise<unknown>[] = []
      const stop = store.reader.onSignal(() => {
        reads.push(store.reader.feedAfter(seq, 10).then(({ length }) => seen.push(length)))
      })
      await store.writer.commit(blocks.slice(0, 2), 0)
      await until(() => seen.includes(2))
      await store.writer.undoTo(1)
      await until(() => seen.includes(3))
      stop()
      const { length } = reads
      await store.writer.commit(blocks.slice(1), 0)
      assert.equal(reads.length, length)
      await Promise.all(reads)
    })

    test('a reader whose place was pruned or never was is asked to reload', async () => {
      const { seq } = await store.reader.snapshot(WINDOWS)
      const header = (number: number) => ({
        number,
        hash: `0x${number}`,
        parentHash: `0x${number - 1}`,
        seconds: number,
      })
      const blocks = Array.from({ length: FEED_ENTRIES_MAX + 9 }, (_, index) => ({
        header: header(index + 1),
        changes: [],
      }))
      await store.writer.commit(blocks.slice(0, -3), 1e9)
      await store.writer.commit(blocks.slice(-3), 1e9)
      await assert.rejects(store.reader.feedAfter(seq, 10), FeedGone)
      await assert.rejects(store.reader.feedAfter(seq + 8, 10), FeedGone)
      assert.equal((await store.reader.feedAfter(seq + 9, 10))[0]?.seq, seq + 10)
      await assert.rejects(store.reader.feedAfter(seq + blocks.length + 1, 10), FeedGone)
      assert.deepEqual(await store.reader.feedAfter(seq + blocks.length, 10), [])
      const { seq: last } = await store.reader.snapshot(WINDOWS)
      await store.writer.wipeChain()
      await assert.rejects(store.reader.feedAfter(last, 10), FeedGone)
    })

    test('of history in large batches the feed keeps the end, and readers here get all of it', async () => {
      const { blocks, state } = replay(randomScenario(seed + 13, 150, { actionsMax: 12 }))
      const { seq } = await store.reader.snapshot(WINDOWS)
      await store.writer.commit(blocks, 1000)
      assert.equal((await store.reader.feedAfter(seq, 1000)).length, blocks.length)
      await reopen()
      await assert.rejects(store.reader.feedAfter(seq, 1000), FeedGone)
      const last = seq + blocks.length
      const [entry] = await store.reader.feedAfter(last - 1, 10)
      assert.deepEqual(entry?.changes, blocks.at(-1)?.changes)
      assert.deepEqual(
        comparedState((await store.reader.snapshot(WINDOWS)).state),
        comparedState(state),
      )
    })

    test('wiping the chain leaves tables that the chain does not hold', async () => {
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

    test('any text comes back as it was, through statements and through COPY', async () => {
      const texts = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))
      const names = fc.sample(texts, { numRuns: 1500, seed })
      const tokens = names.slice(0, 300).map((name, index) => makeToken(index, name))
      const added = (what: 'token' | 'account', key: string, after: Token | Account) =>
        ({ what, key, before: undefined, after }) as Change
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

/** A row that no table takes: its market is null. */
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
  for (let at = 0, turn = 0; at < blocks.length; turn += 1) {
    const size = sizes[turn % sizes.length] as number
    yield blocks.slice(at, at + size)
    at += size
  }
}

/** A candle as the reader gives it. */
function writtenCandle({ market: _, takerBuyUnits: __, ...candle }: Fields) {
  const isCount = (field: string) => field !== 'resolution' && field !== 'openSeconds'
  return Object.fromEntries(
    Object.entries(candle).map(([field, value]) => [field, isCount(field) ? `${value}` : value]),
  )
}

function naiveDump(blocks: readonly BlockChanges[]): string {
  const changes = blocks.flatMap((block) => block.changes)
  const { number, hash } = (blocks.at(-1) as BlockChanges).header
  const lines = [`head ${number} ${hash}`]
  for (const what of kinds) {
    const { name, columns, key } = TABLES[what]
    const rows = rowsOfKind(changes, what).sort((a, b) => {
      for (const { field } of key) {
        const [x, y] = [a[field] as string | number, b[field] as string | number]
        if (x !== y) return x < y ? -1 : 1
      }
      return 0
    })
    const cells = (row: Fields) => columns.map(({ field }) => String(row[field] ?? null)).join(' ')
    lines.push(...rows.map((row) => `${name} ${cells(row)}`))
  }
  return [...lines, ...naiveCounts(changes)].join('\n')
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 5000
  while (!holds()) {
    assert.ok(Date.now() < deadline, `in time: ${holds}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { emptyState, fold } from '@openvenue/core/state'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { until } from '@openvenue/core/test/until'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { comparedState, replay, rowsOfKind } from '../../test/replay.ts'
import { FeedGone, type Store } from '../store.ts'
import { FEED_ENTRIES_MAX } from './session-statements.ts'

const WINDOWS = {
  trades: 50,
  candles: { '1': 20, '60': 20 },
  settlements: 5,
  priceSeconds: 0,
  poolHoursFrom: 0,
}
const seed = Number(process.env.SEED ?? 1)

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`the feed and its snapshots on ${engine.name}, scenarios from seed ${seed}`, () => {
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

    test('an entry read from the database equals the one passed on in process', async () => {
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

    test('a snapshot has the newest of each series, in the documented order', async () => {
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

    test('a reader is signalled by each commit until it stops', async () => {
      const { blocks } = replay(randomScenario(seed + 11, 4))
      const { seq } = await store.reader.snapshot(WINDOWS)
      const seen: number[] = []
      const reads: Promise<unknown>[] = []
      const stop = store.reader.onSignal(() => {
        reads.push(store.reader.feedAfter(seq, 10).then(({ length }) => seen.push(length)))
      })
      await store.writer.commit(blocks.slice(0, 2), 0)
      await until('the reader has both blocks', () => seen.includes(2))
      await store.writer.undoTo(1)
      await until('the reader has the undo', () => seen.includes(3))
      stop()
      const { length } = reads
      await store.writer.commit(blocks.slice(1), 0)
      assert.equal(reads.length, length)
      await Promise.all(reads)
    })

    test('a reader with a pruned or unknown position must reload', async () => {
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

    test('the feed keeps the end of a large batch, and readers in the process get all of the batch', async () => {
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
  })
}

// Behaviour that only several processes on one PostgreSQL show.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { until } from '@openvenue/core/test/until'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import { comparedState, replay } from '../../test/replay.ts'
import { tableDump } from '../maintenance/dump.ts'
import { openStore } from '../open.ts'
import { type Store, WriterBusy } from '../store.ts'

const WINDOWS = {
  trades: 5,
  candles: { '1': 5, '60': 5 },
  settlements: 5,
  priceSeconds: 0,
  poolHoursFrom: 0,
}
const engine = postgresEngine(process.env.DATABASE_URL)
const seed = Number(process.env.SEED ?? 1)

if (engine !== undefined) {
  describe(`two processes on ${engine.name}, seed ${seed}`, () => {
    let database: TestDatabase
    let writing: Store
    let reading: Store
    before(async () => {
      database = await engine.createBareDatabase()
      ;[writing, reading] = await Promise.all([database.open(), database.open()])
    })
    beforeEach(() => writing.writer.wipeChain())
    after(async () => {
      await Promise.all([writing.close(), reading.close()])
      await database.remove()
    })

    test('two processes that start together migrate once', async () => {
      const done = await reading.db.primary.query('SELECT name FROM migrations ORDER BY name')
      const files = readdirSync(new URL('../../migrations', import.meta.url)).sort()
      assert.deepEqual(
        done,
        files.map((file) => [file]),
      )
    })

    test('readers in other processes are signalled and read the same entries', async () => {
      const { blocks } = replay(randomScenario(seed, 20))
      const { seq } = await reading.reader.snapshot(WINDOWS)
      let signals = 0
      const stop = reading.reader.onSignal(() => {
        signals += 1
      })
      await until('the listener listens', () => signals > 0)
      const first = signals
      await writing.writer.commit(blocks, 0)
      await until('the commit woke it', () => signals > first)
      const [here, there] = [writing, reading].map(({ reader }) => reader.feedAfter(seq, 100))
      assert.deepEqual(await there, await here)
      stop()
    })

    test('only one process writes, and the next one may once the first has closed or disconnected', async () => {
      const { blocks, state } = replay(randomScenario(seed, 20))
      await writing.writer.commit(blocks.slice(0, 10), 0)
      await assert.rejects(reading.writer.loadState(), WriterBusy)
      await assert.rejects(reading.writer.commit(blocks.slice(10), 0), WriterBusy)
      await killConnections(reading, 'openvenue writer')
      await until('the lock is free', async () => {
        try {
          await reading.writer.loadState()
          return true
        } catch (error) {
          assert.ok(error instanceof WriterBusy)
          return false
        }
      })
      const { seq } = await reading.reader.snapshot(WINDOWS)
      await reading.writer.commit(blocks.slice(10), 0)
      const missed = await writing.reader.feedAfter(seq, 100)
      assert.equal(missed.length, 10, 'a lost writer does not take its last entry for the newest')
      await assert.rejects(writing.writer.commit(blocks.slice(10), 0), WriterBusy)
      assert.deepEqual(
        comparedState((await reading.reader.snapshot(WINDOWS)).state),
        comparedState(state),
      )
      await reading.close()
      assert.deepEqual(comparedState(await writing.writer.loadState()), comparedState(state))
      reading = await database.open()
    })

    test('readers recover after the database dropped every connection', async () => {
      const { blocks } = replay(randomScenario(seed, 20))
      let signals = 0
      const stop = reading.reader.onSignal(() => {
        signals += 1
      })
      await until('the listener listens', () => signals > 0)
      const before = signals
      await killConnections(writing, 'openvenue listener')
      await until('it listens again and looks for what it missed', () => signals > before)
      const again = signals
      await writing.writer.commit(blocks, 0)
      await until('a commit signals it', () => signals > again)
      await reading.reader.ping()
      stop()
    })

    test('history may be read from another address than the feed', async () => {
      const { databaseUrl } = database.options
      const split = await openStore({ databaseUrl, databaseReadUrl: databaseUrl })
      const { blocks, state } = replay(randomScenario(seed, 20))
      await writing.writer.commit(blocks, 0)
      assert.deepEqual(
        comparedState((await split.reader.snapshot(WINDOWS)).state),
        comparedState(state),
      )
      assert.equal(await tableDump(split), await tableDump(writing))
      await split.reader.ping()
      await split.close()
    })

    test('a reader has a consistent view while the chain is wiped and rewritten', async () => {
      const { blocks } = replay(randomScenario(seed, 30))
      const counts = new Set<string>()
      let isOver = false
      const reads = (async () => {
        while (!isOver) {
          const { state } = await reading.reader.snapshot(WINDOWS)
          counts.add(`${state.head?.number ?? 0} ${state.records.market.size}`)
        }
      })()
      for (let round = 0; round < 5; round += 1) {
        await writing.writer.commit(blocks.slice(0, 1), 0)
        await writing.writer.commit(blocks.slice(1), 0)
        await writing.writer.wipeChain()
      }
      isOver = true
      await reads
      const [, ...whole] = ['0 0', `1 ${firstChanges(1)}`, `30 ${firstChanges(30)}`]
      assert.deepEqual(
        [...counts].filter((count) => count !== '0 0' && !whole.includes(count)),
        [],
      )
    })
  })

  test('a ping, and opening a store, fail within seconds without a database', async () => {
    const startMs = performance.now()
    await assert.rejects(openStore({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' }))
    assert.ok(performance.now() - startMs < 5000)
  })
}

const firstChanges = (blocks: number) =>
  replay(randomScenario(seed, 30))
    .blocks.slice(0, blocks)
    .flatMap(({ changes }) => changes)
    .filter(({ what, before }) => what === 'market' && before === undefined).length

const killConnections = (store: Store, application: string) =>
  store.db.primary.query(
    `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
     WHERE application_name = $1 AND datname = current_database()`,
    [application],
  )

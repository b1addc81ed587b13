// Loads of a process whose read replica lags behind the primary.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { replay } from '@openvenue/core/test/scenario/replay'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { FeedCache } from '../feed/feed-cache.ts'
import { createReader } from '../feed/reader.ts'
import { FEED_ENTRIES_MAX } from '../feed/session-statements.ts'
import type { Reader, Store } from '../store.ts'
import type { ReadFrom } from './block-read.ts'
import type { Db } from './db.ts'
import { openPostgres } from './postgres.ts'

const WINDOWS = { trades: 9, candles: {}, settlements: 0, priceSeconds: 0, poolHoursFrom: 0 }
const { all: blocks } = replay(randomScenario(1, 20))
const FINAL = 1e9

/** Returns empty blocks. */
function quiet(count: number) {
  let last = blocks.at(-1)?.header ?? { number: 0, hash: '', seconds: 0 }
  return Array.from({ length: count }, () => {
    const number = last.number + 1
    last = { number, hash: `0x${number}`, parentHash: last.hash, seconds: last.seconds + 1 }
    return { header: last, changes: [] }
  })
}

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`a replica that is behind, on ${engine.name}`, () => {
    let databases: TestDatabase[]
    let primary: Store
    let replica: Store
    let db: Db
    let reader: Reader
    /** Loads of whole tables, in their order. */
    const loads: ReadFrom[] = []
    before(async () => {
      databases = [await engine.createDatabase(), await engine.createDatabase()]
      const [first, second] = databases as [TestDatabase, TestDatabase]
      ;[primary, replica] = [await first.open(), await second.open()]
      db =
        engine.name === 'PGlite'
          ? ofTwo()
          : openPostgres(first.options.databaseUrl ?? '', second.options.databaseUrl)
      reader = openReader(db)
      for (const { writer } of [primary, replica]) await writer.commit(blocks, 0)
    })
    after(async () => {
      if (db.engine === 'postgres') await db.close()
      await Promise.all([primary.close(), replica.close()])
      for (const database of databases) await database.remove()
    })
    /** Combines two databases like `openPostgres` with two addresses. */
    const ofTwo = (): Db => ({
      ...primary.db,
      replica: replica.db.replica,
      load: (work, from) => (from === 'primary' ? primary : replica).db.load(work),
    })

    /**
     * Counts loads of tables, but not reads of the position. No entry is in memory, as in a process
     * that does not write.
     */
    function openReader(of: Db): Reader {
      const load: Db['load'] = (work, from = 'replica') =>
        of.load((view) => {
          const number = loads.length
          const each: typeof view.each = (...rows) => {
            loads[number] = from
            return view.each(...rows)
          }
          return work({ ...view, each })
        }, from)
      const counted = { ...of, load }
      return createReader(counted, new FeedCache(counted))
    }

    /** Loads and follows like a node. Returns its position and its loads. */
    async function follow(attemptsMax: number) {
      loads.length = 0
      for (let attempt = 1; ; attempt++) {
        const { seq } = await reader.snapshot(WINDOWS)
        try {
          const entries = await reader.feedAfter(seq, FEED_ENTRIES_MAX)
          return { seq: seq + entries.length, loads: [...loads] }
        } catch (error) {
          if (attempt === attemptsMax) throw error
        }
      }
    }
    const primarySeq = async () => (await primary.reader.snapshot(WINDOWS)).seq

    test("a node loads from the replica while the feed continues from the replica's position", async () => {
      await primary.writer.commit(quiet(3), 0)
      assert.deepEqual(await follow(1), { seq: await primarySeq(), loads: ['replica'] })
    })

    test('a node loads from the primary when the replica is further behind than the feed', async () => {
      await primary.writer.commit(quiet(FEED_ENTRIES_MAX + 9).slice(3), FINAL)
      assert.deepEqual(await follow(3), { seq: await primarySeq(), loads: ['primary'] })
    })

    test('a snapshot is discarded when its replica falls behind the feed during the load', async () => {
      const all = quiet(2 * FEED_ENTRIES_MAX + 99)
      const early = all.slice(0, FEED_ENTRIES_MAX + 9)
      await replica.writer.commit(early, FINAL)
      let isFirst = true
      const load: Db['load'] = async (work, from) => {
        const loaded = await db.load(work, from)
        if (loads.length === 1 && isFirst) {
          isFirst = false
          await primary.writer.commit(all.slice(early.length), FINAL)
        }
        return loaded
      }
      reader = openReader({ ...db, load })
      assert.deepEqual(await follow(1), { seq: await primarySeq(), loads: ['replica', 'primary'] })
    })

    test('a node loads from the replica again once it has caught up', async () => {
      await replica.writer.commit(
        quiet(2 * FEED_ENTRIES_MAX + 99).slice(FEED_ENTRIES_MAX + 9),
        FINAL,
      )
      assert.deepEqual(await follow(1), { seq: await primarySeq(), loads: ['replica'] })
    })
  })

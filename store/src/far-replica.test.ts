// Loads of a process whose read replica is behind the primary.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { replay } from '@openvenue/core/test/scenario/replay'
import { type TestDatabase, testEngines } from '../test/engines.ts'
import type { ReadFrom } from './block-read.ts'
import type { Db } from './db.ts'
import { FeedCache } from './feed-cache.ts'
import { openPostgres } from './postgres.ts'
import { createReader } from './reader.ts'
import { FEED_ENTRIES_MAX } from './session-statements.ts'
import type { Reader, Store } from './store.ts'

const WINDOWS = { trades: 9, candles: {}, settlements: 0, priceSeconds: 0, poolHoursFrom: 0 }
const { all: blocks } = replay(randomScenario(1, 20))
const FINAL = 1e9

/** Blocks in which nothing happens. */
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
      const [one, other] = databases as [TestDatabase, TestDatabase]
      ;[primary, replica] = [await one.open(), await other.open()]
      db =
        engine.name === 'PGlite'
          ? ofTwo()
          : openPostgres(one.options.databaseUrl ?? '', other.options.databaseUrl)
      reader = openReader(db)
      for (const { writer } of [primary, replica]) await writer.commit(blocks, 0)
    })
    after(async () => {
      if (db.engine === 'postgres') await db.close()
      await Promise.all([primary.close(), replica.close()])
      for (const database of databases) await database.remove()
    })
    /** Does as `openPostgres` does with two addresses. */
    const ofTwo = (): Db => ({
      ...primary.db,
      replica: replica.db.replica,
      load: (work, from) => (from === 'primary' ? primary : replica).db.load(work),
    })

    /**
     * Counts loads of tables, not looks at where a database stands. As in a process that writes
     * nothing, no entry is in memory.
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

    /** Loads and reads on as a node does. Returns where it stands, and the loads that it took. */
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

    test('loads a node while the feed goes on from where it stands', async () => {
      await primary.writer.commit(quiet(3), 0)
      assert.deepEqual(await follow(1), { seq: await primarySeq(), loads: ['replica'] })
    })

    test('a replica further behind than the feed makes a node load from the primary, not for ever', async () => {
      await primary.writer.commit(quiet(FEED_ENTRIES_MAX + 9).slice(3), FINAL)
      assert.deepEqual(await follow(3), { seq: await primarySeq(), loads: ['primary'] })
    })

    test('a replica that falls behind the feed during a load has its snapshot thrown away', async () => {
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

    test('that caught up is loaded from again', async () => {
      await replica.writer.commit(
        quiet(2 * FEED_ENTRIES_MAX + 99).slice(FEED_ENTRIES_MAX + 9),
        FINAL,
      )
      assert.deepEqual(await follow(1), { seq: await primarySeq(), loads: ['replica'] })
    })
  })

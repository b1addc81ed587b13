// Reads over years of data, scaled down to seconds of generation: each finds its rows, accesses
// only the partitions that hold them, and is as fast as after a tenth of the time.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PARTITION_SECONDS } from '@openvenue/store/db/partitions'
import { openOn } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { type TestDatabase, testEngines } from '@openvenue/store/test/engines'
import { explainReads } from './partitions-plans.ts'
import { createReads, type TimedRead } from './partitions-reads.ts'
import { addYears, type Years } from './partitions-rows.ts'

const PARTITIONS = 10
const FILLS = 100_000
const CANDLES = { candleMarkets: 1, candlesEvery: 60 }
const years: Years = { fills: FILLS, seconds: PARTITIONS * PARTITION_SECONDS - 1, ...CANDLES }
const tenth: Years = { fills: FILLS / 10, seconds: PARTITION_SECONDS - 1, ...CANDLES }

/** Executions per series. The shortest is the one that other load did not disturb. */
const TURNS = 15
/** Maximum number of series of half a second each: other load is rarely permanent. */
const ROWS_OF_TURNS_MAX = 40
const RATIO_MAX = 1.5
/**
 * A rarely active account costs a second statement, which locates the rows (0080): 0.3 ms, half the
 * time of a read of so few rows.
 */
const SECOND_STATEMENT: Readonly<Record<string, number>> = { 'of a rarely active account': 2 }
/** Minimum number of reads with equally many rows after a tenth of the time. */
const COMPARED_MIN = 8

/** Returns the shortest times of two reads that alternate. */
async function shortest(pair: readonly [TimedRead, TimedRead]): Promise<readonly [number, number]> {
  const best: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let turn = 0; turn < TURNS; turn++)
    for (const [index, { read }] of pair.entries()) {
      const startMs = performance.now()
      await read(1)
      best[index] = Math.min(best[index] as number, performance.now() - startMs)
    }
  return best
}

const partitionOf = (seconds: number) => Math.floor(seconds / PARTITION_SECONDS)

/** Returns the partitions of the found rows, and the one where the read starts. */
function partitionsOf(timed: TimedRead, seconds: readonly number[]): readonly number[] {
  const edge = timed.edgeSeconds === undefined ? [] : [timed.edgeSeconds(1)]
  const partitions = [...seconds, ...edge].map(partitionOf)
  if (partitions.length === 0 || timed.isWhole) return []
  const first = Math.min(...partitions)
  return Array.from({ length: Math.max(...partitions) - first + 1 }, (_, index) => first + index)
}

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`${FILLS} fills in ${PARTITIONS} partitions on ${engine.name}`, () => {
    const databases: TestDatabase[] = []
    const stores: Store[] = []
    const accessed = new Set<string>()
    let large: readonly TimedRead[] = []
    let small: readonly TimedRead[] = []
    let explainedReads: readonly TimedRead[] = []
    const make = async (of: Years) => {
      const database = await engine.createDatabase()
      databases.push(database)
      const store = await database.open()
      stores.push(store)
      await addYears(store.db, of)
      return store
    }
    before(async () => {
      small = createReads(await make(tenth), tenth)
      const store = await make(years)
      large = createReads(store, years)
      explainedReads = createReads(await openOn(explainReads(store.db, accessed)), years)
    })
    after(async () => {
      for (const store of stores) await store.close()
      for (const database of databases) await database.remove()
    })

    test('each read finds its rows and accesses only the partitions that hold them', async () => {
      for (const timed of explainedReads) {
        const { name, read, rows } = timed
        // The first read does not know the head yet.
        await read(1)
        accessed.clear()
        const result = await read(1)
        assert.equal(result.count, rows, name)
        const seconds = result.seconds()
        assert.equal(seconds.length, rows, name)
        const partitions = [...accessed].map((table) => Number(table.split('_').at(-1))).sort()
        assert.deepEqual(partitions, partitionsOf(timed, seconds), `${name}: ${[...accessed]}`)
      }
    })

    test('each read takes at most 1.5 times as long as after a tenth of the time, twice with a second statement', async () => {
      const compared: string[] = []
      for (const [index, timed] of large.entries()) {
        const other = small[index] as TimedRead
        if ((await other.read(1)).count !== (await timed.read(1)).count) continue
        compared.push(timed.name)
        let best: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
        const most = SECOND_STATEMENT[timed.name] ?? RATIO_MAX
        let ratio = Number.POSITIVE_INFINITY
        for (let row = 0; row < ROWS_OF_TURNS_MAX && ratio > most; row++) {
          const [before, after] = await shortest([other, timed])
          best = [Math.min(best[0], before), Math.min(best[1], after)]
          ratio = best[1] / best[0]
        }
        assert.ok(ratio <= most, `${timed.name}: ${ratio.toFixed(2)} times`)
      }
      assert.ok(compared.length >= COMPARED_MIN, compared.join(', '))
    })
  })

// The reads of years, at a size that is made in seconds: each finds its rows, and looks into no
// more partitions than hold them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openOn } from '@openvenue/store/open'
import { PARTITION_SECONDS } from '@openvenue/store/partitions'
import { type TestDatabase, testEngines } from '@openvenue/store/test/engines'
import { type Asked, createAsked } from './partitions-asked.ts'
import { watched } from './partitions-looked.ts'
import { addYears } from './partitions-rows.ts'

const PARTITIONS = 10
/** PGlite is for small venues. */
const FILLS = process.env.DATABASE_URL === undefined ? 40_000 : 200_000
const years = {
  fills: FILLS,
  seconds: PARTITIONS * PARTITION_SECONDS - 1,
  candleMarkets: 0,
}

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`${FILLS} fills in ${PARTITIONS} partitions on ${engine.name}`, () => {
    let database: TestDatabase
    let close = async () => {}
    let asked: readonly Asked[] = []
    const looked = new Set<string>()
    before(async () => {
      database = await engine.createDatabase()
      const { db } = await database.open()
      await addYears(db, years)
      const store = await openOn(watched(db, looked))
      close = store.close
      asked = createAsked(store, years)
    })
    after(async () => {
      await close()
      await database.remove()
    })

    test('each read looks into the partitions that hold its rows, and into no others', async () => {
      for (const { name, read, partitionsMax } of asked) {
        // The first read of all does not know yet where the head is.
        await read(0)
        looked.clear()
        const rows = await read(0)
        const names = [...looked].sort().join(', ')
        assert.ok(looked.size <= partitionsMax, `${name}: ${rows} rows, ${names}`)
      }
    })
  })

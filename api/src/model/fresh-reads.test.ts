// Bounds of reads that go to the primary because the replica is behind.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { BlockRead, ReadFrom } from '@openvenue/store/db/block-read'
import { openPostgres } from '@openvenue/store/db/postgres'
import { closeProxy, GATED, lockWaits } from '@openvenue/store/test/backends'
import { postgresEngine } from '@openvenue/store/test/engines'
import { readAt } from '../../test/block-reads.ts'
import { emptySnapshot } from '../../test/scenario-node.ts'
import { FreshReads, NotFresh, PRIMARY_READS_MAX } from './fresh-reads.ts'
import { VenueModel } from './venue-model.ts'

const READS = 10

/** Reads of a node whose replica is an entry behind; `ofPrimary` acts as the primary. */
function makeReads(ofPrimary: () => Promise<unknown>) {
  const model = new VenueModel()
  model.load({ ...emptySnapshot(), seq: 7 })
  const fresh = new FreshReads({ model, monotonicMs: () => 0 })
  const ask = async (from: ReadFrom): Promise<BlockRead<unknown>> =>
    from === 'replica' ? { seq: 6, head: undefined, rows: [] } : readAt(model, await ofPrimary())
  return () => fresh.read(ask)
}

describe('reads when the replica is behind', () => {
  test('reads that the replica is behind for go to the primary two at a time; more are refused at once, until one has ended', async () => {
    assert.equal(PRIMARY_READS_MAX, 2)
    const ends: (() => void)[] = []
    const read = makeReads(() => new Promise<void>((resolve) => ends.push(resolve)))
    const reads = Array.from({ length: READS }, read)
    const refused = reads.slice(PRIMARY_READS_MAX)
    await Promise.all(refused.map((one) => assert.rejects(one, NotFresh)))
    assert.equal(ends.length, PRIMARY_READS_MAX)
    ends.shift()?.()
    await reads[0]
    const next = read()
    await assert.rejects(read(), NotFresh)
    for (const end of ends) end()
    await Promise.all([reads[1], next])
  })

  test('reads that the replica is behind for free their slot when the primary fails', async () => {
    const read = makeReads(() => Promise.reject(new Error('the database is down')))
    for (let i = 0; i < READS; i++) await assert.rejects(read(), /the database is down/)
  })
})

const engine = postgresEngine(process.env.DATABASE_URL)
if (engine !== undefined)
  test('many reads that the replica is behind for never take all connections of the primary', async () => {
    const database = await engine.createDatabase()
    const store = await database.open()
    // With a replica: without one, none can be behind.
    const url = database.options.databaseUrl ?? ''
    const db = openPostgres(url, url)
    try {
      const { primary, feed } = db
      const open = await closeProxy(database.options.databaseUrl)
      const reads = Array.from(
        { length: READS },
        makeReads(() => primary.query(GATED)),
      )
      const outcomes = Promise.allSettled(reads)
      await Promise.all(reads.slice(PRIMARY_READS_MAX).map((one) => assert.rejects(one, NotFresh)))
      await until('both reads are stuck', async () => {
        return (await lockWaits(feed, 'openvenue primary')) === PRIMARY_READS_MAX
      })
      // Other queries of the primary are still answered.
      assert.deepEqual(await primary.query('SELECT 1'), [['1']])
      await open()
      const statuses = (await outcomes).map(({ status }) => status)
      assert.deepEqual(statuses.slice(0, 3), ['fulfilled', 'fulfilled', 'rejected'])
    } finally {
      await db.close()
      await store.close()
      await database.remove()
    }
  })

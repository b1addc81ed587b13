// Followers that get new entries over NATS, on PostgreSQL.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { until } from '@openvenue/core/test/until'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import { NatsServer } from '../../test/nats-server.ts'
import { replay } from '../../test/replay.ts'
import type { Db } from '../db/db.ts'
import { openDatabase, openOn } from '../open.ts'
import type { FeedEntry, Store } from '../store.ts'
import { openNats } from './nats.ts'

const { NATS_PROGRAM } = process.env
const engine = postgresEngine(process.env.DATABASE_URL)
const isSkipped = NATS_PROGRAM === undefined || engine === undefined
const LIMIT = 500

describe('followers over NATS', { skip: isSkipped }, () => {
  let nats: NatsServer
  let database: TestDatabase
  const stores: Store[] = []
  before(async () => {
    nats = await NatsServer.start(NATS_PROGRAM ?? '')
  })
  beforeEach(async () => {
    database = await (engine as NonNullable<typeof engine>).createDatabase()
  })
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()))
    await database.remove()
  })
  after(() => nats.close())

  /** Opens a store as a process of its own does. `change` replaces parts of its database. */
  const open = async (change: (db: Db) => Db = (db) => db) => {
    const db = change(await openDatabase(database.options))
    const store = await openOn(db, { broadcast: openNats(nats.url) })
    stores.push(store)
    return store
  }

  test('a commit reaches a follower without LISTEN and without a read of the table', async () => {
    const { writer, reader: own } = await open()
    const reads: string[] = []
    const follower = await open((db) => ({
      ...db,
      listen: () => () => {},
      feed: {
        query: (text, params) => {
          reads.push(text)
          return db.feed.query(text, params)
        },
      },
    }))
    await writer.loadState()
    const stop = follower.reader.onSignal(() => {})
    const { seq: start } = await follower.reader.snapshot(WINDOWS)
    assert.deepEqual(await follower.reader.feedAfter(start, LIMIT), [])
    await until('it receives', () => follower.broadcast?.isConnected())
    reads.splice(0)
    const arrived: FeedEntry[] = []
    for (const block of replay(randomScenario(1, 10)).blocks) {
      await writer.commit([block], 0)
      await until('the block arrives', async () => {
        arrived.push(...(await follower.reader.feedAfter(start + arrived.length, LIMIT)))
        return arrived.at(-1)?.header.number === block.header.number
      })
    }
    assert.deepEqual(arrived, await own.feedAfter(start, LIMIT))
    assert.equal(follower.broadcast?.counts('feed').applied, 10)
    assert.ok(reads.length <= 2, `${reads.length} reads`)
    stop()
  })
})

const WINDOWS = { trades: 0, candles: {}, settlements: 0, priceSeconds: 0, poolHoursFrom: 0 }

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { emptyState, fold, type VenueState } from '@openvenue/core/state'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { replay, rowsOfKind } from '../../test/replay.ts'
import type { Store } from '../store.ts'
import { OWNED_KINDS } from './owner-records.ts'

const seed = Number(process.env.SEED ?? 1)
const WINDOWS = { trades: 0, candles: {}, settlements: 0, priceSeconds: 1e12, poolHoursFrom: 1e12 }

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`what is read when it is asked for, on ${engine.name}, seed ${seed}`, () => {
    let database: TestDatabase
    let store: Store
    const { state, blocks } = replay(randomScenario(seed + 40, 200))
    let last = 0
    const changes = blocks.flatMap((block) => block.changes)
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      await store.writer.commit(blocks, 1000)
      last = (await store.reader.snapshot(WINDOWS)).seq
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    test('accounts get all their own records and no others, as of the newest entry of the feed', async () => {
      const all = ownersIn(state)
      assert.ok(all.size > 2, `accounts ${[...all]}`)
      for (const accounts of [[...all], [...all].slice(0, 1), [], [4_000_000]]) {
        const { seq, rows } = await store.reader.owned(accounts)
        const read = emptyState()
        fold(read, rows)
        for (const kind of OWNED_KINDS) {
          const expected = [...state.records[kind]].filter(([, { account }]) =>
            accounts.includes(account),
          )
          assert.deepEqual(read.records[kind], new Map<string, unknown>(expected), kind)
        }
        assert.equal(seq, last)
      }
    })

    test("the newest candles and trades equal the feed's, oldest first", async () => {
      const [{ market = '' } = {}] = rowsOfKind(changes, 'trade')
      const trades = rowsOfKind(changes, 'trade').filter((trade) => trade.market === market)
      const candles = rowsOfKind(changes, 'candle').filter(
        (candle) => candle.market === market && candle.resolution === '1',
      )
      assert.ok(trades.length > 3 && candles.length > 3)
      const { reader } = store
      const of = { market: String(market), resolution: '1' }
      for (const limit of [3, 10_000]) {
        const [newestTrades, newestCandles] = [
          await reader.newestTrades({ ...of, limit }),
          await reader.newestCandles({ ...of, limit }),
        ]
        assert.deepEqual(newestTrades, { seq: last, rows: trades.slice(-limit) })
        assert.deepEqual(newestCandles, { seq: last, rows: candles.slice(-limit) })
      }
      const none = await reader.newestCandles({ market: '0x', resolution: '1', limit: 3 })
      assert.deepEqual(none, { seq: last, rows: [] })
    })

    test('a snapshot of some kinds has no records of others', async () => {
      const snapshot = await store.reader.snapshot({ ...WINDOWS, kinds: ['market', 'order'] })
      assert.deepEqual(snapshot.state.records.market, state.records.market)
      assert.deepEqual(snapshot.state.records.order, state.records.order)
      for (const kind of [...OWNED_KINDS, 'ticker'] as const)
        assert.equal(snapshot.state.records[kind].size, 0, kind)
      assert.deepEqual(snapshot.state.head, state.head)
    })
  })
}

const ownersIn = ({ records }: VenueState) =>
  new Set(OWNED_KINDS.flatMap((kind) => [...records[kind].values()].map(({ account }) => account)))

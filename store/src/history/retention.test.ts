import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { BlockChanges, Change } from '@openvenue/core/changes'
import type { Candle, PoolHour, PriceMinute } from '@openvenue/core/records'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import { PRICE_RETENTION_S, SERIES_RETENTION_S } from './retention.ts'

const HOUR = 3600
const START = 500_000 * HOUR
const FINALITY = 64

const makeBlock = (number: number, seconds: number, changes: Change[]): BlockChanges => ({
  header: { number, hash: `0x${number}`, parentHash: `0x${number - 1}`, seconds },
  changes,
})

/** Returns blocks of half an hour each in which `series` and a pool get a new row. */
function makeBlocks(count: number, series: string): BlockChanges[] {
  let minute: PriceMinute | undefined
  let hour: PoolHour | undefined
  return Array.from({ length: count }, (_, index) => {
    const seconds = START + index * (HOUR / 2)
    const [minuteBefore, hourBefore] = [minute, hour]
    minute = { series, openSeconds: seconds, price: 1n }
    hour = poolHourAt(seconds - (seconds % HOUR))
    return makeBlock(index + 1, seconds, [
      { what: 'priceMinute', key: series, before: minuteBefore, after: minute },
      { what: 'poolHour', key: '0xpool', before: hourBefore, after: hour },
    ])
  })
}

const poolHourAt = (openSeconds: number): PoolHour => ({
  pool: '0xpool',
  openSeconds,
  volume0: 0n,
  volume1: 0n,
  swaps: 0,
  openPriceX128: 1n,
  priceX128: 1n,
})

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`retention on ${engine.name}`, () => {
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
    const opens = async (table: string) =>
      (await store.db.primary.query(`SELECT open_seconds FROM ${table} ORDER BY 1`)).map(([open]) =>
        Number(open),
      )

    describe('of a chain that is written block by block', () => {
      const blocks = makeBlocks(400, 'mark:0xm')
      const newest = blocks.at(-1)?.header.seconds as number
      const from = newest - (newest % HOUR) - SERIES_RETENTION_S
      let [remaining, minutes]: number[][] = []
      before(async () => {
        await store.writer.wipeChain()
        for (const block of blocks) await store.writer.commit([block], 1_000)
        remaining = await opens('pool_hours')
        minutes = await opens('price_minutes')
      })

      test('hours of pools older than two days are deleted as their series continues', () => {
        assert.equal(remaining?.[0], from)
        assert.ok(
          (remaining?.length ?? 0) <= SERIES_RETENTION_S / HOUR + 1,
          `${remaining?.length} hours`,
        )
      })

      test('minutes of pools older than two days are thinned to the last of each hour', () => {
        const expected = blocks
          .map(({ header }) => header.seconds)
          .filter((seconds) => seconds >= from || seconds % HOUR === HOUR / 2)
        assert.deepEqual(minutes, expected)
      })
    })

    test('minutes of pools older than 400 days are deleted, except the newest of a quiet series', async () => {
      const key = 'mark:0xm'
      const [first, second] = makeBlocks(2, key) as [BlockChanges, BlockChanges]
      await store.writer.commit([first, second], 1_000)
      const before = { series: key, openSeconds: second.header.seconds, price: 1n }
      const later = { ...before, openSeconds: START + PRICE_RETENTION_S + 2 * HOUR }
      const change: Change = { what: 'priceMinute', key, before, after: later }
      await store.writer.commit([makeBlock(3, later.openSeconds, [change])], 1_000)
      assert.deepEqual(await opens('price_minutes'), [later.openSeconds])
    })

    test('one-minute candles are kept permanently', async () => {
      const key = 'mark:0xm'
      const { market, resolution } = { market: '0xm', resolution: '1' } as const
      const times = [START, START + 2 * PRICE_RETENTION_S]
      let before: Candle | undefined
      for (const [at, openSeconds] of times.entries()) {
        const ticks = { open: 1, high: 1, low: 1, close: 1 }
        const sums = { volume: 1n, quoteUnits: 1n, takerBuyVolume: 1n, takerBuyUnits: 1n }
        const after: Candle = { market, resolution, openSeconds, ...ticks, ...sums, trades: 1 }
        const minute = { series: key, openSeconds, price: 1n }
        const changes: Change[] = [
          { what: 'candle', key: `${market}|${resolution}`, before, after },
          {
            what: 'priceMinute',
            key,
            before: before && { ...minute, openSeconds: START },
            after: minute,
          },
        ]
        await store.writer.commit([makeBlock(at + 1, openSeconds, changes)], 1_000)
        before = after
      }
      assert.deepEqual(await opens('candles'), times)
      assert.deepEqual(await opens('price_minutes'), times.slice(1), 'while prices have gone')
    })

    test('retention in batches of any size leaves the same rows', async () => {
      const blocks = makeBlocks(400, 'mark:0xm')
      await store.writer.commit(blocks, 1_000)
      const atOnce = [await opens('price_minutes'), await opens('pool_hours')]
      await store.writer.wipeChain()
      for (let at = 0; at < blocks.length; at += 7)
        await store.writer.commit(blocks.slice(at, at + 7), 1_000)
      assert.deepEqual([await opens('price_minutes'), await opens('pool_hours')], atOnce)
    })

    test('the newest row of a quiet series is kept by retention, however old', async () => {
      const [first] = makeBlocks(1, 'index:QUIET')
      await store.writer.commit([first as BlockChanges], 1_000)
      const rest = makeBlocks(400, 'mark:0xm').slice(1)
      const minutes = rest.map((block) => ({
        ...block,
        changes: block.changes.filter(({ what }) => what === 'priceMinute'),
      }))
      for (let at = 0; at < minutes.length; at += 8)
        await store.writer.commit(minutes.slice(at, at + 8), 1_000)
      const state = await store.writer.loadState()
      assert.equal(state.records.priceMinute.get('index:QUIET')?.openSeconds, START)
      assert.equal(state.records.poolHour.get('0xpool')?.openSeconds, START)
    })

    test('there are as many undo records as blocks that are not final', async () => {
      const blocks = makeBlocks(3 * FINALITY, 'mark:0xm')
      for (const [index, block] of blocks.entries())
        await store.writer.commit([block], index + 1 - FINALITY)
      const count = async (table: string) =>
        Number((await store.db.primary.query(`SELECT count(*) FROM ${table}`))[0]?.[0])
      assert.deepEqual([await count('undo'), await count('blocks')], [FINALITY, FINALITY + 1])
    })
  })
}

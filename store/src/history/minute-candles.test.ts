// Retention of one-minute candles: which are deleted, which are kept, and how many at a time.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { RESOLUTION_NAMES } from '@openvenue/core/resolutions'
import { Scenario, SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { replay } from '../../test/replay.ts'
import type { Store } from '../store.ts'
import { OLD_CANDLES_MAX } from './retention.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const KEPT_DAYS = 2
/** Interval of the writer's check for old data. */
const PAUSE_MS = 10_000
const RICH = 10n ** 9n

/** BTC-USDC trades once, ETH-USDC then every six hours for `days`. */
function twoMarkets(days: number): Scenario {
  const scenario = new Scenario().index('ETH', 3000n * E18)
  for (const name of ['ETH-USDC', 'BTC-USDC'] as const) {
    scenario.list(name).deposit('alice', 'USDC', RICH)
    scenario.deposit('bob', name === 'ETH-USDC' ? 'ETH' : 'BTC', RICH)
  }
  trade(scenario.on('BTC-USDC'))
    .next(6 * HOUR)
    .on('ETH-USDC')
  for (let trades = 0; trades < days * 4; trades++) trade(scenario).next(6 * HOUR)
  return scenario
}

const trade = (scenario: Scenario) =>
  scenario.place('bob', 'sell', 300_000, 10n).place('alice', 'buy', 300_000, 10n)

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`candles of one minute that are kept for a while on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    const { blocks } = replay(twoMarkets(6).blocks())
    const btc = marketId('BTC-USDC')
    const eth = marketId('ETH-USDC')
    before(async () => {
      database = await engine.createDatabase()
    })
    beforeEach(async () => {
      await store?.close()
      store = await database.open({ minuteCandlesKeptDays: KEPT_DAYS })
      await store.writer.wipeChain()
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    function marketId(name: string): string {
      const changes = blocks.flatMap((block) => block.changes)
      for (const { what, after: market } of changes)
        if (what === 'market' && market?.name === name) return market.id
      throw new Error(`no market ${name}`)
    }

    const opens = async (market: string, resolution: string) =>
      (
        await store.db.primary.query(
          'SELECT open_seconds FROM candles WHERE market = $1 AND resolution = $2 ORDER BY 1',
          [market, resolution],
        )
      ).map(([open]) => Number(open))
    const readAll = async () => {
      const all = new Map<string, readonly number[]>()
      for (const resolution of RESOLUTION_NAMES) all.set(resolution, await opens(eth, resolution))
      return all
    }

    test('old one-minute candles are deleted, but none of other resolutions', async () => {
      await store.writer.commit(blocks, Number.MAX_SAFE_INTEGER)
      const head = blocks.at(-1)?.header.seconds as number
      const remaining = await readAll()
      const minutes = remaining.get('1') as readonly number[]
      assert.ok(minutes.length > 0 && minutes.every((open) => open >= head - KEPT_DAYS * DAY))
      const all = Array.from({ length: 24 }, (_, index) => START + (index + 1) * 6 * HOUR)
      assert.deepEqual(
        minutes,
        all.filter((open) => open >= head - KEPT_DAYS * DAY),
      )
      for (const resolution of ['3', '5', '15', '30', '60', '120', '240', '360'])
        assert.equal(remaining.get(resolution)?.length, 24, resolution)
      assert.equal(
        remaining.get('1D')?.length,
        new Set(all.map((open) => Math.floor(open / DAY))).size,
      )
    })

    test('the newest one-minute candle of a quiet market is kept, however old', async () => {
      await store.writer.commit(blocks, Number.MAX_SAFE_INTEGER)
      assert.deepEqual(await opens(btc, '1'), [START])
      const { records } = await store.writer.loadState()
      assert.equal(records.candle.get(`${btc}|1`)?.openSeconds, START)
    })

    test('a deleted one-minute candle returns when the next block is undone', async () => {
      const { blocks: quiet } = replay(trade(twoMarkets(1).next(3 * DAY)).blocks())
      const { number, seconds } = quiet.at(-1)?.header ?? assert.fail('no blocks')
      await store.writer.commit(quiet.slice(0, -1), 1)
      const newest = (await opens(eth, '1')).slice(-1)
      await store.close()
      // A new process checks at once.
      store = await database.open({ minuteCandlesKeptDays: KEPT_DAYS })
      await store.writer.commit(quiet.slice(-1), 1)
      assert.deepEqual(await opens(eth, '1'), [seconds])
      await store.writer.undoTo(number - 1)
      assert.deepEqual(await opens(eth, '1'), newest)
    })

    test('one-minute candles are deleted some thousands at a time, then not until the next check', async (t) => {
      const real = performance.now.bind(performance)
      let aheadMs = 0
      t.mock.method(performance, 'now', () => real() + aheadMs)
      await store.writer.commit(blocks.slice(0, -2), Number.MAX_SAFE_INTEGER)
      const some = OLD_CANDLES_MAX + 1_000
      await store.db.writeTransaction((sql) =>
        sql.query(
          `INSERT INTO candles SELECT $1, '1', n * 60, 1, 1, 1, 1, 1, 1, 1, 1, 1
            FROM generate_series(1, ${some}) n`,
          [eth],
        ),
      )
      const countOld = async () =>
        (await opens(eth, '1')).filter((open) => open <= some * 60).length
      await store.writer.commit(blocks.slice(-2, -1), Number.MAX_SAFE_INTEGER)
      assert.equal(await countOld(), some, 'it has looked a moment ago')
      aheadMs += PAUSE_MS
      await store.writer.commit(blocks.slice(-1), Number.MAX_SAFE_INTEGER)
      assert.equal(await countOld(), some - OLD_CANDLES_MAX)
    })
  })
}

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import {
  MINUTE,
  makeDeps,
  marketScenario,
  minutes,
  readItems,
  readTimes,
} from '../../test/candle-scenario.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { CANDLE_WINDOW_MAX } from '../model/candle-series.ts'
import { CandleBodies } from './candle-bodies.ts'

describe('deep history', () => {
  /** A trade at minute 0, none for nine minutes, then one in each. */
  const LAST = 5_209
  const last = START + LAST * MINUTE
  let store: Store
  let venue: ScenarioNode
  before(async () => {
    store = await openMemoryStore()
    const ticks = Array.from({ length: LAST + 1 }, (_, minute) =>
      minute > 0 && minute < 10 ? undefined : 300_000 + (minute % 7),
    )
    venue = await scenarioNode(minutes(marketScenario(), ticks).blocks(), store)
  })
  after(async () => {
    await venue.close()
    await store.close()
  })

  const ends = async (parameters: string) => {
    const { body } = await venue.get(`/candles?instrument_name=ETH-USDC&resolution=1&${parameters}`)
    const times = readTimes(body)
    return { first: times[0], last: times.at(-1), count: times.length }
  }

  test('a range of more than 5000 bars gives the oldest 5000', async () => {
    assert.deepEqual(await ends(''), { first: 0, last: 5008, count: 5000 })
    const from = START + 100 * MINUTE
    assert.deepEqual(await ends(`from=${from}`), { first: 100, last: 5099, count: 5000 })
    const later = from + 200 * MINUTE
    assert.deepEqual(await ends(`from=${later}`), { first: 300, last: LAST, count: 4910 })
  })

  test('countback reaches behind what is in memory, at most 5000 bars, without a gap', async () => {
    assert.deepEqual(await ends('countback=9000'), { first: 210, last: LAST, count: 5000 })
    const to = START + 1000 * MINUTE
    assert.deepEqual(await ends(`countback=10&to=${to}`), { first: 991, last: 1000, count: 10 })
    const { body } = await venue.get('/candles?symbol=ETH-USDC&resolution=1&countback=2000')
    assert.deepEqual(
      readTimes(body),
      Array.from({ length: 2000 }, (_, index) => 3210 + index),
    )
  })

  test('a range across the edge of memory is seamless', async () => {
    const edge = last - CANDLE_WINDOW_MAX * MINUTE
    const found = await ends(`from=${edge - 2 * MINUTE}&to=${edge + 2 * MINUTE}`)
    assert.equal(found.count, 5)
  })

  test('an old bar reads the same from the database as from memory', async () => {
    const url = `/candles?symbol=ETH-USDC&resolution=1&to=${START + 60}&countback=1`
    const [item] = readItems((await venue.get(url)).body)
    assert.deepEqual(
      [item?.open, item?.volume, item?.close_time],
      ['3000', '0.001', START + MINUTE - 1],
    )
  })

  test('a body from the database is cached, but is not an answer from memory', async () => {
    const bodies = new CandleBodies(makeDeps(venue, store.reader), () => {})
    const live = venue.model.market('ETH-USDC')
    assert.ok(live)
    const format = {
      name: 'count',
      encode: (_: unknown, bars: Iterable<unknown>) => `${[...bars].length}`,
    }
    const deep = {
      market: live.market,
      resolution: '1',
      range: { countback: 4000 },
      format,
    } as const
    assert.equal(bodies.source(deep), undefined)
    const { bytes } = await bodies.fromDatabase(deep)
    assert.equal(String(bytes), '4000')
    assert.equal((await bodies.fromDatabase(deep)).bytes, bytes)
    assert.equal(bodies.source(deep), undefined)
    assert.equal(String(bodies.source({ ...deep, range: { countback: 9 } })?.read()), '9')
  })

  test('a chart learns the nearest earlier bar, from memory or from the database', async () => {
    const url = '/last-traded-tradingview/history?symbol=ETH-USDC&resolution=1'
    const after = await venue.get(`${url}&from=${last + 7200}&to=${last + 9000}`)
    assert.deepEqual(after.body, { s: 'no_data', nextTime: last })
    const gap = await venue.get(`${url}&from=${START + 2 * MINUTE}&to=${START + 8 * MINUTE}`)
    assert.deepEqual(gap.body, { s: 'no_data', nextTime: START })
    const before = await venue.get(`${url}&from=${START - 600}&to=${START - 60}`)
    assert.deepEqual(before.body, { s: 'no_data' })
  })
})

describe('history of which the minutes were kept for two days, more than are in memory', () => {
  const LAST = 5_000
  const from = LAST - 2 * 1_440
  let store: Store
  let venue: ScenarioNode
  before(async () => {
    store = await openMemoryStore({ minuteCandlesKeptDays: 2 })
    // Two minutes without trades, older than the range that is kept.
    const ticks = Array.from({ length: LAST + 1 }, (_, minute) =>
      minute === from + 5 || minute === from + 6 ? undefined : 300_000,
    )
    venue = await scenarioNode(minutes(marketScenario(), ticks).blocks(), store)
  })
  after(async () => {
    await venue.close()
    await store.close()
  })
  const range = (first: number, last: number) =>
    `symbol=ETH-USDC&resolution=1&from=${START + first * MINUTE}&to=${START + last * MINUTE}`

  test('an older range is empty, one across the edge begins with what is left', async () => {
    const none = await venue.get(`/candles?${range(0, from - 1)}`)
    assert.deepEqual([none.status, none.body], [200, []])
    const across = readTimes((await venue.get(`/candles?${range(0, from + 3)}`)).body)
    assert.deepEqual(across, [from, from + 1, from + 2, from + 3])
    const counted = await venue.get('/candles?symbol=ETH-USDC&resolution=1&countback=5000')
    assert.equal(readTimes(counted.body)[0], from)
  })

  test('a chart gets the nearest earlier bar, or no data', async () => {
    const history = async (first: number, last: number) => {
      const { status, body } = await venue.get(
        `/last-traded-tradingview/history?${range(first, last)}`,
      )
      return [status, body]
    }
    assert.deepEqual(await history(0, from - 1), [200, { s: 'no_data' }])
    const nextTime = START + (from + 4) * MINUTE
    assert.deepEqual(await history(from + 5, from + 6), [200, { s: 'no_data', nextTime }])
  })

  test('longer bars are there from the start, with every trade', async () => {
    const { body } = await venue.get('/candles?symbol=ETH-USDC&resolution=3')
    assert.equal(readTimes(body)[0], 0)
    const minutesIn = readItems(body).reduce((sum, { trades }) => sum + trades, 0)
    assert.equal(minutesIn, LAST + 1 - 2)
  })
})

test('without the database memory still answers; deeper history is 503, for charts an error', async () => {
  const ticks = Array.from({ length: 2 * CANDLE_WINDOW_MAX }, () => 300_000)
  const venue = await scenarioNode(minutes(marketScenario(), ticks).blocks())
  const candles = '/candles?symbol=ETH-USDC&resolution=1'
  assert.equal(readItems((await venue.get(`${candles}&countback=1500`)).body).length, 1500)
  const deep = await venue.get(`${candles}&countback=1501`)
  assert.deepEqual(
    [deep.status, (deep.body as { error: string }).error],
    [503, 'HISTORY_UNAVAILABLE'],
  )
  assert.equal(deep.headers['retry-after'], '1')
  const chart = await venue.get(
    `/last-traded-tradingview/history?symbol=ETH-USDC&resolution=1&countback=1501`,
  )
  assert.deepEqual([chart.status, (chart.body as { s: string }).s], [200, 'error'])
  await venue.close()
})

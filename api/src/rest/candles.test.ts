import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { Scenario, SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import type { Reader, Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { type CandleItem, Candles } from '@openvenue/wire/candles'
import { Value } from 'typebox/value'
import { freshReads } from '../../test/block-reads.ts'
import { BROKEN_READER, type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { CANDLE_WINDOW_MAX } from '../model/candle-series.ts'
import { CandleBodies } from './candle-bodies.ts'

const MINUTE = 60
const RICH = 10n ** 9n

/** A spot and a perpetual market; alice buys, bob sells. */
function marketScenario(): Scenario {
  const scenario = new Scenario()
  scenario.index('ETH', 3000n * E18)
  for (const name of ['ETH-USDC', 'ETH-PERP', 'BTC-USDC'] as const) {
    scenario.list(name)
    for (const who of ['alice', 'bob']) scenario.deposit(who, 'USDC', RICH)
  }
  scenario.on('ETH-USDC').deposit('bob', 'ETH', RICH).on('BTC-USDC').deposit('bob', 'BTC', RICH)
  return scenario.on('ETH-USDC')
}

/** A trade of `lots` at `tick` where the taker buys or sells. */
function trade(
  scenario: Scenario,
  tick: number,
  lots = 10n,
  taker: 'buy' | 'sell' = 'buy',
): Scenario {
  if (taker === 'buy')
    return scenario.place('bob', 'sell', tick, lots).place('alice', 'buy', tick, lots)
  return scenario.place('alice', 'buy', tick, lots).place('bob', 'sell', tick, lots)
}

/** One trade in each of `ticks`' minutes; `undefined` is a minute without. */
function minutes(scenario: Scenario, ticks: readonly (number | undefined)[]): Scenario {
  for (const tick of ticks) {
    if (tick !== undefined) trade(scenario, tick)
    scenario.next(MINUTE)
  }
  return scenario
}

const readItems = (body: unknown): CandleItem[] => {
  assert.ok(Value.Check(Candles, body))
  return body
}

const readTimes = (body: unknown) => readItems(body).map(({ time }) => (time - START) / MINUTE)

describe('candles', () => {
  let venue: ScenarioNode
  before(async () => {
    const scenario = minutes(marketScenario(), [
      300_000,
      300_100,
      undefined,
      299_900,
      undefined,
      300_050,
    ])
    trade(scenario.on('ETH-PERP'), 30_010).next(1)
    venue = await scenarioNode(scenario.blocks())
  })
  after(() => venue.close())

  const times = async (parameters: string) =>
    readTimes(
      (await venue.get(`/candles?instrument_name=ETH-USDC&resolution=1&${parameters}`)).body,
    )

  test('only periods with trades come back, oldest first', async () => {
    assert.deepEqual(await times(''), [0, 1, 3, 5])
  })

  test('a candle sums its trades exactly and counts what takers bought', async () => {
    const scenario = marketScenario()
    trade(scenario, 300_000, 10n)
    trade(scenario, 300_200, 20n, 'sell')
    const { get, close } = await scenarioNode(trade(scenario, 299_999, 5n).blocks())
    const { body } = await get('/candles?instrument_name=ETH-USDC&resolution=15')
    assert.deepEqual(body, [
      {
        time: START,
        close_time: START + 15 * MINUTE - 1,
        open: '3000',
        high: '3002',
        low: '2999.99',
        close: '2999.99',
        volume: '0.0035',
        quote_volume: '10.503995',
        trades: 3,
        average: '3001.141428',
        taker_buy_volume: '0.0015',
      },
    ])
    await close()
  })

  test('from and to are open times and both included; to is now by default', async () => {
    assert.deepEqual(await times(`from=${START + MINUTE}&to=${START + 3 * MINUTE}`), [1, 3])
    assert.deepEqual(await times(`from=${START + MINUTE + 1}&to=${START + 3 * MINUTE - 1}`), [])
    assert.deepEqual(await times(`from=${START + 3 * MINUTE}`), [3, 5])
    assert.deepEqual(await times(`to=${START + MINUTE + 59}`), [0, 1])
    assert.deepEqual(await times(`from=${START + 600}`), [])
    assert.deepEqual(await times('from=-5&to=99999999999999999999'), [0, 1, 3, 5])
    assert.deepEqual(await times('to=-1'), [])
  })

  test('countback is the newest bars not after to, whatever from says', async () => {
    assert.deepEqual(await times('countback=2'), [3, 5])
    assert.deepEqual(await times(`countback=2&from=${START + 5 * MINUTE}`), [3, 5])
    assert.deepEqual(await times(`countback=2&to=${START + 4 * MINUTE}`), [1, 3])
    assert.deepEqual(await times(`countback=2&from=${START + 900}&to=${START + 60}`), [0, 1])
    assert.deepEqual(await times('countback=9999999'), [0, 1, 3, 5])
  })

  test('fill=previous adds a flat bar without volume for each period without trades', async () => {
    const url = '/candles?instrument_name=ETH-USDC&resolution=1&fill=previous'
    const items = readItems((await venue.get(url)).body)
    assert.deepEqual(readTimes(items), [0, 1, 2, 3, 4, 5, 6])
    assert.deepEqual(
      items.map(({ close, trades }) => [close, trades]),
      [
        ['3000', 1],
        ['3001', 1],
        ['3001', 0],
        ['2999', 1],
        ['2999', 0],
        ['3000.5', 1],
        ['3000.5', 0],
      ],
    )
    const { open, high, low, close, volume, average } = items[2] as CandleItem
    assert.deepEqual(
      [open, high, low, close, volume, average],
      ['3001', '3001', '3001', '3001', '0', '3001'],
    )
    assert.deepEqual(
      readTimes((await venue.get(`${url}&from=${START + 120}&to=${START + 150}`)).body),
      [2],
    )
    assert.deepEqual(
      readTimes((await venue.get(`${url}&countback=3&to=${START + 240}`)).body),
      [2, 3, 4],
    )
  })

  test('fill=none is as without it, any other value is refused', async () => {
    assert.deepEqual(await times('fill=none'), [0, 1, 3, 5])
    const url = '/candles?instrument_name=ETH-USDC&resolution=1'
    assert.equal((await venue.get(`${url}&fill=zero`)).status, 400)
  })

  test('the market is named in any case, by id, or by its asset: the perpetual first', async () => {
    const first = async (name: string) => {
      const { body } = await venue.get(`/candles?resolution=1D&${name}`)
      return readItems(body)[0]?.open
    }
    assert.equal(await first('instrument_name=eth-usdc'), '3000')
    assert.equal(await first(`instrument_name=${LISTINGS['ETH-USDC'].id}`), '3000')
    assert.equal(await first('instrument_name=ETH'), '3001')
    assert.equal(await first('instrument_name=eth'), '3001')
    assert.equal(await first('symbol=ETH-USDC'), '3000')
    assert.equal(await first('instrument_name=ETH-USDC&symbol=ETH-PERP'), '3000')
    assert.equal(await first('instrument_name=btc'), undefined)
  })

  test('a missing or unknown instrument is 404', async () => {
    for (const query of [
      '',
      '?resolution=1',
      '?instrument_name=&resolution=1',
      '?symbol=DOGE&resolution=1',
    ]) {
      const { status, body } = await venue.get(`/candles${query}`)
      assert.equal(status, 404, query)
      assert.equal((body as { message: string }).message, 'Instrument not found')
    }
  })

  test('every resolution of the interface answers, aliases as the resolution they name', async () => {
    const url = '/candles?instrument_name=ETH-USDC&resolution='
    for (const name of '1 3 5 15 30 60 120 240 360 480 720 1D 3D 1W 1M'.split(' '))
      assert.equal(readItems((await venue.get(url + name)).body).length > 0, true, name)
    for (const [alias, name] of [
      ['D', '1D'],
      ['W', '1W'],
      ['M', '1M'],
    ] as const)
      assert.equal((await venue.get(url + alias)).text, (await venue.get(url + name)).text)
  })

  test('a missing or unsupported resolution is 400 and the legal ones are listed', async () => {
    for (const query of ['', '&resolution=', '&resolution=1m', '&resolution=1h', '&resolution=2']) {
      const { status, body } = await venue.get(`/candles?instrument_name=ETH-USDC${query}`)
      assert.equal(status, 400, query)
      const { message } = body as { message: string }
      assert.match(message, /1, 3, 5, 15, 30, 60, 120, 240, 360, 480, 720, 1D, 3D, 1W, 1M/)
    }
  })

  test('a bad integer is 400 and names the field; from after to is 400', async () => {
    const url = '/candles?instrument_name=ETH-USDC&resolution=1'
    for (const [query, field] of [
      ['from=1.5', 'from'],
      ['to=soon', 'to'],
      ['from=', 'from'],
      ['countback=0', 'countback'],
      ['countback=-1', 'countback'],
      ['countback=ten', 'countback'],
      ['from=1&from=2', 'from'],
      ['from=20&to=10', 'from'],
    ] as const) {
      const { status, body } = await venue.get(`${url}&${query}`)
      assert.equal(status, 400, query)
      const { details } = body as { details: { field: string }[] }
      assert.equal(details[0]?.field, field, query)
    }
  })

  test('a market without trades has an empty array', async () => {
    assert.deepEqual((await venue.get('/candles?symbol=BTC&resolution=1')).body, [])
  })

  test('the answer says of which block it is', async () => {
    const { headers } = await venue.get('/candles?symbol=ETH&resolution=1')
    assert.equal(headers['x-block-number'], String(venue.model.head?.number))
    assert.equal(headers['x-block-hash'], venue.model.head?.hash)
  })
})

test('cached answers follow trades, new bars and undone blocks', async () => {
  const scenario = minutes(marketScenario(), [300_000])
  const venue = await scenarioNode(scenario.blocks())
  const until = START + MINUTE
  const urls = [
    '/candles?instrument_name=ETH-USDC&resolution=1',
    '/candles?instrument_name=ETH-USDC&resolution=1&countback=1',
    `/candles?instrument_name=ETH-USDC&resolution=1&to=${until}`,
    '/last-traded-tradingview/history?symbol=ETH-USDC&resolution=1&countback=5',
  ]
  const answers = async () => Promise.all(urls.map(async (url) => (await venue.get(url)).text))
  const seen = [await answers()]
  const more = [
    trade(scenario, 300_010).next(1),
    trade(scenario, 300_020).next(MINUTE),
    trade(scenario, 300_030).next(MINUTE),
  ]
  const blocks = more.at(-1)?.blocks().slice(-3) ?? []
  for (const block of blocks) {
    venue.applyBlocks([block])
    seen.push(await answers())
  }
  assert.equal(new Set(seen.map(([all]) => all)).size, 4, 'each trade changes the whole series')
  for (const before of seen.slice(0, -1).reverse()) {
    venue.undoBlock()
    assert.deepEqual(await answers(), before)
  }
  await venue.close()
})

const makeDeps = ({ model }: ScenarioNode, reader: Reader) => ({
  model,
  reader,
  fresh: freshReads(model),
})

test('whoever keeps answers hears when bars leave the memory', async () => {
  const scenario = minutes(marketScenario(), [300_000])
  const venue = await scenarioNode(scenario.blocks())
  let left = 0
  const { id: market } = LISTINGS['ETH-USDC']
  const candle = venue.model.newestCandle(market, '1')
  assert.ok(candle)
  const newestCandles = async () => ({ seq: venue.model.seq, rows: [candle] })
  const bodies = new CandleBodies(makeDeps(venue, { ...BROKEN_READER, newestCandles }), () => {
    left += 1
  })
  const live = venue.model.market(market)
  assert.ok(live)
  await bodies.bars({ market: live.market, resolution: '1', range: {} })
  venue.applyBlocks(trade(scenario, 300_010).blocks().slice(-1))
  assert.equal(left, 0)
  venue.undoBlock()
  assert.ok(left > 0)
  await venue.close()
})

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

  test('a body from the database is kept, but is no answer from memory', async () => {
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

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import type { CandleItem } from '@openvenue/wire/candles'
import {
  MINUTE,
  makeDeps,
  marketScenario,
  minutes,
  readItems,
  readTimes,
  trade,
} from '../../test/candle-scenario.ts'
import { BROKEN_READER, type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { CandleBodies } from './candle-bodies.ts'

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

  test('from and to are open times and both are included; to is now by default', async () => {
    assert.deepEqual(await times(`from=${START + MINUTE}&to=${START + 3 * MINUTE}`), [1, 3])
    assert.deepEqual(await times(`from=${START + MINUTE + 1}&to=${START + 3 * MINUTE - 1}`), [])
    assert.deepEqual(await times(`from=${START + 3 * MINUTE}`), [3, 5])
    assert.deepEqual(await times(`to=${START + MINUTE + 59}`), [0, 1])
    assert.deepEqual(await times(`from=${START + 600}`), [])
    assert.deepEqual(await times('from=-5&to=99999999999999999999'), [0, 1, 3, 5])
    assert.deepEqual(await times('to=-1'), [])
  })

  test('countback gives the newest bars not after to, regardless of from', async () => {
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

  test('fill=none is the default, and any other value is refused', async () => {
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

  test('the answer names its block', async () => {
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

test('holders of cached answers are notified when bars are evicted from memory', async () => {
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
  await bodies.bars({ market: live.market, resolution: '1' }, [{}])
  venue.applyBlocks(trade(scenario, 300_010).blocks().slice(-1))
  assert.equal(left, 0)
  venue.undoBlock()
  assert.ok(left > 0)
  await venue.close()
})

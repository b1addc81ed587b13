import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketId } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS, TOKENS } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { type MarketObject, Markets } from '@openvenue/wire/markets'
import type { Statistics } from '@openvenue/wire/statistics'
import type { MarketsSummary } from '@openvenue/wire/summary'
import { Value } from 'typebox/value'
import { funded, list } from '../../test/funded.ts'
import { scenarioNode } from '../../test/scenario-node.ts'

const HOUR = 3600
const ETH = LISTINGS['ETH-USDC']

const setUp = () => {
  const scenario = funded('ETH-USDC', 'BTC-USDC', 'ETH-PERP')
  scenario.on('ETH-PERP').place('alice', 'buy', 30_000, 20n).place('bob', 'sell', 30_000, 5n)
  return scenario
    .on('ETH-USDC')
    .place('alice', 'buy', 300_000, 10n)
    .place('bob', 'sell', 300_002, 1n)
}

async function asked(scenario: Scenario, url: string) {
  const { get, close } = await scenarioNode(scenario.blocks())
  const answer = await get(url)
  await close()
  return answer
}
const pickNames = (body: unknown) => (body as MarketObject[]).map((one) => one.instrument_name)
const one = async (scenario: Scenario, url: string) =>
  (await asked(scenario, url)).body as MarketObject

describe('GET /markets', () => {
  test('GET /markets lists every market in order of listing', async () => {
    const { status, body, headers } = await asked(setUp(), '/markets')
    assert.equal(status, 200)
    assert.deepEqual(pickNames(body), ['ETH-USDC', 'BTC-USDC', 'ETH-PERP'])
    assert.ok(Value.Check(Markets, body))
    assert.match(String(headers['content-type']), /^application\/json/)
  })

  for (const [query, names] of [
    ['instrument_type=SPOT', ['ETH-USDC', 'BTC-USDC']],
    ['instrument_type=PERPETUAL', ['ETH-PERP']],
    ['instrument_type=spot', []],
    ['instrument_type=OPTION', []],
    ['instrument_type=', []],
    ['asset=ETH', ['ETH-USDC', 'ETH-PERP']],
    ['asset=eth', ['ETH-USDC', 'ETH-PERP']],
    ['asset=USDC', []],
    ['asset=', []],
    ['asset=eth&instrument_type=PERPETUAL', ['ETH-PERP']],
    ['unknown=1', ['ETH-USDC', 'BTC-USDC', 'ETH-PERP']],
  ] as const)
    test(`GET /markets with ${query} lists ${names.join(', ') || 'nothing'}`, async () => {
      const { status, body } = await asked(setUp(), `/markets?${query}`)
      assert.equal(status, 200)
      assert.deepEqual(pickNames(body), names)
    })

  test('GET /markets is cached for MARKETS_CACHE_MS, and names the block it is of', async () => {
    const scenario = setUp()
    const options = { environment: 'test', version: '1', marketsCacheMs: 30_000, readyCacheMs: 0 }
    const { get, applyBlocks, setNow, close } = await scenarioNode(scenario.blocks(), undefined, {
      options,
    })
    const asked = async () => {
      const { body, headers } = await get('/markets')
      return [(body as MarketObject[]).length, headers['x-block-number']]
    }
    const { seconds } = scenario
    setNow(seconds)
    assert.deepEqual(await asked(), [3, '2'])
    const before = scenario.blocks().length
    applyBlocks(list(scenario, 'SOL-PERP').blocks().slice(before))
    setNow(seconds + 29)
    assert.deepEqual(await asked(), [3, '2'])
    assert.equal((await get('/markets/SOL-PERP')).status, 200)
    setNow(seconds + 30)
    assert.deepEqual(await asked(), [4, '3'])
    await close()
  })
})

describe('a market object', () => {
  for (const url of [
    '/markets/ETH-USDC',
    '/instrument/ETH-USDC',
    `/markets/${ETH.id}`,
    `/instrument/${ETH.id}`,
    `/markets/${BigInt(ETH.id)}`,
  ])
    test(`a market object is found at ${url.slice(0, 30)}`, async () => {
      const { status, body } = await asked(setUp(), url)
      assert.equal(status, 200)
      assert.equal((body as MarketObject).instrument_id, ETH.id)
    })

  for (const url of ['/markets/eth-usdc', '/markets/ETH', '/instrument/Eth-Usdc', '/markets/0x00'])
    test(`a market object is not found at ${url}`, async () => {
      const { status, body } = await asked(setUp(), url)
      assert.equal(status, 404)
      const { error, message } = body as { error: string; message: string }
      assert.deepEqual([error, message], ['INSTRUMENT_NOT_FOUND', 'Instrument not found'])
    })

  test('a market object of a spot market has null funding and open interest, and no fees or leverage', async () => {
    const market = await one(setUp(), '/markets/ETH-USDC')
    assert.deepEqual(market, {
      instrument_id: ETH.id,
      instrument: BigInt(ETH.id).toString(),
      instrument_name: 'ETH-USDC',
      instrument_type: 'SPOT',
      underlying_asset: 'ETH',
      quote_asset: 'USDC',
      price_step: '0.01',
      amount_step: '0.0001',
      min_order_value: '0.000001',
      max_order_value: '1000000000000',
      max_notional_value: '1000000000000',
      mark_price: '3000.01',
      index_price: '3000',
      funding_rate: null,
      open_interest: null,
      volume_24h: '0',
      base_decimals: 18,
      quote_decimals: 6,
      is_active: true,
      trading: 'live',
    })
  })

  test('a market object of a perpetual has fees as fractions, leverage and 18 decimals', async () => {
    const market = await one(setUp(), '/markets/ETH-PERP')
    assert.equal(market.instrument_type, 'PERPETUAL')
    assert.equal(market.maker_fee, '0.0001')
    assert.equal(market.taker_fee, '0.00035')
    assert.equal(market.max_leverage, '20')
    assert.equal(market.max_notional_value, '50000000')
    assert.equal(market.mark_price, '3000')
    assert.equal(market.open_interest, '0.005')
    assert.equal(market.funding_rate, '0')
    assert.equal(market.volume_24h, '15')
    assert.deepEqual([market.base_decimals, market.quote_decimals], [18, 18])
  })

  test('a market object has null prices while there are none', async () => {
    const market = await one(funded('BTC-USDC'), '/markets/BTC-USDC')
    assert.deepEqual([market.mark_price, market.index_price], [null, null])
  })

  test('a market object of a spot market is marked at the mid, else at the last trade, else not at all', async () => {
    const scenario = funded('ETH-USDC').place('alice', 'buy', 300_000, 1n)
    assert.equal((await one(scenario, '/markets/ETH-USDC')).mark_price, null)
    scenario.place('bob', 'sell', 300_000, 1n)
    assert.equal((await one(scenario, '/markets/ETH-USDC')).mark_price, '3000')
    scenario.place('alice', 'buy', 300_000, 1n).place('bob', 'sell', 300_003, 1n)
    assert.equal((await one(scenario, '/markets/ETH-USDC')).mark_price, '3000.015')
  })

  test('a market object follows parameters, halts and the index', async () => {
    const scenario = setUp()
    const { get, applyBlocks, close } = await scenarioNode(scenario.blocks())
    const before = scenario.blocks().length
    scenario.say({ type: 'Halted', market: ETH.id, halted: true }).index('ETH', 3100n * E18)
    applyBlocks(scenario.blocks().slice(before))
    const market = (await get('/markets/ETH-USDC')).body as MarketObject
    await close()
    assert.equal(market.is_active, false)
    assert.equal(market.index_price, '3100')
  })
})

test('a market object distinguishes a perpetual that has ended from one that is halted', async () => {
  const scenario = setUp()
  const { get, applyBlocks, close } = await scenarioNode(scenario.blocks())
  const shown = async () => {
    const { is_active, is_ended } = (await get('/markets/ETH-PERP')).body as MarketObject
    return [is_active, is_ended]
  }
  const next = () => {
    const before = scenario.blocks().length
    return { apply: () => applyBlocks(scenario.blocks().slice(before)) }
  }
  assert.deepEqual(await shown(), [true, false])
  const market = LISTINGS['ETH-PERP'].id
  const halted = next()
  scenario.say({ type: 'Halted', market, halted: true })
  halted.apply()
  assert.deepEqual(await shown(), [false, false])
  scenario.next()
  const ended = next()
  scenario.say({ type: 'Ended', market, mark: 3000n * E18, fundingIndex: 0n })
  ended.apply()
  assert.deepEqual(await shown(), [false, true])
  await close()
})

test('a name that was listed twice means the market listed last, everywhere', async () => {
  const scenario = setUp().place('bob', 'sell', 300_000, 1n).next()
  const { engine, priceStep, amountStep } = ETH
  const head = { engine, market: marketId(engine, 77), number: 77, name: 'ETH-USDC' }
  const tokens = { base: TOKENS.ETH.address, quote: TOKENS.USDC.address }
  const limits = { minOrderValue: 1n, maxOrderValue: 7_000_000n }
  scenario.say({ type: 'SpotListed', ...head, ...tokens, priceStep, amountStep, ...limits })
  const { get, undoBlock, close } = await scenarioNode(scenario.blocks())
  const idAt = async (url: string, id: (body: never) => unknown) =>
    id((await get(url)).body as never)
  const ids = async () => [
    await idAt('/markets/ETH-USDC', (one: MarketObject) => one.instrument_id),
    await idAt('/statistics/ETH/SPOT', (one: Statistics) => one.instrument_id),
    await idAt(
      '/markets-summary',
      (all: MarketsSummary) => all.summaries[0]?.spot_info?.instrument_id,
    ),
  ]
  assert.deepEqual(await ids(), [head.market, head.market, head.market])
  const bars = async (name: string) =>
    (await get(`/candles?instrument_name=${name}&resolution=1D`)).text
  assert.equal(await bars('ETH-USDC'), '[]')
  assert.equal((await get(`/markets/${ETH.id}`)).status, 200)
  assert.equal(pickNames((await get('/markets?instrument_type=SPOT')).body).length, 3)
  undoBlock()
  assert.deepEqual(await ids(), [ETH.id, ETH.id, ETH.id])
  assert.notEqual(await bars('ETH-USDC'), '[]')
  await close()
})

describe('volume_24h', () => {
  const trade = (scenario: Scenario, lots: bigint) =>
    scenario.place('alice', 'buy', 300_000, lots).place('bob', 'sell', 300_000, lots)
  /** 0.3 USDC a lot: hours 0, 1 and 24 of the scenario trade 1, 10 and 100 lots. */
  const day = () => {
    const scenario = trade(funded('ETH-USDC'), 1n).next(HOUR)
    trade(scenario, 10n).next(23 * HOUR)
    return trade(scenario, 100n)
  }

  test('volume_24h counts from the start of the hour 23 hours ago through the current hour', async () => {
    const { get, setNow, close } = await scenarioNode(day().blocks())
    const at = async (seconds: number) => {
      setNow(seconds)
      return ((await get('/markets/ETH-USDC')).body as MarketObject).volume_24h
    }
    const start = day().seconds - (day().seconds % HOUR) - 24 * HOUR
    assert.equal(await at(start + 23 * HOUR), '3.3')
    assert.equal(await at(start + 24 * HOUR), '33')
    assert.equal(await at(start + 25 * HOUR - 1), '33')
    assert.equal(await at(start + 25 * HOUR), '30')
    assert.equal(await at(start + 47 * HOUR + 3599), '30')
    assert.equal(await at(start + 48 * HOUR), '0')
    await close()
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { marketId } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS, TOKENS } from '@openvenue/core/test/scenario/listing'
import { Scenario, SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import { ChartingConfig, ChartSymbol, History, Quotes, SearchItems } from '@openvenue/wire/charting'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

const MINUTE = 60
const BASE = '/last-traded-tradingview'

let venue: ScenarioNode
before(async () => {
  venue = await scenarioNode(chartScenario().blocks())
})
after(() => venue.close())

/** A trade in minutes 0 to 9 and 20 of ETH-PERP. */
function chartScenario(): Scenario {
  const scenario = new Scenario().index('ETH', 3000n * E18).list('ETH-PERP')
  for (const who of ['alice', 'bob']) scenario.deposit(who, 'USDC', 10n ** 9n)
  scenario.list('BTC-USDC').on('ETH-PERP')
  for (let minute = 0; minute <= 20; minute++) {
    if (minute < 10 || minute === 20) trade(scenario, 30_000 + minute)
    scenario.next(MINUTE)
  }
  return scenario
}

function trade(scenario: Scenario, tick: number): Scenario {
  return scenario.place('alice', 'buy', tick, 5n).place('bob', 'sell', tick, 5n)
}

/** Members that the adapter may find in an answer. */
type Reply = Readonly<{
  s?: string
  errmsg?: string
  nextTime?: number
  supports_search?: boolean
  supports_group_request?: boolean
  supported_resolutions?: readonly string[]
  t?: readonly number[]
  o?: readonly string[]
  h?: readonly string[]
  l?: readonly string[]
  c?: readonly string[]
  v?: readonly string[]
}>

type Bar = Readonly<{
  time: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}>

/**
 * Behaves like TradingView's stock adapter: same calls, same reading of answers. It never checks
 * the HTTP status, parses numbers with parseFloat, and polls with countback 2.
 */
class StockAdapter {
  readonly #get: ScenarioNode['get']
  #lastBarMs: number | undefined

  constructor(get: ScenarioNode['get']) {
    this.#get = get
  }

  async #ask(
    path: string,
    parameters: Readonly<Record<string, string | number>> = {},
  ): Promise<Reply> {
    const query = Object.entries(parameters).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    )
    const { text } = await this.#get(
      `${BASE}/${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    )
    return JSON.parse(text)
  }

  async onReady(): Promise<readonly string[]> {
    const config = await this.#ask('config')
    assert.ok(config.supports_search || config.supports_group_request, 'the adapter throws without')
    return config.supported_resolutions ?? []
  }

  async serverTime(): Promise<number> {
    return Number.parseInt(String(await this.#ask('time')), 10)
  }

  async search(text: string): Promise<readonly { symbol: string }[]> {
    const found = await this.#ask('search', {
      limit: 30,
      query: text.toUpperCase(),
      type: '',
      exchange: '',
    })
    return found.s === undefined ? (found as unknown as { symbol: string }[]) : []
  }

  async resolve(symbol: string): Promise<Reply | 'unknown_symbol'> {
    const answer = await this.#ask('symbols', { symbol })
    return answer.s === undefined ? answer : 'unknown_symbol'
  }

  async bars(symbol: string, resolution: string, range: Readonly<Record<string, number>>) {
    const answer = await this.#ask('history', { symbol, resolution, ...range })
    if (answer.s !== 'ok' && answer.s !== 'no_data') throw new Error(answer.errmsg ?? '')
    const times = answer.t ?? []
    const bars = times.map((time, index): Bar => {
      const number = (column: readonly string[] | undefined) =>
        Number.parseFloat(column?.[index] ?? '')
      return {
        time: time * 1000,
        open: number(answer.o),
        high: number(answer.h),
        low: number(answer.l),
        close: number(answer.c),
        volume: number(answer.v),
      }
    })
    return { bars, noData: answer.s === 'no_data', nextTime: answer.nextTime }
  }

  /** Polls, as the adapter does every ten seconds. Returns the bars for the chart to draw. */
  async pulse(symbol: string, resolution: string, nowSeconds: number): Promise<readonly Bar[]> {
    const from = nowSeconds - 10 * Number(resolution) * 60
    const { bars } = await this.bars(symbol, resolution, { from, to: nowSeconds, countback: 2 })
    const newest = bars.at(-1)
    if (newest === undefined || newest.time < (this.#lastBarMs ?? 0)) return []
    const isNewBar = this.#lastBarMs !== undefined && newest.time > this.#lastBarMs
    this.#lastBarMs = newest.time
    if (!isNewBar) return [newest]
    assert.ok(bars.length >= 2, 'the adapter needs the bar before a new one')
    return bars.slice(-2)
  }
}

test('the stock adapter gets ready, finds a symbol, draws its history and follows trades', async () => {
  const scenario = chartScenario()
  const { get, applyBlocks, setNow, close } = await scenarioNode(scenario.blocks())
  const adapter = new StockAdapter(get)
  assert.ok((await adapter.onReady()).includes('1M'))
  assert.equal(await adapter.serverTime(), START + 20 * MINUTE)
  assert.deepEqual(
    (await adapter.search('eth-p')).map(({ symbol }) => symbol),
    ['ETH-PERP'],
  )
  const symbol = await adapter.resolve('ETH-PERP')
  assert.notEqual(symbol, 'unknown_symbol')
  assert.equal(await adapter.resolve('NOPE'), 'unknown_symbol')

  const range = { from: START, to: START + 20 * MINUTE, countback: 3 }
  const first = await adapter.bars('ETH-PERP', '1', range)
  assert.deepEqual(
    first.bars.map(({ time, open, volume }) => [(time / 1000 - START) / MINUTE, open, volume]),
    [
      [8, 3000.8, 0.005],
      [9, 3000.9, 0.005],
      [20, 3002, 0.005],
    ],
  )
  const pulse = async (seconds: number) =>
    (await adapter.pulse('ETH-PERP', '1', seconds)).map(({ time, close }) => [time / 1000, close])
  assert.deepEqual(await pulse(START + 1210), [[START + 1200, 3002]])
  applyBlocks(trade(scenario, 30_040).next(MINUTE).blocks().slice(-1))
  setNow(START + 1270)
  assert.deepEqual(await pulse(START + 1270), [
    [START + 1200, 3002],
    [START + 1260, 3004],
  ])
  await close()
})

test('an empty range is no_data with the nearest earlier bar; before history there is none', async () => {
  const adapter = new StockAdapter(venue.get)
  const gap = await adapter.bars('ETH-PERP', '1', { from: START + 700, to: START + 1100 })
  assert.deepEqual(gap, { bars: [], noData: true, nextTime: START + 9 * MINUTE })
  const before = await adapter.bars('ETH-PERP', '1', { from: START - 900, to: START - 60 })
  assert.deepEqual(before, { bars: [], noData: true, nextTime: undefined })
  const reached = await adapter.bars('ETH-PERP', '1', {
    from: START,
    to: START - 60,
    countback: 300,
  })
  assert.deepEqual(reached.bars, [])
})

test('history is columns of seconds and exact decimal text', async () => {
  const url = `${BASE}/history?symbol=eth&resolution=1&countback=1`
  assert.deepEqual((await venue.get(url)).body, {
    s: 'ok',
    t: [START + 20 * MINUTE],
    o: ['3002'],
    h: ['3002'],
    l: ['3002'],
    c: ['3002'],
    v: ['0.005'],
  })
  assert.equal(
    (await venue.get(url.replace('symbol', 'instrument_name'))).text,
    (await venue.get(url)).text,
  )
  const full = await venue.get(url.replace('=eth', '=OPENVENUE:ETH-PERP'))
  assert.equal(full.text, (await venue.get(url)).text)
  const inLowerCase = await venue.get(url.replace('=eth', '=openvenue:eth-perp'))
  assert.equal(inLowerCase.text, full.text)
})

test('history takes times in seconds, milliseconds and nanoseconds, as /candles does', async () => {
  for (const path of [`${BASE}/history?symbol=ETH-PERP`, '/candles?symbol=ETH-PERP']) {
    const read = async (unit: string) => {
      const { t } = await bounds()
      const url = `${path}&resolution=1&from=${t[0]}${unit}&to=${t.at(-1)}${unit}`
      const { status, text } = await venue.get(url)
      assert.equal(status, 200, text)
      return text
    }
    const inSeconds = await read('')
    assert.ok(inSeconds.length > 100)
    for (const unit of ['000', '000000000']) assert.equal(await read(unit), inSeconds)
  }
})
const bounds = async () =>
  (await venue.get(`${BASE}/history?symbol=ETH-PERP&resolution=1&countback=3`)).body as {
    t: readonly number[]
  }

test('history takes from and to, both included, and every resolution of /candles', async () => {
  const times = async (query: string) => {
    const { t } = (await venue.get(`${BASE}/history?symbol=ETH-PERP&${query}`)).body as Reply
    return t?.map((time) => (time - START) / MINUTE)
  }
  const [from, to] = [START + 3 * MINUTE, START + 5 * MINUTE]
  assert.deepEqual(await times(`resolution=1&from=${from}&to=${to}`), [3, 4, 5])
  assert.deepEqual(await times(`resolution=1&from=${START + 8 * MINUTE}`), [8, 9, 20])
  assert.deepEqual(await times(`resolution=1&to=${START + MINUTE}`), [0, 1])
  assert.deepEqual(await times('resolution=5'), [0, 5, 20])
  assert.deepEqual(await times('resolution=60'), [0])
  for (const [alias, name] of [
    ['D', '1D'],
    ['W', '1W'],
    ['M', '1M'],
  ] as const)
    assert.deepEqual(await times(`resolution=${alias}`), await times(`resolution=${name}`))
})

test('an unknown symbol is no_data', async () => {
  const { status, body } = await venue.get(`${BASE}/history?symbol=NOPE&resolution=1`)
  assert.deepEqual([status, body], [200, { s: 'no_data' }])
})

test('other mistakes of a chart are 200 with {s: error, errmsg}', async () => {
  for (const query of [
    'resolution=1',
    'symbol=&resolution=1',
    'symbol=ETH',
    'symbol=ETH&resolution=1&from=x',
    'symbol=ETH&resolution=1&countback=0',
    'symbol=ETH&resolution=1&from=20&to=10',
    'symbol=ETH&symbol=BTC&resolution=1',
  ]) {
    const { status, body } = await venue.get(`${BASE}/history?${query}`)
    const { s, errmsg } = body as { s: string; errmsg: string }
    assert.deepEqual([status, s, typeof errmsg], [200, 'error', 'string'], query)
    assert.notEqual(errmsg, '')
  }
})

test('an unsupported resolution is 400 with both the chart error and the error body', async () => {
  for (const resolution of ['1m', '1h', '7', '1S']) {
    const { status, body } = await venue.get(`${BASE}/history?symbol=ETH&resolution=${resolution}`)
    const { s, errmsg, error, message, details, request_id } = body as Record<string, unknown>
    assert.deepEqual([status, s, error], [400, 'error', 'UNSUPPORTED_RESOLUTION'])
    assert.equal(errmsg, message)
    assert.match(String(message), /1W, 1M/)
    assert.ok(Array.isArray(details))
    assert.equal(typeof request_id, 'string')
  }
})

test('the answers have the shapes that the documentation promises', async () => {
  const shapes: readonly (readonly [string, TSchema])[] = [
    ['config', ChartingConfig],
    ['symbols?symbol=ETH-PERP', ChartSymbol],
    ['search?query=&limit=30', SearchItems],
    ['quotes?symbols=ETH-PERP,BTC-USDC,NOPE', Quotes],
    ['history?symbol=ETH&resolution=60', History],
    ['history?symbol=BTC&resolution=60', History],
  ]
  for (const [path, schema] of shapes) {
    const { body } = await venue.get(`${BASE}/${path}`)
    assert.ok(Value.Check(schema, body), path)
  }
})

test('search looks in names and descriptions, by type and exchange, at most as many as asked', async () => {
  const found = async (query: string) => {
    const { body } = await venue.get(`${BASE}/search?${query}`)
    return (body as { symbol: string }[]).map(({ symbol }) => symbol)
  }
  assert.deepEqual(await found('query='), ['ETH-PERP', 'BTC-USDC'])
  assert.deepEqual(await found('query=perpetual'), ['ETH-PERP'])
  assert.deepEqual(await found('query=&type=spot'), ['BTC-USDC'])
  assert.deepEqual(await found('query=&exchange=ELSEWHERE'), [])
  assert.deepEqual(await found('query=&limit=1'), ['ETH-PERP'])
})

test('search gives 30 by default and at most 100; quotes are of at most 100 symbols', async () => {
  const scenario = chartScenario()
  const { priceStep, amountStep, engine } = LISTINGS['ETH-USDC']
  const [base, quote] = [TOKENS.BTC.address, TOKENS.USDC.address]
  const limits = { minOrderValue: 1n, maxOrderValue: E18 }
  for (let number = 1000; number < 1110; number++) {
    const head = { engine, market: marketId(engine, number), number, name: `M${number}-USDC` }
    scenario.say({ type: 'SpotListed', ...head, base, quote, priceStep, amountStep, ...limits })
  }
  const { get, close } = await scenarioNode(scenario.blocks())
  const found = async (query: string) =>
    ((await get(`${BASE}/search?query=m1${query}`)).body as unknown[]).length
  assert.equal(await found(''), 30)
  assert.equal(await found('&limit=99'), 99)
  assert.equal(await found('&limit=5000'), 100)
  const names = Array.from({ length: 110 }, (_, i) => `M${1000 + i}-USDC`).join(',')
  const quotes = (await get(`${BASE}/quotes?symbols=${names}`)).body as { d: unknown[] }
  assert.equal(quotes.d.length, 100)
  await close()
})

test('search refuses a limit below 1 as charts are refused', async () => {
  const { status, body } = await venue.get(`${BASE}/search?query=&limit=0`)
  assert.deepEqual([status, (body as { s: string }).s], [200, 'error'])
})

test('quotes hold the prices of each symbol, as numbers; an unknown one is an error of its own', async () => {
  const { body, text } = await venue.get(`${BASE}/quotes?symbols=ETH-PERP,,nope`)
  const { s, d } = body as { s: string; d: { s: string; n: string; v: object }[] }
  assert.equal(s, 'ok')
  assert.deepEqual(d[1], { s: 'error', n: 'nope', v: {} })
  assert.deepEqual(d[0], {
    s: 'ok',
    n: 'ETH-PERP',
    v: { lp: 3002, high_price: 3002, low_price: 3000, volume: 0.055 },
  })
  assert.match(text, /"lp":3002,/)
  assert.deepEqual((await venue.get(`${BASE}/quotes`)).body, { s: 'ok', d: [] })
})

test('symbols refuses an unknown or missing symbol in the way of charts', async () => {
  for (const query of ['', '?symbol=', '?symbol=NOPE']) {
    const { status, body } = await venue.get(`${BASE}/symbols${query}`)
    assert.deepEqual([status, body], [200, { s: 'error', errmsg: 'Instrument not found' }])
  }
})

test('time is a bare integer of seconds', async () => {
  const { text } = await venue.get(`${BASE}/time`)
  assert.match(text, /^[0-9]{10}$/)
})

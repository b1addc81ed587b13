import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { scenarioNode } from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'

const HOUR_MS = 3_600_000
const ETH = E18

describe('ticker', () => {
  test("a ticker begins with the market's current prices", async () => {
    const { scenario, node, next } = scenarioNode('ETH-PERP')
    scenario.place('alice', 'sell', 30_001, 5n).place('bob', 'buy', 30_001, 2n)
    scenario.place('bob', 'buy', 29_999, 1n).poke()
    next()
    const frame = await node.open('ticker:ETH-PERP').snapshot()
    const { timestamp, tickers } = frame.data
    assert.equal(timestamp, `${node.model.head?.seconds}000000000`)
    const [{ mark, next_funding_rate, ...ticker }] = tickers
    assert.deepEqual(ticker, {
      instrument_id: LISTINGS['ETH-PERP'].id,
      instrument_name: 'ETH-PERP',
      instrument_type: 'PERPETUAL',
      asset: 'ETH',
      funding_rate: '0',
      index: { price: '3000' },
      bid: { price: '2999.9', amount: '0.001' },
      ask: { price: '3000.1', amount: '0.003' },
      last_price: '3000.1',
      open_interest: '0.002',
      volume_24h: '6.0002',
    })
    assert.match(mark.price, /^[0-9.]+$/)
    assert.match(next_funding_rate, /^-?[0-9.]+$/)
    assertShape(frame)
  })

  test('the ticker channel of a spot market without prices has nulls', async () => {
    const { node } = scenarioNode('ETH-USDC')
    const frame = await node.open('ticker:ETH-USDC').snapshot()
    const [{ funding_rate, next_funding_rate, mark, index, bid, ask, last_price, open_interest }] =
      frame.data.tickers
    assert.deepEqual(
      [funding_rate, next_funding_rate, mark, index, bid, ask, last_price, open_interest],
      [null, null, { price: null }, { price: null }, null, null, null, null],
    )
    assertShape(frame)
  })

  test('a ticker is sent when one of its values changed, and only then', () => {
    const { scenario, node, next } = scenarioNode('ETH-PERP')
    scenario.place('alice', 'sell', 30_001, 5n)
    next()
    const ticker = node.open('ticker:ETH-PERP')
    scenario.place('alice', 'sell', 30_002, 5n)
    next()
    assert.deepEqual(ticker.take(), [], 'a level behind the best')
    scenario.place('bob', 'buy', 29_999, 1n)
    next()
    const [bid] = ticker.take()
    assert.deepEqual(bid?.data.tickers[0].bid, { price: '2999.9', amount: '0.001' })
    scenario.index('ETH', 3001n * ETH)
    next()
    const [index, ...others] = ticker.take()
    assert.equal(index?.data.tickers[0].index.price, '3001')
    assert.equal(index?.prev_seq, bid?.seq)
    assert.deepEqual(others, [])
  })

  test('a ticker is sent when the hour changes the 24-hour volume', () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    scenario.place('alice', 'sell', 300_000, 5n).place('bob', 'buy', 300_000, 2n)
    next()
    const ticker = node.open('ticker:ETH-USDC')
    node.pass(23 * HOUR_MS)
    assert.deepEqual(ticker.take(), [])
    node.pass(HOUR_MS)
    assert.deepEqual(
      ticker.take().map(({ data }) => data.tickers[0].volume_24h),
      ['0'],
    )
  })

  test('the ticker channel of an asset and a type has all such markets first, then those that changed', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC', 'ETH-PERP', 'BTC-PERP')
    const ticker = node.open('ticker:ETH:PERPETUAL')
    const names = ({ data }: { data: { tickers: { instrument_name: string }[] } }) =>
      data.tickers.map(({ instrument_name }) => instrument_name)
    assert.deepEqual(names(await ticker.snapshot()), ['ETH-PERP'])
    scenario.on('ETH-USDC').place('alice', 'sell', 300_000, 5n)
    scenario.on('BTC-PERP').place('alice', 'sell', 60_001, 5n)
    next()
    assert.deepEqual(ticker.take(), [])
    scenario.on('ETH-PERP').place('alice', 'sell', 30_001, 5n)
    next()
    assert.deepEqual(ticker.take().map(names), [['ETH-PERP']])
  })
})

describe('ticker-500ms', () => {
  test('ticker-500ms sends at most one message in 500 ms, with the latest state', () => {
    const { scenario, node, next } = scenarioNode('ETH-PERP')
    const ticker = node.open('ticker-500ms:ETH-PERP')
    const bid = (tick: number) => {
      scenario.place('bob', 'buy', tick, 1n)
      next()
    }
    bid(29_000)
    assert.equal(ticker.take().length, 1)
    bid(29_001)
    bid(29_002)
    node.pass(499)
    assert.deepEqual(ticker.take(), [])
    node.pass(1)
    const frames = ticker.take()
    assert.deepEqual(
      frames.map(({ data }) => data.tickers[0].bid.price),
      ['2900.2'],
    )
    node.pass(500)
    assert.deepEqual(ticker.take(), [])
  })
})

describe('a change that a snapshot shows before all subscribers got it', () => {
  for (const name of ['ticker-500ms:ETH-USDC', 'orderbook-500ms:ETH-USDC', 'statistics:ETH:SPOT'])
    test(`a change that a snapshot shows before all subscribers got it is taken back by ${name} when it has passed`, async () => {
      const { scenario, node, next } = scenarioNode('ETH-USDC')
      const channel = node.open(name)
      scenario.place('bob', 'buy', 300_000, 1n)
      next()
      const [first] = channel.take()
      scenario.place('bob', 'buy', 300_001, 1n)
      next()
      const shown = await channel.snapshot()
      assert.ok(JSON.stringify(shown.data).includes('3000.01'))
      scenario.cancel(2)
      next()
      node.pass(500)
      const [frame, ...others] = channel.take()
      assert.deepEqual(others, [])
      assert.equal(frame?.prev_seq, first?.seq)
      assert.ok(frame !== undefined && frame.seq > shown.seq)
    })
})

describe('book-ticker', () => {
  test('the book-ticker channel has the best levels, and comes when one of them changed', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    const ticker = node.open('book-ticker:ETH-USDC')
    scenario.place('bob', 'buy', 300_000, 1n)
    next()
    const [frame, ...others] = ticker.take()
    assert.deepEqual(others, [])
    assert.deepEqual(frame?.data, {
      timestamp: `${node.model.head?.seconds}000000000`,
      tickers: [
        {
          instrument_id: LISTINGS['ETH-USDC'].id,
          instrument_name: 'ETH-USDC',
          instrument_type: 'SPOT',
          asset: 'ETH',
          bid: { price: '3000', amount: '0.0001' },
          ask: null,
        },
      ],
    })
    assertShape(frame)
    scenario.place('bob', 'buy', 299_999, 1n).index('ETH', ETH)
    next()
    assert.deepEqual(ticker.take(), [], 'a level behind the best, and a price')
    assert.deepEqual((await ticker.snapshot()).data.tickers, frame?.data.tickers)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS, PERP_PARAMETERS } from '@openvenue/core/test/scenario/listing'
import { scenarioNode } from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'

const HOUR_MS = 3_600_000
const FIRST_HOUR_MS = 1_767_229_200_000

describe('index', () => {
  test('the index channel has price and time, and comes when the oracle reports', async () => {
    const { scenario, node, next } = scenarioNode('ETH-PERP', 'BTC-PERP')
    const index = node.open('index:ETH')
    assert.equal((await index.snapshot()).data.price, '3000')
    scenario.index('BTC', 60_000n * E18).place('alice', 'buy', 29_000, 1n)
    next()
    assert.deepEqual(index.take(), [], 'another asset')
    scenario.index('ETH', 3_001n * E18)
    next()
    const [frame, ...others] = index.take()
    assert.deepEqual(others, [])
    const timestamp = `${node.model.head?.seconds}000000000`
    assert.deepEqual(frame?.data, { price: '3001', timestamp })
    assertShape(frame)
  })

  test('the index channel of an asset without a price has nulls', async () => {
    const { node } = scenarioNode('ETH-USDC')
    const frame = await node.open('index:ETH').snapshot()
    assert.deepEqual(frame.data, { price: null, timestamp: null })
    assertShape(frame)
  })
})

describe('funding', () => {
  test('the funding channel is what /funding answers, and comes when a premium is sampled', async () => {
    const { scenario, node, next } = scenarioNode('ETH-PERP')
    const funding = node.open('funding:ETH-PERP')
    const first = await funding.snapshot()
    assert.equal(first.data.next_funding_time, FIRST_HOUR_MS)
    assertShape(first)
    scenario.place('alice', 'buy', 30_100, 1n).place('bob', 'sell', 30_110, 1n)
    next()
    assert.deepEqual(funding.take(), [], 'orders alone')
    scenario.next(60).poke()
    next()
    const [frame, ...others] = funding.take()
    assert.deepEqual(others, [])
    assert.notEqual(frame?.data.estimated_rate, first.data.estimated_rate)
    assertShape(frame)
  })

  test('the funding channel comes at the turn of an hour, which moves the next funding time', () => {
    const { node } = scenarioNode('ETH-PERP')
    const funding = node.open('funding:ETH-PERP')
    node.pass(FIRST_HOUR_MS - node.nowMs() - 1)
    assert.deepEqual(funding.take(), [])
    node.pass(1)
    assert.deepEqual(
      funding.take().map(({ data }) => data.next_funding_time),
      [FIRST_HOUR_MS + HOUR_MS],
    )
  })
})

describe('statistics', () => {
  test('the statistics channel is what /statistics answers, at most every 500 ms', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    const statistics = node.open('statistics:ETH:SPOT')
    const first = await statistics.snapshot()
    assert.equal(first.data.daily_trades, 0)
    assertShape(first)
    const trade = () => {
      scenario.place('alice', 'sell', 300_000, 1n).place('bob', 'buy', 300_000, 1n)
      next()
    }
    trade()
    trade()
    trade()
    const count = () => statistics.take().map(({ data }) => data.daily_trades)
    assert.deepEqual(count(), [1])
    node.pass(499)
    assert.deepEqual(count(), [])
    node.pass(1)
    assert.deepEqual(count(), [3])
    node.pass(500)
    assert.deepEqual(count(), [])
  })

  test('statistics are not sent for a level outside the message', () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    scenario.place('alice', 'buy', 300_000, 1n)
    next()
    const statistics = node.open('statistics:ETH:SPOT')
    scenario.place('alice', 'buy', 299_000, 1n)
    next()
    node.pass(1000)
    assert.deepEqual(statistics.take(), [])
  })

  test('statistics are not sent when another market trades', () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC', 'BTC-USDC')
    const statistics = node.open('statistics:ETH:SPOT')
    scenario.on('BTC-USDC').place('alice', 'sell', 60_000, 1n)
    next()
    node.pass(1000)
    assert.deepEqual(statistics.take(), [])
  })

  test('statistics are sent when the 24-hour window moves on', () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    scenario.place('alice', 'sell', 300_000, 1n).place('bob', 'buy', 300_000, 1n)
    next()
    const statistics = node.open('statistics:ETH:SPOT')
    node.pass(24 * HOUR_MS)
    node.pass(1000)
    assert.deepEqual(
      statistics.take().map(({ data }) => data.daily_trades),
      [0],
    )
  })
})

describe('markets', () => {
  test('the markets channel has all market objects first, then those that changed', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC', 'ETH-PERP', 'BTC-USDC')
    const markets = node.open('markets')
    const first = await markets.snapshot()
    const names = ({ data }: { data: { instrument_name: string }[] }) =>
      data.map(({ instrument_name }) => instrument_name)
    assert.deepEqual(names(first), ['ETH-USDC', 'ETH-PERP', 'BTC-USDC'])
    assertShape(first)
    scenario.on('BTC-USDC').place('alice', 'buy', 59_000, 1n)
    next()
    assert.deepEqual(markets.take(), [], 'a bid alone moves nothing that they say')
    scenario.place('alice', 'sell', 60_000, 1n).place('bob', 'buy', 60_000, 1n)
    scenario.index('ETH', 3_001n * E18)
    next()
    assert.deepEqual(markets.take().map(names), [['ETH-USDC', 'ETH-PERP', 'BTC-USDC']])
    const { id } = LISTINGS['ETH-PERP']
    scenario.say({ type: 'PerpChanged', market: id, ...PERP_PARAMETERS, maxLeverage: 10 })
    next()
    const [changed] = markets.take()
    assert.deepEqual(
      changed?.data.map((market: { max_leverage: string }) => market.max_leverage),
      ['10'],
    )
  })

  test('the markets channel sends a new market, and begins again when an undo takes it away', () => {
    const { scenario, feed, node, next } = scenarioNode('ETH-USDC')
    const markets = node.open('markets')
    scenario.list('BTC-USDC')
    next()
    const [listed] = markets.take()
    assert.deepEqual([listed?.type, listed?.data[0].instrument_name], ['update', 'BTC-USDC'])
    feed.undoBlock()
    node.follow()
    const [undone, ...others] = markets.take()
    assert.deepEqual(others, [])
    assert.deepEqual([undone?.type, undone?.prev_seq, undone?.data.length], ['snapshot', null, 1])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Frame, scenarioNode } from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'

/** An open minute candle in which 2 lots were traded. */
function traded(name: string) {
  const all = scenarioNode('ETH-USDC')
  const { scenario, node, next } = all
  const channel = node.open(name)
  const trade = (lots: bigint) => {
    scenario.place('alice', 'sell', 300_000, lots).place('bob', 'buy', 300_000, lots)
    next()
  }
  trade(2n)
  const [first] = channel.take()
  return { ...all, channel, trade, first }
}

const shorten = ({ type, data }: Frame) => [type, data?.volume, data?.closed]

describe('candles', () => {
  test('the candles channel carries the newest candle as trades change it', () => {
    const { node, channel, trade, first } = traded('candles:ETH-USDC:1')
    const seconds = (node.model.head?.seconds ?? 0) - ((node.model.head?.seconds ?? 0) % 60)
    assert.deepEqual(first?.data, {
      time: seconds,
      close_time: seconds + 59,
      open: '3000',
      high: '3000',
      low: '3000',
      close: '3000',
      volume: '0.0002',
      quote_volume: '0.6',
      trades: 1,
      average: '3000',
      taker_buy_volume: '0.0002',
      closed: false,
    })
    assertShape(first)
    trade(1n)
    assert.deepEqual(channel.take().map(shorten), [['update', '0.0003', false]])
  })

  test('the candles channel begins with the newest candle, or null', async () => {
    const { node, first } = traded('candles:ETH-USDC:1')
    assert.deepEqual((await node.open('candles:ETH-USDC:1').snapshot()).data, first?.data)
    const { node: quiet } = scenarioNode('ETH-USDC')
    const frame = await quiet.open('candles:ETH-USDC:1').snapshot()
    assert.equal(frame.data, null)
    assertShape(frame)
  })

  test('candles send no message without trades', () => {
    const { scenario, channel, next } = traded('candles:ETH-USDC:1')
    scenario.place('alice', 'buy', 299_000, 1n)
    next()
    assert.deepEqual(channel.take(), [])
  })

  test('a candle stays open until a block is beyond its period, whatever the clock of the node shows', () => {
    const { node, channel, trade } = traded('candles:ETH-USDC:1')
    node.pass(120_000)
    assert.deepEqual(channel.take(), [])
    // The chain lags the clock: this block is still in the same minute.
    trade(1n)
    assert.deepEqual(channel.take().map(shorten), [['update', '0.0003', false]])
  })

  test('a candle closes once, with the first block beyond its period, with or without trades', () => {
    const { scenario, channel, node, next } = traded('candles:ETH-USDC:1')
    scenario.next(120).next()
    next()
    node.pass(50)
    const frames = channel.take()
    assert.deepEqual(frames.map(shorten), [['update', '0.0002', true]])
    node.pass(180_000)
    assert.deepEqual(channel.take(), [])
  })

  test('a candle closes with a block that has orders and no trades', () => {
    const { scenario, channel, node, next } = traded('candles:ETH-USDC:1')
    scenario.next(120)
    scenario.place('alice', 'buy', 299_000, 1n)
    next()
    assert.deepEqual(channel.take().map(shorten), [['update', '0.0002', true]])
    node.pass(180_000)
    assert.deepEqual(channel.take(), [])
  })

  test('a closed candle that an undo opens again is announced', () => {
    const { scenario, feed, channel, node, next } = traded('candles:ETH-USDC:1')
    scenario.next(120).next()
    next()
    node.pass(50)
    channel.take()
    feed.undoBlock()
    node.follow()
    node.pass(50)
    assert.deepEqual(channel.take().map(shorten), [['undo', '0.0002', false]])
  })

  test('a candle closes before the next one of the same block is sent', () => {
    const { scenario, channel, trade } = traded('candles:ETH-USDC:1')
    scenario.next(120)
    trade(5n)
    const frames = channel.take()
    assert.deepEqual(frames.map(shorten), [
      ['update', '0.0002', true],
      ['update', '0.0005', false],
    ])
    assert.deepEqual(
      frames.map(({ part, parts }) => [part, parts]),
      [
        [1, 2],
        [2, 2],
      ],
    )
  })

  test('a candle does not close twice', () => {
    const { scenario, node, channel, trade, next } = traded('candles:ETH-USDC:1')
    scenario.next(60).next()
    next()
    node.pass(50)
    assert.deepEqual(channel.take().map(shorten), [['update', '0.0002', true]])
    trade(5n)
    assert.deepEqual(channel.take().map(shorten), [['update', '0.0005', false]])
  })

  test('an undo goes back to the candle before, or to none', () => {
    const { scenario, feed, node, channel, trade } = traded('candles:ETH-USDC:1')
    trade(1n)
    scenario.next(120)
    trade(5n)
    channel.take()
    const undo = () => {
      feed.undoBlock()
      node.follow()
      return channel.take().map(shorten)
    }
    assert.deepEqual(undo(), [['undo', '0.0003', false]])
    assert.deepEqual(undo(), [], 'a block without trades')
    assert.deepEqual(undo(), [['update', '0.0002', false]])
    assert.deepEqual(undo(), [['undo', undefined, undefined]])
  })

  test('the candles channel takes the other names of a resolution, and echoes them', () => {
    const { first } = traded('candles:ETH-USDC:D')
    assert.equal(first?.channel, 'candles:ETH-USDC:D')
    assert.equal(first?.data.time % 86_400, 0)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scenarioNode } from '../../../test/channel-node.ts'
import { HISTORY_BYTES_MAX, HISTORY_MESSAGES_MAX } from './replay-buffer.ts'

/** An open channel of a market in which every block changes the best bid. */
function open(name: string) {
  const { scenario, node, next } = scenarioNode('ETH-USDC')
  const channel = node.open(name)
  const begin = node.model.seq
  let tick = 200_000
  const change = () => {
    scenario.place('alice', 'buy', tick++, 1n)
    next()
  }
  const quiet = () => {
    scenario.next()
    next()
  }
  return { node, channel, begin, change, quiet }
}

describe('the messages of a channel', () => {
  test('the messages of a channel follow one another: prev_seq is the seq before, whatever blocks lie between', async () => {
    const { node, channel, begin, change, quiet } = open('book-ticker:ETH-USDC')
    quiet()
    assert.equal((await channel.snapshot()).seq, begin + 1)
    change()
    quiet()
    change()
    const frames = channel.take()
    assert.deepEqual(
      frames.map(({ seq, prev_seq }) => [prev_seq, seq]),
      [
        [begin, begin + 2],
        [begin + 2, begin + 4],
      ],
    )
    assert.equal(node.model.seq, begin + 4)
  })

  test('the messages of a channel are kept for resuming clients, from the entry at which the channel opened', async () => {
    const { channel, begin, change, quiet } = open('book-ticker:ETH-USDC')
    change()
    change()
    quiet()
    const frames = channel.take()
    assert.deepEqual(await channel.replay(begin), frames)
    assert.deepEqual(await channel.replay(begin + 1), frames.slice(1))
    assert.deepEqual(await channel.replay(begin + 2), [])
    assert.deepEqual(await channel.replay(begin + 3), [])
    assert.equal(await channel.replay(begin - 1), undefined, 'before the channel opened')
    assert.equal(channel.stream.replay(begin + 4), undefined, 'this node has not come so far')
  })

  test(`the messages of a channel are held up to ${HISTORY_MESSAGES_MAX} of them`, async () => {
    const { channel, begin, change } = open('book-ticker:ETH-USDC')
    for (let i = 0; i < HISTORY_MESSAGES_MAX; i++) change()
    assert.equal((await channel.replay(begin))?.length, HISTORY_MESSAGES_MAX)
    change()
    assert.equal(await channel.replay(begin), undefined)
    assert.equal((await channel.replay(begin + 1))?.length, HISTORY_MESSAGES_MAX)
  })

  test('the messages of a channel are held up to a number of bytes', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    const channel = node.open('orderbook:ETH-USDC')
    const begin = node.model.seq
    const sizes: number[] = []
    while (sizes.reduce((sum, size) => sum + size, 0) <= HISTORY_BYTES_MAX) {
      for (let i = 0; i < 100; i++) scenario.place('bob', 'buy', 200_000 + i, 1n)
      next()
      sizes.push(...channel.take().map((frame) => JSON.stringify(frame).length))
    }
    assert.equal(await channel.replay(begin), undefined)
    assert.equal((await channel.replay(begin + 1))?.length, sizes.length - 1)
    assert.ok(sizes.length < HISTORY_MESSAGES_MAX)
  })

  test('messages begin again with a broadcast snapshot when the model is reloaded', async () => {
    const { node, channel, begin, change } = open('orderbook:ETH-USDC')
    change()
    channel.take()
    const { model } = node
    model.load({
      seq: 1000,
      state: model.state,
      trades: new Map(),
      candles: new Map(),
      priceMinutes: new Map(),
      settlements: new Map(),
      poolHours: new Map(),
    })
    const [frame, ...others] = channel.take()
    assert.deepEqual(others, [])
    assert.deepEqual([frame?.type, frame?.seq, frame?.prev_seq], ['snapshot', 1000, null])
    assert.deepEqual(frame?.data.bids, [['2000', '0.0001', '1']])
    assert.equal(await channel.replay(begin), undefined)
    assert.deepEqual(await channel.replay(1000), [])
  })

  test('messages and timers end with the channel', () => {
    const { node, channel, change } = open('orderbook-100ms:ETH-USDC')
    assert.equal(node.timers(), 1)
    change()
    change()
    channel.take()
    channel.close()
    change()
    node.pass(1000)
    assert.deepEqual(channel.take(), [])
    assert.equal(node.timers(), 0)
  })

  test('messages have the same text for all subscribers: a snapshot is encoded once per entry', () => {
    const { channel, change } = open('orderbook:ETH-USDC')
    const [first] = channel.stream.snapshot() as readonly object[]
    const [again] = channel.stream.snapshot() as readonly object[]
    assert.equal(first, again)
    change()
    const [later] = channel.stream.snapshot() as readonly object[]
    assert.notEqual(first, later)
  })
})

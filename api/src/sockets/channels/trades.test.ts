import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { scenarioNode } from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'

describe('trades', () => {
  test('the trades channel carries one trade a message, as /instrument/.../trade-history has it', () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    const trades = node.open('trades:ETH-USDC')
    scenario.place('alice', 'sell', 300_000, 5n)
    next()
    assert.deepEqual(trades.take(), [], 'an order is no trade')
    scenario.place('bob', 'buy', 300_000, 2n)
    next()
    const [frame, ...others] = trades.take()
    assert.deepEqual(others, [])
    const [trade] = node.model.market('ETH-USDC')?.trades ?? []
    assert.deepEqual(frame, {
      channel: 'trades:ETH-USDC',
      type: 'update',
      seq: node.model.seq,
      prev_seq: node.model.seq - 2,
      block_number: node.model.head?.number,
      ts: node.nowMs(),
      data: {
        trade_id: trade?.id,
        tx_hash: trade?.txHash,
        instrument_id: LISTINGS['ETH-USDC'].id,
        instrument_name: 'ETH-USDC',
        instrument_type: 'SPOT',
        side: 'buy',
        price: '3000',
        amount: '0.0002',
        created_timestamp: `${node.model.head?.seconds}000000000`,
      },
    })
    assertShape(frame)
  })

  test('the trades channel numbers the messages of a block, which share its seq', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    scenario.place('alice', 'sell', 300_000, 1n).place('alice', 'sell', 300_001, 1n)
    next()
    const trades = node.open('trades:ETH-USDC')
    scenario.place('bob', 'buy', 300_001, 2n)
    next()
    const { seq } = node.model
    const frames = trades.take()
    assert.deepEqual(
      frames.map((frame) => [frame.seq, frame.prev_seq, frame.part, frame.parts, frame.data.price]),
      [
        [seq, seq - 1, 1, 2, '3000'],
        [seq, seq, 2, 2, '3000.01'],
      ],
    )
    assert.deepEqual(await trades.replay(seq), [])
    assert.deepEqual(await trades.replay(seq - 1), frames)
  })

  test('the trades channel begins with the newest trade, or null', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    const trades = node.open('trades:ETH-USDC')
    assert.equal((await trades.snapshot()).data, null)
    scenario.place('alice', 'sell', 300_000, 5n).place('bob', 'buy', 300_000, 2n)
    scenario.place('carol', 'buy', 300_000, 1n)
    next()
    const { type, prev_seq, data } = await trades.snapshot()
    assert.deepEqual([type, prev_seq, data.amount], ['snapshot', null, '0.0001'])
  })

  test('the trades channel of an asset has the trades of all its markets, and of no other', () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC', 'BTC-USDC', 'ETH-PERP')
    const trades = node.open('trades:ETH')
    for (const name of ['ETH-PERP', 'BTC-USDC', 'ETH-USDC'] as const) {
      scenario.on(name)
      const tick = LISTINGS[name].startTick
      scenario.place('alice', 'sell', tick, 5n).place('bob', 'buy', tick, 2n)
    }
    next()
    assert.deepEqual(
      trades.take().map(({ data }) => data.instrument_name),
      ['ETH-PERP', 'ETH-USDC'],
    )
  })

  test('the trades channel sends the ids of the trades that an undo takes back, newest first', () => {
    const { scenario, feed, node, next } = scenarioNode('ETH-USDC')
    scenario.place('alice', 'sell', 300_000, 5n)
    next()
    const trades = node.open('trades:ETH-USDC')
    const blocks = node.open('trades-block:ETH-USDC')
    scenario.place('bob', 'buy', 300_000, 2n).place('carol', 'buy', 300_000, 1n)
    next()
    const ids = trades.take().map(({ data }) => data.trade_id)
    feed.undoBlock()
    node.follow()
    const [undo, ...others] = trades.take()
    assert.deepEqual(others, [])
    assert.deepEqual([undo?.type, undo?.data], ['undo', { ids: ids.toReversed() }])
    assert.equal(undo?.prev_seq, node.model.seq - 1)
    assert.equal(undo?.block_number, node.model.head?.number)
    assert.deepEqual(blocks.take().at(-1)?.data, undo?.data)
  })
})

describe('trades-block', () => {
  test('the trades-block channel carries the trades of a block in one message, newest first', () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    scenario.place('alice', 'sell', 300_000, 5n)
    next()
    const trades = node.open('trades-block:ETH-USDC')
    scenario.place('bob', 'buy', 300_000, 2n).place('carol', 'buy', 300_000, 1n)
    next()
    scenario.place('carol', 'buy', 299_000, 1n)
    next()
    const frames = trades.take()
    assert.deepEqual(
      frames.map(({ data }) => data.map((trade: { amount: string }) => trade.amount)),
      [['0.0001', '0.0002']],
    )
    assert.equal(frames[0]?.part, undefined)
  })

  test('the trades-block channel begins with the newest 100 trades, newest first', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    const trades = node.open('trades-block:ETH-USDC')
    assert.deepEqual((await trades.snapshot()).data, [])
    scenario.place('alice', 'sell', 300_000, 200n)
    for (let i = 0; i < 101; i++) scenario.place('bob', 'buy', 300_000, i === 100 ? 7n : 1n)
    next()
    const { data } = await trades.snapshot()
    assert.equal(data.length, 100)
    assert.equal(data[0].amount, '0.0007')
  })
})

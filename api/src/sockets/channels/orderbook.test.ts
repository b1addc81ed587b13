import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { checksumText } from '@openvenue/wire/book-frames'
import { channelNode, ScenarioFeed } from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'
import { funded } from '../../../test/funded.ts'

const ETH = LISTINGS['ETH-USDC']

/** alice bids 5 and 3 lots, bob asks 4: each in a block of its own. */
function setUp() {
  const scenario = funded('ETH-USDC').place('alice', 'buy', 300_000, 5n).next()
  scenario.place('bob', 'sell', 300_010, 4n).next()
  const feed = new ScenarioFeed()
  feed.applyBlocks(scenario.blocks())
  const node = channelNode(feed, { nowSeconds: scenario.seconds })
  node.follow()
  let count = feed.entries.length
  const next = () => {
    const blocks = scenario.blocks()
    feed.applyBlocks(blocks.slice(count))
    count = blocks.length
    node.follow()
  }
  return { scenario, feed, node, next }
}

describe('orderbook', () => {
  test('the orderbook channel begins with the whole book in human units, best first, with a true checksum', async () => {
    const { scenario, node, next } = setUp()
    scenario.place('alice', 'buy', 300_001, 3n).place('bob', 'buy', 300_001, 1n)
    next()
    const frame = await node.open('orderbook:ETH-USDC').snapshot()
    const seconds = node.model.head?.seconds
    assert.deepEqual(frame, {
      channel: 'orderbook:ETH-USDC',
      type: 'snapshot',
      seq: 4,
      prev_seq: null,
      block_number: 4,
      ts: node.nowMs(),
      data: {
        type: 'snapshot',
        instrument_id: ETH.id,
        instrument_name: 'ETH-USDC',
        instrument_type: 'SPOT',
        bids: [
          ['3000.01', '0.0004', '2'],
          ['3000', '0.0005', '1'],
        ],
        asks: [['3000.1', '0.0004', '1']],
        last_updated: `${seconds}000000004`,
        checksum: String(crc32('3000.01:0.0004:3000.1:0.0004:3000:0.0005')),
        seq: 4,
        prev_seq: null,
        block_number: 4,
      },
    })
    assertShape(frame)
  })

  test('the orderbook channel takes the checksum of the family: bids 9 x 2 and asks 10 x 1 give 1226559413', () => {
    assert.equal(checksumText(['9:2'], ['10:1']), '9:2:10:1')
    assert.equal(crc32(checksumText(['9:2'], ['10:1'])), 1226559413)
  })

  test('the orderbook channel takes the checksum of the best 100 levels of each side, the longer side to its end', () => {
    const bids = Array.from({ length: 120 }, (_, i) => `${i}:b`)
    const text = checksumText(bids, ['0:a'])
    assert.equal(text.split(':b').length - 1, 100)
    assert.ok(text.startsWith('0:b:0:a:1:b:2:b:'))
  })
})

describe('orderbook updates', () => {
  test('orderbook updates carry the levels that changed, an amount of "0" for those that left', async () => {
    const { scenario, node, next } = setUp()
    const book = node.open('orderbook:ETH-USDC')
    const { seq } = await book.snapshot()
    scenario.place('carol', 'sell', 300_000, 5n).place('carol', 'sell', 300_009, 2n)
    next()
    const [frame, ...others] = book.take()
    assert.deepEqual(others, [])
    assert.equal(frame?.type, 'update')
    assert.equal(frame?.prev_seq, seq)
    assert.deepEqual(frame?.data.bids, [['3000', '0', '0']])
    assert.deepEqual(frame?.data.asks, [['3000.09', '0.0002', '1']])
    const text = '3000.09:0.0002:3000.1:0.0004'
    assert.equal(frame?.data.checksum, String(crc32(text)))
    assert.deepEqual(
      [frame?.data.seq, frame?.data.prev_seq, frame?.data.block_number, frame?.data.type],
      [frame?.seq, frame?.prev_seq, frame?.block_number, 'update'],
    )
    assertShape(frame)
  })

  test('orderbook updates come only when a level changed', () => {
    const { scenario, node, next } = setUp()
    const book = node.open('orderbook:ETH-USDC')
    scenario.next()
    scenario.deposit('alice', 'USDC', 1n)
    next()
    assert.deepEqual(book.take(), [])
    // One order leaves its level, and another of the same size takes its place.
    scenario.cancel(1).place('carol', 'buy', 300_000, 5n)
    next()
    assert.deepEqual(book.take(), [])
  })

  test('orderbook updates of an undo restore the book', () => {
    const { scenario, feed, node, next } = setUp()
    const book = node.open('orderbook:ETH-USDC')
    scenario.place('carol', 'sell', 300_000, 2n)
    next()
    feed.undoBlock()
    node.follow()
    const [taken, back] = book.take()
    assert.deepEqual(taken?.data.bids, [['3000', '0.0003', '1']])
    assert.deepEqual(back?.data.bids, [['3000', '0.0005', '1']])
    assert.equal(back?.prev_seq, taken?.seq)
    assert.equal(back?.block_number, 3)
    assert.ok(BigInt(back?.data.last_updated) > BigInt(taken?.data.last_updated))
  })

  test('last_updated rises even within a second', () => {
    const { scenario, node, next } = setUp()
    const book = node.open('orderbook:ETH-USDC')
    for (let i = 0; i < 3; i++) {
      scenario.place('alice', 'buy', 299_000 + i, 1n).next(0)
      next()
    }
    const times = book.take().map(({ data }) => BigInt(data.last_updated))
    assert.equal(times.length, 3)
    assert.ok(times.every((time, i) => i === 0 || time > (times[i - 1] as bigint)))
  })
})

for (const [word, interval] of [
  ['orderbook-100ms', 100],
  ['orderbook-500ms', 500],
] as const)
  describe(word, () => {
    test(`${word} merges changes and sends at most one message per ${interval} ms`, () => {
      const { scenario, node, next } = setUp()
      const book = node.open(`${word}:ETH-USDC`)
      const place = (tick: number) => {
        scenario.place('alice', 'buy', tick, 1n)
        next()
      }
      place(299_000)
      assert.deepEqual(
        book.take().map(({ data }) => data.bids),
        [[['2990', '0.0001', '1']]],
      )
      place(299_001)
      place(299_002)
      place(299_001)
      node.pass(interval - 1)
      assert.deepEqual(book.take(), [])
      node.pass(1)
      const [frame, ...others] = book.take()
      assert.deepEqual(others, [])
      assert.deepEqual(frame?.data.bids, [
        ['2990.02', '0.0001', '1'],
        ['2990.01', '0.0002', '2'],
      ])
      assert.equal(frame?.seq, node.model.seq)
      assert.equal(frame?.channel, `${word}:ETH-USDC`)
      node.pass(interval)
      assert.deepEqual(book.take(), [])
    })

    test(`${word} sends levels that came and went within the interval, which a snapshot may show`, () => {
      const { scenario, node, next } = setUp()
      const book = node.open(`${word}:ETH-USDC`)
      scenario.place('alice', 'buy', 299_000, 1n)
      next()
      book.take()
      scenario.place('alice', 'buy', 299_001, 1n)
      next()
      scenario.cancel(4)
      next()
      node.pass(interval)
      const [update, ...others] = book.take()
      assert.deepEqual(others, [])
      assert.deepEqual(update?.data.bids, [['2990.01', '0', '0']])
      assert.deepEqual(update?.data.asks, [])
    })
  })

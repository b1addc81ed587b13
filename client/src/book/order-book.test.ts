import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import type { Message } from '../socket/cursor.ts'
import { crc32 } from './crc32.ts'
import { type BookData, compareDecimals, type Level, OrderBook } from './order-book.ts'

const message = (type: 'snapshot' | 'update', bids: Level[], asks: Level[], checksum = '') =>
  ({
    ...{ channel: 'orderbook:X', type, seq: 7, prev_seq: null, block_number: 3, ts: 1 },
    data: { bids, asks, checksum },
  }) as Message<BookData>

test('CRC32 equals that of zlib', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => crc32(text) === zlibCrc32(text)),
  )
})

test('decimal texts are compared by value', () => {
  const decimal = fc
    .tuple(fc.bigInt(0n, 10n ** 24n), fc.integer({ min: 0, max: 18 }))
    .map(([raw, decimals]) => {
      const digits = String(raw).padStart(decimals + 1, '0')
      const [whole, part] = [
        digits.slice(0, digits.length - decimals),
        digits.slice(digits.length - decimals),
      ]
      const text = part.replace(/0+$/, '')
      return {
        text: text === '' ? whole : `${whole}.${text}`,
        value: raw * 10n ** BigInt(18 - decimals),
      }
    })
  fc.assert(
    fc.property(decimal, decimal, (price, other) => {
      const expected = price.value < other.value ? -1 : price.value > other.value ? 1 : 0
      assert.equal(Math.sign(compareDecimals(price.text, other.text)), expected)
    }),
  )
})

describe('an order book', () => {
  test('an order book keeps the levels of both sides best first, in whatever order they arrive', () => {
    const book = new OrderBook()
    book.take(
      message(
        'snapshot',
        [
          ['9', '1', '1'],
          ['10.5', '2', '1'],
          ['10', '3', '2'],
        ],
        [['11', '1', '1']],
      ),
    )
    assert.deepEqual(
      book.bids.map(([price]) => price),
      ['10.5', '10', '9'],
    )
    book.take(
      message(
        'update',
        [
          ['10', '0', '0'],
          ['9.75', '4', '1'],
          ['8', '0', '0'],
        ],
        [
          ['10.75', '1', '1'],
          ['11', '5', '2'],
        ],
      ),
    )
    assert.deepEqual(
      book.bids.map(([price]) => price),
      ['10.5', '9.75', '9'],
    )
    assert.deepEqual(book.asks, [
      ['10.75', '1', '1'],
      ['11', '5', '2'],
    ])
    assert.deepEqual([book.seq, book.blockNumber], [7, 3])
  })

  test('an order book verifies the checksum over the best 100 levels of each side', () => {
    const asks = Array.from({ length: 120 }, (_, n): Level => [String(200 + n), '1', '1'])
    const text = ['100:2', ...asks.slice(0, 100).map(([price, amount]) => `${price}:${amount}`)]
    const checksum = String(zlibCrc32(text.join(':')))
    const book = new OrderBook()
    assert.equal(book.take(message('snapshot', [['100', '2', '1']], asks, checksum)), true)
    assert.equal(book.take(message('update', [], [['319', '9', '1']], checksum)), true)
    assert.equal(book.isExact, true)
    assert.equal(book.take(message('update', [], [['299', '9', '1']], checksum)), false)
    assert.equal(book.isExact, false, 'isExact shows the mismatch')
    assert.equal(book.take(message('snapshot', [['100', '2', '1']], asks, checksum)), true)
    assert.equal(book.isExact, true)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Level } from 'openvenue'
import { POINTS_MAX, viewDepth } from './depth-view.ts'

const MARKET = { instrument_name: 'ETH-PERP', price_step: '0.01', amount_step: '0.1' }
const level = (price: string, amount: string): Level => [price, amount, '1']

describe('the depth of a book', () => {
  test('the depth of a book is summed exactly from the best price on, within the span', () => {
    const bids = [level('999.99', '0.1'), level('995', '0.2'), level('900', '50')]
    const asks = [level('1000.01', '0.5'), level('1004.99', '0.1')]
    const depth = viewDepth({ bids, asks }, MARKET, '1')
    assert.deepEqual(
      depth.bids.map(({ text }) => text),
      ['999.99: 0.1', '995.00: 0.3'],
    )
    assert.deepEqual(
      depth.asks.map(({ text }) => text),
      ['1,000.01: 0.5', '1,004.99: 0.6'],
    )
    assert.deepEqual(
      [depth.prices[0], depth.prices[2], depth.prices[4]],
      ['990.00', '1,000.00', '1,010.00'],
    )
    assert.deepEqual([depth.totals[0], depth.totals.at(-1)], ['0.6', '0.0'])
  })

  test('the whole depth of a book extends as far as its farther side', () => {
    const sides = { bids: [level('10', '1')], asks: [level('12', '1'), level('20', '4')] }
    const { from, to } = viewDepth(sides, MARKET, 'all')
    assert.deepEqual([from, to], [200, 2_000], 'in steps, around 11')
  })

  test('the depth of a book has at most one point per pixel, with the farthest level', () => {
    const asks = Array.from({ length: 5_000 }, (_, at) => level(`${1_000 + at}`, '1'))
    const depth = viewDepth({ bids: [], asks }, MARKET, 'all')
    assert.ok(depth.asks.length <= POINTS_MAX + 1)
    assert.equal(depth.asks.at(-1)?.text, '5,999.00: 5,000.0')
  })

  test('the depth of an empty book is empty', () => {
    const { bids, asks, most } = viewDepth({ bids: [], asks: [] }, MARKET, '2')
    assert.deepEqual([bids, asks, most], [[], [], 0])
  })
})

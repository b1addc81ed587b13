import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Column, nextOrder, sortMarkets } from './market-order.ts'

const row = (name: string, volume: number, changeRank: number) => ({
  ...{ name, changeRank },
  ranks: { mark: 1, volume, openInterest: 0, funding: 0 },
})
const ROWS = [row('ETH', 5, -2), row('BTC', 9, 1), row('SOL', 5, 3)]
const namesBy = (column: Column, isDescending: boolean) =>
  sortMarkets(ROWS, { column, isDescending }).map(({ name }) => name)

describe('the order of markets', () => {
  test('is by numbers, and by name where they are equal, either way', () => {
    assert.deepEqual(namesBy('volume', true), ['BTC', 'ETH', 'SOL'])
    assert.deepEqual(namesBy('volume', false), ['ETH', 'SOL', 'BTC'])
    assert.deepEqual(namesBy('change', true), ['SOL', 'BTC', 'ETH'])
    assert.deepEqual(namesBy('mark', true), ['BTC', 'ETH', 'SOL'])
  })

  test('is by name from either end', () => {
    assert.deepEqual(namesBy('name', false), ['BTC', 'ETH', 'SOL'])
    assert.deepEqual(namesBy('name', true), ['SOL', 'ETH', 'BTC'])
  })

  test('turns around with the second click, and begins with the greatest number', () => {
    const byVolume = nextOrder({ column: 'name', isDescending: false }, 'volume')
    assert.deepEqual(byVolume, { column: 'volume', isDescending: true })
    assert.deepEqual(nextOrder(byVolume, 'volume'), { column: 'volume', isDescending: false })
    assert.deepEqual(nextOrder(byVolume, 'name'), { column: 'name', isDescending: false })
  })
})

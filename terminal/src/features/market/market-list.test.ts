import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  listMarkets,
  type MarketColumn,
  type MenuTab,
  nextOrder,
  sortMarkets,
  windowRows,
} from './market-list.ts'

const row = (name: string, volume: number, changeRank: number) => ({
  ...{ name, changeRank },
  ranks: { mark: 1, volume, openInterest: 0, funding: 0 },
})
const ROWS = [row('ETH', 5, -2), row('BTC', 9, 1), row('SOL', 5, 3)]
const namesBy = (column: MarketColumn, isDescending: boolean) =>
  sortMarkets(ROWS, { column, isDescending }).map(({ name }) => name)

describe('the markets of a tab', () => {
  const LISTED = [
    { ...row('ETH-PERP', 5, 0), kind: 'PERPETUAL' as const },
    { ...row('BTC-PERP', 9, 0), kind: 'PERPETUAL' as const },
    { ...row('ETH-USDC', 7, 0), kind: 'SPOT' as const },
  ]
  const listed = (tab: MenuTab, typed = '') =>
    listMarkets(LISTED, { typed, tab, favourites: ['ETH-PERP', 'GONE-PERP'] }).map(
      ({ name }) => name,
    )

  test('the markets of a tab are sorted by volume, and match the typed text', () => {
    assert.deepEqual(listed('all'), ['BTC-PERP', 'ETH-USDC', 'ETH-PERP'])
    assert.deepEqual(listed('all', ' eth'), ['ETH-USDC', 'ETH-PERP'])
    assert.deepEqual(listed('perpetuals'), ['BTC-PERP', 'ETH-PERP'])
    assert.deepEqual(listed('spot'), ['ETH-USDC'])
    assert.deepEqual(listed('favourites'), ['ETH-PERP'])
    assert.deepEqual(listed('favourites', 'btc'), [])
  })
})

describe('the order of markets', () => {
  test('markets are sorted by number, then by name, in either direction', () => {
    assert.deepEqual(namesBy('volume', true), ['BTC', 'ETH', 'SOL'])
    assert.deepEqual(namesBy('volume', false), ['ETH', 'SOL', 'BTC'])
    assert.deepEqual(namesBy('change', true), ['SOL', 'BTC', 'ETH'])
    assert.deepEqual(namesBy('mark', true), ['BTC', 'ETH', 'SOL'])
  })

  test('markets are sorted by name in either direction', () => {
    assert.deepEqual(namesBy('name', false), ['BTC', 'ETH', 'SOL'])
    assert.deepEqual(namesBy('name', true), ['SOL', 'ETH', 'BTC'])
  })

  test('a second click reverses the order of markets, which starts with the largest number', () => {
    const byVolume = nextOrder({ column: 'name', isDescending: false }, 'volume')
    assert.deepEqual(byVolume, { column: 'volume', isDescending: true })
    assert.deepEqual(nextOrder(byVolume, 'volume'), { column: 'volume', isDescending: false })
    assert.deepEqual(nextOrder(byVolume, 'name'), { column: 'name', isDescending: false })
  })
})

const view = { heightPx: 300, rowPx: 30 }

describe('the rows of a long table', () => {
  test('a long table renders only the visible rows and a few around them', () => {
    const top = windowRows({ ...view, scrollPx: 0, count: 1_000 })
    assert.deepEqual(top, { from: 0, to: 18, abovePx: 0, belowPx: 982 * 30 })
    const middle = windowRows({ ...view, scrollPx: 15_000, count: 1_000 })
    assert.deepEqual([middle.from, middle.to, middle.abovePx], [492, 518, 492 * 30])
  })

  test('a long table keeps the total height of all rows at every scroll position', () => {
    for (let scrollPx = 0; scrollPx <= 40_000; scrollPx += 777)
      for (const count of [0, 1, 17, 1_000]) {
        const { from, to, abovePx, belowPx } = windowRows({ ...view, scrollPx, count })
        assert.equal(abovePx + (to - from) * 30 + belowPx, count * 30)
        assert.ok(to - from <= 27)
      }
  })
})

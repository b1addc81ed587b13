import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LevelTotal } from '@openvenue/core/book'
import type { Market } from '@openvenue/core/records'
import fc from 'fast-check'
import { encodeLevels } from './order-book.ts'

const market = { priceStep: 10n, amountStep: 100n } as Market
const ticks = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 24 - 1 }), { maxLength: 40 })
const makeSide = (list: readonly number[], isBuy: boolean): LevelTotal[] =>
  [...list]
    .sort((a, b) => (isBuy ? b - a : a - b))
    .map((tick) => ({ tick, lots: BigInt(tick % 7) + 1n, count: (tick % 3) + 1 }))

test('grouping sums amounts and orders onto multiples of the step away from the middle, best first', () => {
  const group = fc.integer({ min: 1, max: 100_000 })
  fc.assert(
    fc.property(ticks, group, fc.boolean(), (list, group, isBuy) => {
      const levels = makeSide(list, isBuy)
      const merged = encodeLevels(market, levels, { group }, isBuy)
      const lots = levels.reduce((sum, level) => sum + level.lots, 0n)
      assert.equal(
        merged.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
        lots * 100n,
      )
      const orders = levels.reduce((sum, { count }) => sum + count, 0)
      assert.equal(
        merged.reduce((sum, level) => sum + level.orders, 0),
        orders,
      )
      const prices = merged.map(({ price }) => Number(price) / 10)
      assert.deepEqual(
        prices,
        [...new Set(prices)].sort((a, b) => (isBuy ? b - a : a - b)),
      )
      for (const price of prices) assert.equal(price % group, 0)
      const [best] = levels
      if (best !== undefined && prices[0] !== undefined)
        assert.ok(isBuy ? prices[0] <= best.tick : prices[0] >= best.tick)
    }),
  )
})

test('the depth limits levels after grouping', () => {
  const levels = makeSide([10, 11, 12, 20, 30], false)
  const merged = encodeLevels(market, levels, { group: 10, depth: 2 }, false)
  assert.deepEqual(
    merged.map(({ price }) => price),
    ['100', '200'],
  )
})

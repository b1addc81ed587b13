import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ASSETS } from './markets.ts'
import { seededRandom } from './random.ts'
import { stepPrice } from './random-walk.ts'

const asset = fc.constantFrom(...ASSETS)
const seed = fc.nat()

test('a random walk with the same seed moves prices the same way', () => {
  fc.assert(
    fc.property(asset, seed, (terms, from) => {
      assert.deepEqual(movedPrices(terms, from, 50), movedPrices(terms, from, 50))
    }),
  )
})

test('a random walk of a day stays between half and double the first price, in steps of 10^-6', () => {
  for (const terms of ASSETS) {
    const random = seededRandom(7)
    let price = terms.startPrice
    for (let second = 0; second < 86_400; second++) {
      price = stepPrice(price, terms, 1, random)
      assert.ok(price >= terms.startPrice / 2n && price <= terms.startPrice * 2n, terms.asset)
      assert.equal(price % 10n ** 12n, 0n)
    }
  }
})

test('a random walk returns from beyond the edge of its range', () => {
  fc.assert(
    fc.property(asset, seed, (terms, from) => {
      const random = seededRandom(from)
      const edge = terms.startPrice * 2n
      assert.ok(stepPrice(edge * 3n, terms, 1, random) <= edge)
      assert.ok(stepPrice(1n, terms, 1, random) >= terms.startPrice / 2n)
    }),
  )
})

test('a random walk moves the price farther in a longer step', () => {
  const terms = ASSETS[0] as (typeof ASSETS)[number]
  const spread = (seconds: number) => {
    const random = seededRandom(1)
    const moves = Array.from({ length: 500 }, () => {
      const moved = Number(stepPrice(terms.startPrice, terms, seconds, random) - terms.startPrice)
      return moved ** 2
    })
    return Math.sqrt(moves.reduce((sum, square) => sum + square, 0) / moves.length)
  }
  const ratio = spread(100) / spread(1)
  assert.ok(ratio > 8 && ratio < 12, `ten times as far in a hundred times the time (${ratio})`)
})

function movedPrices(terms: (typeof ASSETS)[number], from: number, steps: number): bigint[] {
  const random = seededRandom(from)
  const prices: bigint[] = [terms.startPrice]
  for (let step = 0; step < steps; step++)
    prices.push(stepPrice(prices.at(-1) ?? 0n, terms, 1, random))
  return prices
}

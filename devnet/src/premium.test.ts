import assert from 'node:assert/strict'
import { test } from 'node:test'
import { premiumPrice } from './premium.ts'

const PRICE = 1_000_000n

test('the premium of a perpetual reaches a quarter of a percent either way within five hours', () => {
  const leans = Array.from({ length: 18_000 }, (_, second) =>
    Number(premiumPrice(PRICE, 1, second) - PRICE),
  )
  assert.equal(Math.max(...leans), 2_500)
  assert.equal(Math.min(...leans), -2_500)
  assert.equal(premiumPrice(PRICE, 1, 18_000), premiumPrice(PRICE, 1, 0))
})

test('the premium of a perpetual never jumps', () => {
  for (let second = 0; second < 36_000; second++) {
    const step = premiumPrice(PRICE, 2, second + 1) - premiumPrice(PRICE, 2, second)
    assert.ok(step >= -2n && step <= 2n, `${step} at ${second}`)
  }
})

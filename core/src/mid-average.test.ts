// The average mid, with the numbers of the contract's own formula.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { averageTickAt, triggerAverage } from './mid-average.ts'

const TICK = 256
const book = (given: object = {}) => ({
  bestBid: 100,
  bestAsk: 102,
  averageTick: 90 * TICK,
  changedTime: 1_000,
  ...given,
})

test('a mid that lasts a minute moves the average halfway to it', () => {
  // 11 ticks above: (11 * 256 * 60 + 60 + 59) / 120, truncated.
  assert.equal(averageTickAt(book(), 1_060), 90n * 256n + 1_408n)
  assert.equal(averageTickAt(book({ averageTick: 112 * TICK }), 1_060), 112n * 256n - 1_408n)
})

test('the average ignores mids of the current second', () => {
  assert.equal(averageTickAt(book(), 1_000), 90n * 256n)
})

test('the average is frozen while a side is empty', () => {
  assert.equal(averageTickAt(book({ bestBid: 0 }), 9_000), 90n * 256n)
  assert.equal(averageTickAt(book({ bestAsk: 0xff_ffff }), 9_000), 90n * 256n)
})

test('the first mid sets the average, which converges to a mid that persists', () => {
  assert.equal(averageTickAt(book({ averageTick: 0 }), 1_001), 101n * 256n)
  assert.equal(averageTickAt(book({ averageTick: 101 * TICK - 1 }), 1_001), 101n * 256n)
})

test('the price is truncated as in the contract', () => {
  assert.equal(triggerAverage(book({ averageTick: 90 * TICK + 1 }), 1_000, 100n), 9_000n)
  assert.equal(triggerAverage(book({ averageTick: 0, bestBid: 0 }), 1_000, 100n), 0n)
})

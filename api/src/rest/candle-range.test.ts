import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rangeOr400, rangeWeight } from './candle-range.ts'

const NOW = 1_767_225_600

test('times of one period select the same bars, so that they share an answer', () => {
  const at = (to: number) => rangeOr400('60', { to, countback: 10 })
  assert.deepEqual(at(NOW), at(NOW + 3599))
  assert.notDeepEqual(at(NOW), at(NOW + 3600))
})

test('times outside the calendar are clamped to it', () => {
  assert.deepEqual(rangeOr400('1M', { from: -1e30, to: 1e30 }), {
    fromSeconds: 0,
    toSeconds: Date.UTC(9999, 11, 1) / 1000,
  })
  assert.deepEqual(rangeOr400('1W', { to: -1 }), { fromSeconds: 0, toSeconds: -1 })
})

test('a request that may read more than 1,000 bars counts five times', () => {
  const weigh = rangeWeight({ nowMs: () => NOW * 1000 })
  assert.equal(weigh({ countback: '1000' }), 1)
  assert.equal(weigh({ countback: '1001' }), 5)
  assert.equal(weigh({ countback: '10', from: '0' }), 1)
  assert.equal(weigh({ resolution: '1' }), 5)
  assert.equal(weigh({ resolution: '60', from: String(NOW - 1000 * 3600) }), 1)
  assert.equal(weigh({ resolution: '60', from: String(NOW - 1001 * 3600) }), 5)
  assert.equal(weigh({ resolution: 'M', from: '0' }), 1)
  assert.equal(weigh({ resolution: '1', from: 'x' }), 1)
  assert.equal(weigh({ resolution: '1D', countback: '10', fill: 'previous' }), 5)
})

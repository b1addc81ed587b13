import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countUnits, InboundBudgets, REFUSED_MS, TokenBucket } from './inbound-budget.ts'

const PER_CONNECTION = { points: 10, seconds: 1, burst: 10 }
const PER_ADDRESS = { points: 20, seconds: 1, burst: 10 }

const budgets = (perConnection = PER_CONNECTION as typeof PER_CONNECTION | undefined) => {
  const clock = { nowMs: 0 }
  const all = new InboundBudgets({
    perConnection,
    perAddress: PER_ADDRESS,
    monotonicMs: () => clock.nowMs,
  })
  return { all, clock }
}

describe('a bucket', () => {
  test('a bucket gives points and burst at once, then its points per second', () => {
    const bucket = new TokenBucket(PER_CONNECTION, 0)
    assert.equal(bucket.take(0, 20), 0)
    assert.equal(bucket.take(0, 1), 100)
    assert.equal(bucket.take(99, 1), 1)
    assert.equal(bucket.take(100, 1), 0)
    assert.equal(bucket.take(1100, 10), 0)
    assert.equal(bucket.take(1100, 1), 100)
  })

  test('a bucket never holds more than points and burst', () => {
    const bucket = new TokenBucket(PER_CONNECTION, 0)
    assert.equal(bucket.take(1_000_000, 20), 0)
    assert.ok(bucket.take(1_000_000, 1) > 0)
  })

  test('a bucket gives all it has for a request larger than its size', () => {
    const bucket = new TokenBucket(PER_CONNECTION, 0)
    assert.equal(bucket.take(0, 1000), 0)
    assert.equal(bucket.take(0, 1000), 2000)
  })
})

describe('budgets', () => {
  test('a message counts as one, and as one more for each 4 KiB', () => {
    assert.deepEqual([0, 4095, 4096, 131_072].map(countUnits), [1, 1, 2, 33])
  })

  test('a connection that sends too much is over, and its address is refused for a moment', () => {
    const { all, clock } = budgets()
    const budget = all.open('a')
    assert.equal(budget.take(20), 0)
    assert.equal(all.refusedMs('a'), 0)
    assert.equal(budget.take(1), 100)
    assert.equal(all.refusedMs('a'), REFUSED_MS)
    assert.equal(all.refusedMs('b'), 0)
    clock.nowMs = REFUSED_MS
    assert.equal(all.refusedMs('a'), 0)
  })

  test('connections of an address share what it may send, others have their own', () => {
    const { all } = budgets()
    const [first, second, other] = [all.open('a'), all.open('a'), all.open('b')]
    assert.equal(first.take(20), 0)
    assert.equal(second.take(10), 0)
    assert.equal(second.take(1), 50)
    assert.equal(other.take(20), 0)
  })

  test('an address gains nothing by disconnecting and reconnecting', () => {
    const { all } = budgets()
    for (let count = 0; count < 3; count++) assert.equal(all.open('a').take(10), 0)
    assert.ok(all.open('a').take(10) > 0)
  })

  test('an address that was dropped meanwhile is one address again', () => {
    const { all, clock } = budgets(undefined)
    const first = all.open('a')
    assert.equal(first.take(1), 0)
    clock.nowMs = 60_000
    all.sweep()
    assert.equal(all.size, 0)
    const second = all.open('a')
    assert.equal(first.take(30), 0)
    assert.ok(second.take(1) > 0)
  })

  test('addresses with full budgets are dropped, and at most 10,000 are kept', () => {
    const { all, clock } = budgets()
    for (let count = 0; count < 10_001; count++) all.takeRequest(`${count}`, 20)
    assert.equal(all.size, 10_000)
    all.sweep()
    assert.equal(all.size, 10_000)
    clock.nowMs = 1000
    all.sweep()
    assert.equal(all.size, 0)
  })

  test('without rates there is no limit', () => {
    const all = new InboundBudgets({
      perConnection: undefined,
      perAddress: undefined,
      monotonicMs: () => 0,
    })
    const budget = all.open('a')
    for (let count = 0; count < 1000; count++) assert.equal(budget.take(1000), 0)
  })
})

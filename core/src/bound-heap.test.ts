import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BoundHeap } from './bound-heap.ts'

const reachedBy = (heap: BoundHeap, value: number): number[] => {
  const accounts = new Set<number>()
  heap.reached(value, accounts)
  return [...accounts].sort((a, b) => a - b)
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ account: fc.nat(60), bound: fc.integer({ max: 500 }) }) },
  { weight: 1, arbitrary: fc.record({ value: fc.integer({ min: -100, max: 500 }) }) },
)

describe('a heap of bounds', () => {
  test('a heap of bounds returns live bounds at or above a value once, and no stale ones', () => {
    fc.assert(
      fc.property(fc.array(step, { size: 'large', maxLength: 400 }), (steps) => {
        const stamps = new Map<number, number>()
        const heap = new BoundHeap(stamps)
        const bounds = new Map<number, number>()
        for (const [at, step] of steps.entries()) {
          if ('value' in step) {
            const expected = [...bounds].filter(([, bound]) => bound >= step.value)
            const accounts = expected.map(([account]) => account).sort((a, b) => a - b)
            assert.deepEqual(reachedBy(heap, step.value), accounts)
            for (const account of accounts) bounds.delete(account)
          } else {
            stamps.set(step.account, at)
            bounds.set(step.account, step.bound)
            heap.add(step.bound, step.account)
          }
        }
      }),
    )
  })

  test('soon frees the space of stale bounds', () => {
    const stamps = new Map<number, number>()
    const heap = new BoundHeap(stamps)
    for (let at = 0; at < 100_000; at++) {
      const account = at % 10
      stamps.set(account, at)
      heap.add(-at, account)
      assert.ok(heap.size <= 21)
    }
    assert.deepEqual(reachedBy(heap, -1e9), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('a heap of bounds treats an infinite bound as reached by any value, and reaches all bounds at minus infinity', () => {
    const heap = new BoundHeap(
      new Map([
        [3, 1],
        [4, 2],
      ]),
    )
    heap.add(Infinity, 3)
    heap.add(-Number.MAX_VALUE, 4)
    assert.deepEqual(reachedBy(heap, Number.MAX_VALUE), [3])
    assert.deepEqual(reachedBy(heap, -Infinity), [4])
  })

  test('a heap of bounds accepts account numbers up to the maximum of the contracts', () => {
    const account = 2 ** 40 - 1
    const heap = new BoundHeap(new Map([[account, 1]]))
    heap.add(1, account)
    assert.deepEqual(reachedBy(heap, 1), [account])
  })
})

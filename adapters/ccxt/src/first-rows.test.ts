import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstRows } from './first-rows.ts'

const PERIOD_MS = 10
const MOST = 50

/** Fakes a list of the venue, which returns the newest rows of a range. */
function listOf(times: readonly number[]) {
  let requests = 0
  const read = async (from: number, to: number) => {
    requests++
    return times.filter((ms) => ms >= from && ms <= to).slice(-MOST)
  }
  return { read, requests: () => requests }
}
const search = { sinceMs: 0, untilMs: 1e9, periodMs: PERIOD_MS, most: MOST }

test('the first rows since a time are found before the first row, in and after gaps', async () => {
  const periods = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 200 })
  const bounds = fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: MOST }))
  const property = fc.asyncProperty(periods, bounds, async (rows, [sinceMs, limit]) => {
    const times = rows.map((row) => row * PERIOD_MS).sort((a, b) => a - b)
    const firstFound = await firstRows(listOf(times).read, { ...search, sinceMs, limit })
    assert.deepEqual(firstFound, times.filter((ms) => ms >= sinceMs).slice(0, limit))
  })
  await fc.assert(property)
})

test('the first rows take one request if there are no gaps, and few after a long gap', async () => {
  const dense = listOf(Array.from({ length: 1000 }, (_, at) => at * PERIOD_MS))
  assert.equal((await firstRows(dense.read, { ...search, limit: MOST })).length, MOST)
  assert.equal(dense.requests(), 1)
  const far = listOf(Array.from({ length: 1000 }, (_, at) => 1e8 + at * PERIOD_MS))
  assert.equal((await firstRows(far.read, { ...search, limit: 5 }))[0], 1e8)
  assert.ok(far.requests() < 60, `${far.requests()} requests`)
})

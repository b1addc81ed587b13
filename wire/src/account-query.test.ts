import assert from 'node:assert/strict'
import test from 'node:test'
import { END_OF_TIME_S, parseTimeRange } from './account-query.ts'

const S = 1_767_225_600

for (const [unit, zeros] of [
  ['seconds', ''],
  ['milliseconds', '000'],
  ['nanoseconds', '000000000'],
] as const)
  test(`a time range in ${unit} includes its bounds`, () => {
    assert.deepEqual(parseTimeRange({ start_time: `${S}${zeros}`, end_time: `${S + 5}${zeros}` }), {
      fromSeconds: S,
      toSeconds: S + 5,
    })
  })

test('a time range without bounds includes every time', () => {
  assert.deepEqual(parseTimeRange({}), { fromSeconds: 0, toSeconds: END_OF_TIME_S })
  const end = '9'.repeat(20)
  assert.ok((parseTimeRange({ end_time: end })?.toSeconds ?? 0) < END_OF_TIME_S)
})

test('a time range between seconds includes the whole seconds within it', () => {
  const start_time = `${S}001`
  assert.deepEqual(parseTimeRange({ start_time, end_time: `${S + 1}999` }), {
    fromSeconds: S + 1,
    toSeconds: S + 1,
  })
  assert.deepEqual(parseTimeRange({ start_time, end_time: `${S}999` }), {
    fromSeconds: S + 1,
    toSeconds: S,
  })
})

test('a time range may be a single moment, but not end before it starts', () => {
  assert.deepEqual(parseTimeRange({ start_time: String(S), end_time: `${S}000` }), {
    fromSeconds: S,
    toSeconds: S,
  })
  assert.equal(parseTimeRange({ start_time: `${S}000000001`, end_time: String(S) }), undefined)
})

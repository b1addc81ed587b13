import assert from 'node:assert/strict'
import test from 'node:test'
import { END_OF_TIME_S, parseTimeRange } from './account-query.ts'

const S = 1_767_225_600

for (const [unit, zeros] of [
  ['seconds', ''],
  ['milliseconds', '000'],
  ['nanoseconds', '000000000'],
] as const)
  test(`a range in ${unit} has its bounds in it`, () => {
    assert.deepEqual(parseTimeRange({ start_time: `${S}${zeros}`, end_time: `${S + 5}${zeros}` }), {
      fromSeconds: S,
      toSeconds: S + 5,
    })
  })

test('a range without bounds has every time in it', () => {
  assert.deepEqual(parseTimeRange({}), { fromSeconds: 0, toSeconds: END_OF_TIME_S })
  const end = '9'.repeat(20)
  assert.ok((parseTimeRange({ end_time: end })?.toSeconds ?? 0) < END_OF_TIME_S)
})

test('between seconds, a range has the whole seconds that lie in it', () => {
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

test('a range of one moment is one; one that starts after its end is none', () => {
  assert.deepEqual(parseTimeRange({ start_time: String(S), end_time: `${S}000` }), {
    fromSeconds: S,
    toSeconds: S,
  })
  assert.equal(parseTimeRange({ start_time: `${S}000000001`, end_time: String(S) }), undefined)
})

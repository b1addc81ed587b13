import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readLocalTime, showMoment, writeLocalTime } from './time-text.ts'

const NOON_SECONDS = Date.UTC(2026, 10, 24, 12, 0) / 1000

describe('a point in time', () => {
  test('a point in time is read in local time, and written as it was typed', () => {
    const text = writeLocalTime(NOON_SECONDS)
    assert.match(text, /^2026-11-2[345]T\d\d:\d\d$/)
    assert.equal(readLocalTime(text), NOON_SECONDS)
    assert.equal(readLocalTime(writeLocalTime(NOON_SECONDS + 59)), NOON_SECONDS)
    assert.equal(readLocalTime(writeLocalTime(NOON_SECONDS + 1, 'up')), NOON_SECONDS + 60)
  })

  test('a point in time is undefined unless a complete date and time is typed', () => {
    for (const text of ['', '2026-11-24', 'soon', '2026-13-40T99:99', '1e5'])
      assert.equal(readLocalTime(text), undefined, text)
  })

  test('a point in time is shown with UTC beside it', () => {
    assert.match(showMoment(NOON_SECONDS), /12:00 UTC\)?$/)
  })
})

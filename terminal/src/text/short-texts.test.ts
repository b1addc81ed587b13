import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { showCountdown, showLatency } from './short-texts.ts'

describe('short texts', () => {
  test('a round trip and the time until the next funding are formatted as short texts', () => {
    assert.deepEqual([showLatency(undefined), showLatency(39.6)], ['', '40 ms'])
    assert.deepEqual([2_472_000, 3_600_000, 1, 0, -5].map(showCountdown), [
      '00:41:12',
      '01:00:00',
      '00:00:01',
      '',
      '',
    ])
  })
})

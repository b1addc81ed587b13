import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DrillResult } from './run-drill.ts'
import { writeTable } from './table.ts'

const result = (
  failures: readonly string[],
  more: Partial<DrillResult['summary']> = {},
): DrillResult => ({
  drill: { name: 'cut-redis', about: '', run: async () => {} },
  faultMs: 8_000,
  recoveredMs: 1_250,
  priceGapMs: 1_000,
  exits: {},
  failures,
  summary: {
    requests: 200,
    outcomes: new Map([['200', 200]]),
    withoutSuccessMs: 300,
    oldestMs: 900,
    oldestReadyMs: 0,
    notReady: [undefined, { fromMs: 1_100, toMs: 9_000 }],
    silenceMs: 1_500,
    reconnects: 1,
    snapshots: 2,
    gaps: 1,
    ...more,
  },
})

describe('writeTable', () => {
  test('the table of drills has a line for each drill, with seconds after the fault began', () => {
    assert.equal(
      writeTable([result([])])
        .split('\n')
        .at(-1),
      '| cut-redis | 8.0 s | 1.3 s | 0 % | 0.3 s | 0.9 s | 0.0 s | -; 1.1 to 9.0 s | 1.5 s | 1 | 3 | 1.0 s | - | yes |',
    )
  })

  test('the table of drills lists answers other than 200, the most frequent first', () => {
    const outcomes = new Map([
      ['200', 150],
      ['503', 10],
      ['refused', 40],
    ])
    assert.match(writeTable([result([], { outcomes })]), /25\.0 % \(refused: 40, 503: 10\)/)
  })

  test('the table of drills names failed checks, with their findings below', () => {
    const text = writeTable([{ ...result(['clients: 1 of 4 missing']), exits: { 'api-1': 2 } }])
    assert.match(text, /api-1 2× \| NO: clients \|/)
    assert.match(text, /^cut-redis: clients: 1 of 4 missing$/m)
  })
})

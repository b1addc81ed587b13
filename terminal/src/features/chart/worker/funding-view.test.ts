import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { viewFunding } from './funding-view.ts'

const HOUR_NS = 3_600_000_000_000n
const row = (hour: bigint, rate: string) =>
  ['ETH-PERP', String(hour * HOUR_NS), rate, '3000.5'] as [string, string, string, string]

describe('the hours of funding', () => {
  test('funding hours are newest first, with yearly rates and an average, truncated', () => {
    const view = viewFunding([row(1n, '0.0001'), row(2n, '-0.00005')], '0.01')
    assert.deepEqual(
      view.hours.map(({ rate, yearly, mark }) => [rate, yearly, mark]),
      [
        ['-0.0050%', '-43.80%', '3,000.50'],
        ['+0.0100%', '+87.60%', '3,000.50'],
      ],
    )
    assert.deepEqual([view.average, view.averageYearly], ['+0.0025%', '+21.90%'])
  })

  test('funding hours have no average before the first hour has ended', () => {
    assert.deepEqual(viewFunding([], '0.01'), { hours: [], average: '', averageYearly: '' })
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { viewDay, viewSpark } from './market-view.ts'

const day = (percent: string | null) =>
  viewDay({ high_24h: '3210.5', low_24h: null, mark_daily_change_pct: percent }, '0.01')

describe('the daily statistics of a market', () => {
  test('daily statistics show the change with its sign, truncated, not rounded', () => {
    const shown = ['1.23987654', '-0.05', '120.5', '0', '-12'].map((text) => day(text).change)
    assert.deepEqual(shown, ['+1.23%', '-0.05%', '+120.50%', '+0.00%', '-12.00%'])
    assert.deepEqual([day('-0.05').isUp, day('0').isUp], [false, true])
  })

  test("daily statistics show the range in the market's price steps", () => {
    assert.deepEqual([day('1').high, day('1').low], ['3,210.50', ''])
  })

  test('daily statistics are empty while unknown', () => {
    assert.equal(viewDay(undefined, '0.01').change, '')
    assert.equal(day(null).change, '')
  })
})

describe('the line of a day', () => {
  test('the daily price line runs from left to right, with the highest price at the top', () => {
    const { path, isUp } = viewSpark('ETH-PERP', ['10', '30', '20'])
    assert.equal(path, 'M0.0 23.0L48.0 1.0L96.0 12.0')
    assert.ok(isUp)
  })

  test('the daily price line is flat if nothing moved, and absent below two prices', () => {
    assert.equal(viewSpark('A', ['5', '5']).path, 'M0.0 12.0L96.0 12.0')
    assert.equal(viewSpark('A', ['5']).path, '')
    assert.equal(viewSpark('A', []).path, '')
  })
})

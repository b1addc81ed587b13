import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { viewDay, viewSpark } from './markets-view.ts'

const day = (percent: string | null) =>
  viewDay({ high_24h: '3210.5', low_24h: null, mark_daily_change_pct: percent }, '0.01')

describe('the day of a market', () => {
  test('has its change with its sign, cut and not rounded', () => {
    const shown = ['1.23987654', '-0.05', '120.5', '0', '-12'].map((text) => day(text).change)
    assert.deepEqual(shown, ['+1.23%', '-0.05%', '+120.50%', '+0.00%', '-12.00%'])
    assert.deepEqual([day('-0.05').isUp, day('0').isUp], [false, true])
  })

  test('has its range in the steps of its prices', () => {
    assert.deepEqual([day('1').high, day('1').low], ['3,210.50', ''])
  })

  test('is empty where it is not known', () => {
    assert.equal(viewDay(undefined, '0.01').change, '')
    assert.equal(day(null).change, '')
  })
})

describe('the line of a day', () => {
  test('goes from the left to the right, the highest price on top', () => {
    const { path, isUp } = viewSpark('ETH-PERP', ['10', '30', '20'])
    assert.equal(path, 'M0.0 23.0L48.0 1.0L96.0 12.0')
    assert.ok(isUp)
  })

  test('is level where nothing moved, and absent where there are no two prices', () => {
    assert.equal(viewSpark('A', ['5', '5']).path, 'M0.0 12.0L96.0 12.0')
    assert.equal(viewSpark('A', ['5']).path, '')
    assert.equal(viewSpark('A', []).path, '')
  })
})

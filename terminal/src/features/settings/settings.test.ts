import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BOTTOM_PX, DEFAULTS, limitBottom, readSettings } from './settings.ts'

describe('settings', () => {
  test('are read as they were stored', () => {
    const chosen = {
      ...{ theme: 'dark', palette: 'blue-orange', motion: 'less' },
      ...{ isMirrored: true, bottomPx: 300, accountPx: 310, asksFirst: false, keepsSize: false },
      ...{ hasSystemAlerts: true, hasSounds: true, hasSingleKeys: false },
    }
    assert.deepEqual(readSettings(JSON.stringify(chosen)), chosen)
  })

  test('are the defaults without stored settings, or with unreadable ones', () => {
    for (const text of [null, '', '{', 'null', '7', '"dark"', '[]', '{"theme":"pink"}'])
      assert.deepEqual(readSettings(text), DEFAULTS, `of ${text}`)
  })

  test('enable sounds and system notifications only after the user turned them on', () => {
    const nobodys = [null, '{}', '{"hasSounds":"true","hasSystemAlerts":1}', '{"theme":"dark"}']
    for (const text of nobodys) {
      const { hasSounds, hasSystemAlerts } = readSettings(text)
      assert.deepEqual({ hasSounds, hasSystemAlerts }, { hasSounds: false, hasSystemAlerts: false })
    }
    assert.equal(DEFAULTS.hasSounds, false)
    assert.equal(DEFAULTS.hasSystemAlerts, false)
  })

  test('keep the bottom panel within its limits', () => {
    assert.deepEqual([0, 200.4, 1e9, Number.NaN, 'tall'].map(limitBottom), [
      BOTTOM_PX.min,
      200,
      BOTTOM_PX.max,
      DEFAULTS.bottomPx,
      DEFAULTS.bottomPx,
    ])
  })
})

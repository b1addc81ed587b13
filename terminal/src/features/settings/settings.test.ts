import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BOTTOM_PX, DEFAULTS, limitBottom, readSettings } from './settings.ts'

describe('settings', () => {
  test('settings are read as they were stored', () => {
    const chosen = {
      ...{ theme: 'dark', palette: 'blue-orange', motion: 'less' },
      ...{ isMirrored: true, bottomPx: 300, favourites: ['ETH-PERP'], listsAll: false },
      ...{ orderType: 'stop', amountUnit: 'quote', slippage: '0.5', bookGroup: 2 },
      ...{ asksFirst: false, keepsSize: false },
      ...{ hasSystemAlerts: true, hasSounds: true, hasSingleKeys: false },
    }
    assert.deepEqual(readSettings(JSON.stringify(chosen)), chosen)
  })

  test('settings are the defaults if none are stored or the stored ones are unreadable', () => {
    for (const text of [null, '', '{', 'null', '7', '"dark"', '[]', '{"theme":"pink"}'])
      assert.deepEqual(readSettings(text), DEFAULTS, `of ${text}`)
  })

  test('sounds and system notifications are off until the user turns them on', () => {
    const nobodys = [null, '{}', '{"hasSounds":"true","hasSystemAlerts":1}', '{"theme":"dark"}']
    for (const text of nobodys) {
      const { hasSounds, hasSystemAlerts } = readSettings(text)
      assert.deepEqual({ hasSounds, hasSystemAlerts }, { hasSounds: false, hasSystemAlerts: false })
    }
    assert.equal(DEFAULTS.hasSounds, false)
    assert.equal(DEFAULTS.hasSystemAlerts, false)
  })

  test('stored settings keep the bottom panel within its limits', () => {
    assert.deepEqual([0, 200.4, 1e9, Number.NaN, 'tall'].map(limitBottom), [
      BOTTOM_PX.min,
      200,
      BOTTOM_PX.max,
      DEFAULTS.bottomPx,
      DEFAULTS.bottomPx,
    ])
  })
})

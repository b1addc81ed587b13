import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BOTTOM_PX, DEFAULTS, limitBottom, readSettings } from './settings-text.ts'

describe('settings', () => {
  test('are read as they were kept', () => {
    const chosen = {
      ...{ theme: 'dark', palette: 'blue-orange', motion: 'less' },
      ...{ isMirrored: true, bottomPx: 300, accountPx: 310, asksFirst: false, keepsSize: false },
      ...{ hasSystemAlerts: true, hasSounds: true },
    }
    assert.deepEqual(readSettings(JSON.stringify(chosen)), chosen)
  })

  test('are the defaults where nothing was kept, or nothing that can be read', () => {
    for (const text of [null, '', '{', 'null', '7', '"dark"', '[]', '{"theme":"pink"}'])
      assert.deepEqual(readSettings(text), DEFAULTS, `of ${text}`)
  })

  test('keep the panel below within its limits', () => {
    assert.deepEqual([0, 200.4, 1e9, Number.NaN, 'tall'].map(limitBottom), [
      BOTTOM_PX.min,
      200,
      BOTTOM_PX.max,
      DEFAULTS.bottomPx,
      DEFAULTS.bottomPx,
    ])
  })
})

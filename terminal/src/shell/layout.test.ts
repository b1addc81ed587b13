import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSeen, type Layout, tabsOf, VIEWS } from './layout.ts'

const seen = (layout: Layout, chosen: (typeof VIEWS)[number]) =>
  VIEWS.filter((view) => isSeen(layout, view, chosen))

describe('the layouts', () => {
  test('the layout shows everything if there is room, whatever tab was chosen elsewhere', () => {
    for (const chosen of VIEWS) assert.deepEqual(seen('wide', chosen), [...VIEWS])
    assert.deepEqual(tabsOf('wide'), [])
  })

  test('the layout lets book and trades share a tab if there is less room', () => {
    assert.deepEqual(seen('middle', 'trades'), ['chart', 'trades', 'tables', 'account'])
    assert.deepEqual(seen('middle', 'book'), ['chart', 'book', 'tables', 'account'])
    assert.deepEqual(seen('middle', 'account'), ['chart', 'book', 'tables', 'account'])
  })

  test('the layout shows one view at a time on a phone', () => {
    for (const chosen of VIEWS) assert.deepEqual(seen('narrow', chosen), [chosen])
  })
})

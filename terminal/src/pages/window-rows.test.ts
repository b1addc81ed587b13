import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { windowRows } from './window-rows.ts'

const view = { heightPx: 300, rowPx: 30 }

describe('the rows of a long table', () => {
  test('are made where the screen is, and a few around it', () => {
    const top = windowRows({ ...view, scrollPx: 0, count: 1_000 })
    assert.deepEqual(top, { from: 0, to: 18, abovePx: 0, belowPx: 982 * 30 })
    const middle = windowRows({ ...view, scrollPx: 15_000, count: 1_000 })
    assert.deepEqual([middle.from, middle.to, middle.abovePx], [492, 518, 492 * 30])
  })

  test('are as tall together as all of them, wherever the screen is', () => {
    for (let scrollPx = 0; scrollPx <= 40_000; scrollPx += 777)
      for (const count of [0, 1, 17, 1_000]) {
        const { from, to, abovePx, belowPx } = windowRows({ ...view, scrollPx, count })
        assert.equal(abovePx + (to - from) * 30 + belowPx, count * 30)
        assert.ok(to - from <= 27)
      }
  })
})

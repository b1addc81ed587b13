import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { indexAt, inSight, moved, type TimeScale, toNewest, xOf, zoomed } from './time-scale.ts'

const COUNT = 500
const scale: TimeScale = { barPx: 10, right: 200, widthPx: 600 }

describe('the scale of candles', () => {
  test('the time scale converts a candle to its pixel and back', () => {
    assert.equal(xOf(scale, 200), 600)
    assert.equal(xOf(scale, 150), 100)
    for (const index of [-3, 0, 150, 200.5]) assert.equal(indexAt(scale, xOf(scale, index)), index)
  })

  test('the time scale starts at the newest candle, with room to its right', () => {
    const { right } = toNewest(scale, COUNT)
    assert.ok(right > COUNT - 1)
    assert.ok(xOf({ ...scale, right }, COUNT - 1) < scale.widthPx)
  })

  test('the time scale follows a drag, and keeps some candles visible', () => {
    assert.equal(moved(scale, 50, COUNT).right, 195)
    assert.equal(moved(scale, -50, COUNT).right, 205)
    const first = moved(scale, 1e6, COUNT)
    const last = moved(scale, -1e6, COUNT)
    for (const far of [first, last]) {
      const [from, behind] = inSight(far, COUNT)
      assert.ok(behind - from >= 3, `${from} to ${behind}`)
    }
    assert.deepEqual(inSight(first, COUNT)[0], 0)
    assert.deepEqual(inSight(last, COUNT)[1], COUNT)
  })

  test('the time scale zooms around a point, within limits', () => {
    for (const by of [0.5, 1.1, 3]) {
      const wide = zoomed(scale, { x: 240, by }, COUNT)
      assert.equal(wide.barPx, 10 * by)
      assert.ok(Math.abs(indexAt(wide, 240) - indexAt(scale, 240)) < 1e-9)
    }
    assert.equal(zoomed(scale, { x: 240, by: 1e-6 }, COUNT).barPx, 1)
    assert.equal(zoomed(scale, { x: 240, by: 1e6 }, COUNT).barPx, 80)
  })

  test('the time scale shows candles that overlap its edges, and only existing ones', () => {
    assert.deepEqual(inSight(scale, COUNT), [140, 201])
    assert.deepEqual(inSight({ ...scale, right: 20 }, COUNT), [0, 21])
    assert.deepEqual(inSight({ ...scale, right: 510 }, COUNT), [450, 500])
    assert.deepEqual(inSight(scale, 0), [140, 140])
    assert.deepEqual(inSight({ ...scale, right: 5 }, 0), [0, 0])
  })

  test('the time scale works without a single candle', () => {
    for (const changed of [
      toNewest(scale, 0),
      moved(scale, 1e6, 0),
      zoomed(scale, { x: 0, by: 2 }, 0),
    ])
      assert.ok(Number.isFinite(changed.right) && Number.isFinite(changed.barPx))
  })
})

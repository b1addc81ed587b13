import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { spread } from './axis-labels.ts'
import { inkOn } from './chart-colors.ts'

describe('labels beside the candles', () => {
  test('labels beside the candles stay at their prices while these are far apart', () => {
    assert.deepEqual(spread([10, 80, 40], 17, 300), [10, 80, 40])
    assert.deepEqual(spread([], 17, 300), [])
  })

  test('labels beside the candles do not cover each other, and keep their order', () => {
    assert.deepEqual(spread([50, 52, 51], 10, 300), [50, 70, 60])
    assert.deepEqual(spread([50, 50], 10, 300), [50, 60])
  })

  test('labels beside the candles stay above the lower edge', () => {
    assert.deepEqual(spread([298, 295, 100], 10, 300), [300, 290, 100])
  })

  test('labels beside the candles have a colour that is readable on their background', () => {
    assert.equal(inkOn('#ffffff'), '#000000')
    assert.equal(inkOn('#000000'), '#ffffff')
    assert.equal(inkOn('#e0b050'), '#000000')
    assert.equal(inkOn('#6b3fa0'), '#ffffff')
  })
})

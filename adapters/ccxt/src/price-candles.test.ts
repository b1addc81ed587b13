import assert from 'node:assert/strict'
import { test } from 'node:test'
import { candlesOf, samplesOf } from './price-candles.ts'

const HOUR = 3_600
const at = (minutes: number, price: string): [string, string] => [`${minutes * 60}000000000`, price]

test('a price candle opens at the previous price, with the high and low of its own prices', () => {
  const history = [at(59, '10'), at(61, '12.5'), at(62, '8'), at(63, '9'), at(125, '9.25')]
  assert.deepEqual(candlesOf(history, HOUR), [
    [0, '10', '10', '10', '10'],
    [3_600_000, '10', '12.5', '8', '9'],
    [7_200_000, '9', '9.25', '9', '9.25'],
  ])
  assert.deepEqual(candlesOf([], HOUR), [])
})

test('prices for candles are requested at the finest interval that fits in one answer', () => {
  assert.equal(samplesOf(HOUR, 3, 500), 60)
  assert.equal(samplesOf(HOUR, 100, 500), 900)
  assert.equal(samplesOf(HOUR, 499, 500), 3600)
  assert.equal(samplesOf(60, 499, 500), 60)
  assert.equal(samplesOf(7 * 24 * HOUR, 400, 500), 7 * 24 * HOUR)
})

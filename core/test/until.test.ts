import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from './until.ts'

test('until returns the first truthy value', async () => {
  const values = [undefined, false, 0, 'found', 'later']
  assert.equal(await until('a value', async () => values.shift()), 'found')
  assert.deepEqual(values, ['later'])
})

test('until fails with its claim after the time limit', async () => {
  await assert.rejects(
    until('the moon is full', () => false, 10),
    /not within 10 ms: the moon is full/,
  )
  let looks = 0
  const claim = () => `seen ${looks} times`
  await assert.rejects(
    until(claim, () => void looks++, 10),
    /seen [1-9]\d* times/,
  )
})

test('until rethrows the error of its callback', async () => {
  const look = () => Promise.reject(new Error('the node is gone'))
  await assert.rejects(until('an answer', look), /the node is gone/)
})

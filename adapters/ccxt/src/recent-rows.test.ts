import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentRows } from './recent-rows.ts'

const any = () => true

test('each reader of recent rows gets each row once, and again after a change', () => {
  const rows = new RecentRows<string>(10)
  rows.put(1, 'a')
  assert.deepEqual(rows.takeNew('x', any), ['a'])
  rows.put(2, 'b')
  rows.put(1, 'a2')
  assert.deepEqual(rows.takeNew('x', any), ['b', 'a2'])
  assert.deepEqual(rows.takeNew('x', any), [])
  assert.deepEqual(rows.takeNew('y', any), ['b', 'a2'])
})

test('recent event rows keep their first version, and undone rows are removed', () => {
  const rows = new RecentRows<string>(10)
  rows.add(1, 'a')
  rows.takeNew('x', any)
  rows.add(1, 'again')
  assert.deepEqual(rows.takeNew('x', any), [])
  rows.add(2, 'b')
  rows.drop(2)
  assert.deepEqual([rows.takeNew('x', any), rows.all()], [[], ['a']])
})

test('only the newest of the recent rows up to the maximum are kept', () => {
  const rows = new RecentRows<number>(2)
  for (const key of [1, 2, 3]) rows.put(key, key)
  assert.deepEqual(rows.all(), [2, 3])
})

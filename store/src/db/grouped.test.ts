// Grouping of concurrent calls to the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseBusy } from './db.ts'
import { createGrouped } from './grouped.ts'

/** A grouping whose runs end on command of the test. */
function gated({ perRunMax = 10, waitingMax = 10 } = {}) {
  const runs: { items: readonly string[]; end: (error?: Error) => void }[] = []
  const add = createGrouped<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error === undefined ? resolve(items.map((item) => `${item}!`)) : reject(error)
        runs.push({ items, end })
      }),
    { purpose: 'tests', perRunMax, waitingMax, keysOf: (item) => [item.slice(0, 1)] },
  )
  return { add, runs }
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('grouped calls during a run share the next run, and each gets its own answers', async () => {
  const { add, runs } = gated()
  const first = add(['a'])
  await nextTurn()
  const [second, third] = [add(['b', 'c']), add(['d'])]
  assert.deepEqual(
    runs.map(({ items }) => items),
    [['a']],
  )
  runs[0]?.end()
  assert.deepEqual(await first, ['a!'])
  await nextTurn()
  assert.deepEqual(runs[1]?.items, ['b', 'c', 'd'])
  runs[1]?.end()
  assert.deepEqual(await Promise.all([second, third]), [['b!', 'c!'], ['d!']])
})

test('grouped calls in the same turn of the event loop share a run', async () => {
  const { add, runs } = gated()
  const all = [add(['a']), Promise.resolve().then(() => add(['b'])), add(['c', 'd'])]
  await nextTurn()
  assert.deepEqual(
    runs.map(({ items }) => items),
    [['a', 'c', 'd', 'b']],
  )
  runs[0]?.end()
  assert.deepEqual(await Promise.all(all), [['a!'], ['b!'], ['c!', 'd!']])
})

test('grouped calls with the same key run one after the other, in order', async () => {
  const { add, runs } = gated()
  const all = add(['a1', 'b1', 'a2', 'b2', 'a3'])
  for (const items of [['a1', 'b1'], ['a2', 'b2'], ['a3']]) {
    await nextTurn()
    assert.deepEqual(runs.at(-1)?.items, items)
    runs.at(-1)?.end()
  }
  assert.equal((await all).length, 5)
  assert.equal(runs.length, 3)
})

test('a run of grouped calls has a maximum size, and a failure affects only its own calls', async () => {
  const { add, runs } = gated({ perRunMax: 2 })
  const [failing, succeeding] = [add(['a', 'b']), add(['c'])]
  failing.catch(() => {})
  await nextTurn()
  runs[0]?.end(new Error('cut'))
  await assert.rejects(failing, /cut/)
  await nextTurn()
  assert.deepEqual(runs[1]?.items, ['c'])
  runs[1]?.end()
  assert.deepEqual(await succeeding, ['c!'])
})

test('the database is busy when too many grouped calls wait', async () => {
  const { add, runs } = gated({ waitingMax: 2 })
  const first = add(['a'])
  await nextTurn()
  const queued = add(['b', 'c'])
  await assert.rejects(add(['d']), DatabaseBusy)
  await nextTurn()
  runs[0]?.end()
  await first
  await nextTurn()
  runs[1]?.end()
  await queued
})

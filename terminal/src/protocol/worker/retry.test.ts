import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once, untilDone } from './retry.ts'

test('a one-time task runs at the first call, and again after a failure', async () => {
  let times = 0
  const work = once(async () => {
    times += 1
    if (times === 1) throw new Error('away')
    return times
  })
  await assert.rejects(work(), /away/)
  assert.deepEqual(await Promise.all([work(), work()]), [2, 2])
})

test('a failing task is repeated until it succeeds, and not after that', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let times = 0
  const settled = () => new Promise(setImmediate)
  untilDone(async () => {
    times += 1
    if (times < 3) throw new Error('away')
  }, 1_000)
  await settled()
  context.mock.timers.tick(999)
  await settled()
  assert.equal(times, 1, 'not before its time')
  for (const expected of [2, 3, 3]) {
    context.mock.timers.tick(1_000)
    await settled()
    assert.equal(times, expected)
  }
})

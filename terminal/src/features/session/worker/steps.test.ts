import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TaskStep } from '../../wallet/wallet-protocol.ts'
import { runSteps } from './steps.ts'

const statesOf = (steps: readonly TaskStep[] | undefined) =>
  steps?.map(({ state }) => state).join(' ')

describe('steps', () => {
  test('the steps of an action run in order, and each change is shown', async () => {
    const shown: (string | undefined)[] = []
    const done: string[] = []
    const task = (name: string) => [name, async () => done.push(name)] as const
    await runSteps([task('one'), task('two')], (steps) => shown.push(statesOf(steps)))
    assert.deepEqual(done, ['one', 'two'])
    assert.deepEqual(shown, ['now waiting', 'done waiting', 'done now', 'done done'])
  })

  test('the steps of an action stop at the first failure, which shows its reason', async () => {
    let last: readonly TaskStep[] = []
    const tasks = [
      ['fails', () => Promise.reject(new Error('no money\nRequest body: secret'))],
      ['is not done', () => assert.fail('it was done')],
    ] as const
    await assert.rejects(
      runSteps(tasks, (steps) => (last = steps)),
      /no money/,
    )
    assert.equal(statesOf(last), 'failed waiting')
    assert.equal(last[0]?.problem, 'no money')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AskError, Asking } from './asking.ts'
import type { RequestMessage } from './question.ts'

describe('requests of the page', () => {
  test('requests of the page are answered by number, in any order', async () => {
    const requests: RequestMessage[] = []
    const asking = new Asking((request) => requests.push(request))
    const [signedOut, again] = [asking.ask('signOut', null), asking.ask('signOut', null)]
    const [first, second] = requests
    asking.take({ id: second?.id ?? 0, answer: 'second' })
    asking.take({ id: first?.id ?? 0, answer: 'first' })
    assert.deepEqual([await signedOut, await again], ['first', 'second'])
  })

  test('requests of the page fail with the code, message and details of the refusal', async () => {
    const asking = new Asking(({ id }) => {
      const details = [{ field: 'amount', code: 'STEP', message: 'a whole step', nearest: '0.1' }]
      const problem = { code: 'INVALID', message: 'no step', details, retryAfterMs: undefined }
      queueMicrotask(() => asking.take({ id, problem }))
    })
    await assert.rejects(asking.ask('signOut', null), (error: AskError) => {
      assert.equal(error.problem.details[0]?.nearest, '0.1')
      return error instanceof AskError && error.message === 'no step'
    })
  })
})

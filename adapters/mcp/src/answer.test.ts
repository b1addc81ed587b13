import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { InvalidRequestError } from 'openvenue'
import { ANSWER_CHARACTERS_MAX, answerOf, errorOf, showHidden } from './answer.ts'

const row = { note: 'x'.repeat(90) }
const rows = (count: number) => Array.from({ length: count }, () => row)
// biome-ignore lint/suspicious/noExplicitAny: tests look at what comes
const contentOf = (result: ReturnType<typeof answerOf>): any => result.structuredContent

describe('an answer', () => {
  test('an answer of a tool that fits is complete, as structured data and as the same text', () => {
    const result = answerOf({ bids: ['1'] }, { blockNumber: 7, inputs: [] })
    assert.deepEqual(result.structuredContent, { answer: { bids: ['1'] }, block_number: 7 })
    assert.deepEqual(result.content, [
      { type: 'text', text: '{"answer":{"bids":["1"]},"block_number":7}' },
    ])
  })

  test('an answer of a tool that is too long is cut to whole rows, with the way to more', () => {
    const body = { orders: rows(1000), pagination: { next_cursor: 'c' } }
    const { answer, cut } = contentOf(answerOf(body, { inputs: ['limit', 'cursor'] }))
    assert.equal(answer.orders.length, cut.kept)
    assert.ok(JSON.stringify(answer).length <= ANSWER_CHARACTERS_MAX)
    assert.ok(JSON.stringify(answer).length > ANSWER_CHARACTERS_MAX - 200)
    assert.deepEqual([cut.list, cut.of], ['orders', 1000])
    assert.match(cut.how, new RegExp(`limit at most ${cut.kept}; then pass pagination.next_cursor`))
    assert.deepEqual(answer.pagination, { next_cursor: 'c' })
    const list = contentOf(answerOf(rows(1000), { inputs: ['countback'] }))
    assert.match(list.cut.how, /countback/)
    assert.equal(list.cut.list, 'answer')
  })

  test('an answer of a tool that is too long and has no list is refused', () => {
    const body = { text: 'x'.repeat(ANSWER_CHARACTERS_MAX) }
    assert.throws(() => answerOf(body, { inputs: [] }), /ANSWER_TOO_LARGE/)
  })

  test('an answer shows invisible characters as escapes', () => {
    const smuggled = `ETH\u{e0041}\u{202e}\u{200b}\u0007`
    assert.deepEqual(showHidden({ [smuggled]: ['a\nb', smuggled] }), {
      'ETH\\u{e0041}\\u{202e}\\u{200b}\\u{7}': ['a\nb', 'ETH\\u{e0041}\\u{202e}\\u{200b}\\u{7}'],
    })
  })

  test('an answer of a tool that the venue refuses is an error with code, details and wait', () => {
    const facts = { status: 400, requestId: 'r', retryAfterMs: 1000 }
    const details = [{ field: 'amount', code: 'C', message: 'm' }]
    const error = new InvalidRequestError('no', { code: 'C', details, ...facts })
    const result = errorOf(error)
    assert.equal(result.isError, true)
    assert.deepEqual(result.structuredContent, {
      ...{ error: 'C', message: 'no', details },
      ...{ retry_after_ms: 1000, request_id: 'r' },
    })
    const long = new InvalidRequestError('x'.repeat(ANSWER_CHARACTERS_MAX), {
      ...{ code: 'C', details, ...facts },
    })
    assert.ok(JSON.stringify(errorOf(long).structuredContent).length < 1100)
  })
})

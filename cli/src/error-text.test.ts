import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  AuthError,
  ConnectionError,
  InvalidRequestError,
  MismatchError,
  NotFoundError,
  OpenvenueError,
  RateLimitedError,
  StepError,
  UnavailableError,
} from 'openvenue'
import { ChainError as NodeError } from 'openvenue/verify'
import { printable } from './columns.ts'
import { errorText } from './error-text.ts'
import { ChainError, CredentialError, Ending, exitCodeOf, UsageError } from './exit-codes.ts'
import { humanRefusal } from './order-refusal.ts'

const facts = { code: 'SOME_CODE', status: 400, details: [], requestId: 'abc', retryAfterMs: 1_500 }

describe('an error', () => {
  for (const [error, code] of [
    [new InvalidRequestError('no', facts), 1],
    [new NotFoundError('no', facts), 1],
    [new ChainError('reverted'), 1],
    [new OpenvenueError('no market'), 1],
    [new UsageError('what?'), 2],
    [new StepError('between'), 2],
    [new ConnectionError('nobody'), 3],
    [new NodeError('the node gave no answer'), 3],
    [new AuthError('who?', facts), 4],
    [new CredentialError('no key'), 4],
    [new RateLimitedError('wait', facts), 5],
    [new UnavailableError('wait', facts), 5],
    [new MismatchError('it differs', []), 6],
    [new Ending(1), 1],
    [new TypeError('of ours'), 70],
  ] as const)
    test(`${error.name} (${error.message}) ends with ${code}`, () => {
      assert.equal(exitCodeOf(error), code)
    })

  test('a refusal prints code, members, nearest values and the wait', () => {
    const details = [{ field: 'amount', code: 'X', message: 'too small', nearest: '0.1' }]
    const text = errorText(new RateLimitedError('slow down', { ...facts, details }))
    assert.equal(
      text,
      'SOME_CODE: slow down\n  amount: too small; the nearest is 0.1\n  retry in 1.5 s\n  request abc',
    )
  })

  test('a refusal prints the nearest value once when its message already names it', () => {
    const message = 'limit is out of range: got "0", expected 1 to 9; the nearest is 1'
    const details = [{ field: 'limit', code: 'X', message, nearest: 1 }]
    const text = errorText(new InvalidRequestError('no', { ...facts, details })) ?? ''
    assert.equal(text.match(/the nearest is 1/g)?.length, 1, text)
  })

  test('a refusal of an order has nearest values in human units and keeps its class', () => {
    const market = { base_decimals: 18, quote_decimals: 6 }
    const details = [
      { field: 'amount', code: 'X', message: 'm', nearest: '500000000000000000' },
      { field: 'limit_price', code: 'X', message: 'm', nearest: '2900010000' },
      { field: 'time_in_force', code: 'X', message: 'm', nearest: 'GTC' },
    ]
    const human = humanRefusal(new InvalidRequestError('no', { ...facts, details }), market)
    assert.ok(human instanceof InvalidRequestError)
    assert.equal(human.message, 'SOME_CODE: no')
    assert.deepEqual(
      human.details.map(({ nearest }) => nearest),
      ['0.5', '2900.01', 'GTC'],
    )
  })

  test('an internal error prints its stack, and the end of a command prints nothing', () => {
    assert.match(errorText(new TypeError('oops')) ?? '', /error-text\.test\.ts/)
    assert.equal(errorText(new Ending(6)), undefined)
  })

  test('text printed to a terminal cannot control it', () => {
    assert.equal(printable('a\x1b[2Jb\u202ec\nd'), 'a?[2Jb?c d')
  })
})

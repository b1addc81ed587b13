import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderLog, type SeenOrder } from './order-log.ts'

const order = (status: string, members: Partial<SeenOrder> = {}): SeenOrder => ({
  order_id: '0x1',
  order_status: status,
  filled: status === 'filled' ? '2' : '0',
  amount: '2',
  cancel_reason: status === 'cancelled' ? 'USER' : null,
  ...members,
})

const problemsOf = (...orders: readonly SeenOrder[]) => {
  const log = new OrderLog()
  log.answered(order('pending'))
  for (const order of orders) log.seen(order)
  return log.problems
}

test('an order that rests, trades and ends is not a problem', () => {
  assert.deepEqual(
    problemsOf(
      order('pending'),
      order('opened'),
      order('partial', { filled: '1' }),
      order('filled'),
    ),
    [],
  )
  assert.deepEqual(problemsOf(order('opened'), order('cancelled')), [])
})

for (const [situation, orders, sentence] of [
  ['that ended and comes back', [order('cancelled'), order('opened')], /cancelled became opened/],
  ['that leaves the chain again', [order('opened'), order('pending')], /opened became pending/],
  ['that arrives twice', [order('opened'), order('opened')], /opened arrived twice/],
  ['cancelled without a reason', [order('cancelled', { cancel_reason: null })], /without a reason/],
  [
    'rejected without a reason',
    [order('rejected', { valid_until: '9' })],
    /rejected without a reason/,
  ],
  [
    'rejected without a deadline',
    [order('rejected', { reject_reason: 'X' })],
    /without a known deadline/,
  ],
  ['filled in part', [order('filled', { filled: '1' })], /filled with 1 of 2/],
  ['of an unknown status', [order('lost')], /pending became lost/],
] as const) {
  test(`an order ${situation} is a problem`, () => {
    const problems = problemsOf(...orders)
    assert.equal(problems.length, 1, problems.join())
    assert.match(problems[0] ?? '', sentence)
  })
}

test('an answer that arrives after newer channel data reverts no order', () => {
  const log = new OrderLog()
  log.seen(order('filled'))
  log.answered(order('pending'))
  assert.deepEqual([log.problems, log.open(), log.hasEnded('0x1')], [[], [], true])
})

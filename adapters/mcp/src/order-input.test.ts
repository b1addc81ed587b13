import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderNames } from 'openvenue/signing'
import { newOrder, ORDER_INPUT } from './order-input.ts'
import { ToolError } from './tool-error.ts'
import { checkInput } from './tool-input.ts'

const ACCOUNT = `0x${'ac'.repeat(20)}` as const
const HASH = `0x${'12'.repeat(32)}`
const order = { market: 'ETH-PERP', side: 'buy', amount: '0.5', price: '2900' }
/** An input with every member. */
const whole = {
  ...order,
  ...{ time_in_force: 'GTC', post_only: true, reduce_only: true, good_til: 1_900_000_000 },
  ...{ stop: 'STOP_LOSS', trigger: '2800', deadline: 1_900_000_000, max_fills: 7 },
  ...{ replaces: HASH, replaces_amount: '0.5', parent_order_id: HASH, client_order_id: 'mine' },
}

describe('the input of an order', () => {
  test('the input of an order has exactly the member names of the library table', () => {
    const names = orderNames().flatMap(({ mcp }) => (mcp === undefined ? [] : [mcp]))
    assert.deepEqual(Object.keys(ORDER_INPUT.properties).sort(), [...names, 'stop'].sort())
    assert.deepEqual(Object.keys(whole).sort(), [...names, 'stop'].sort())
  })

  test('the input of an order is converted to an order of the library, member by member', () => {
    assert.deepEqual(newOrder(checkInput(ORDER_INPUT, whole), ACCOUNT), {
      ...{ ...order, account: ACCOUNT, timeInForce: 'GTC', postOnly: true, reduceOnly: true },
      ...{ goodTilSeconds: 1_900_000_000, deadlineSeconds: 1_900_000_000, maxFills: 7 },
      ...{ trigger: { kind: 'STOP_LOSS', price: '2800' }, replaces: HASH, replacesAmount: '0.5' },
      ...{ parentOrderId: HASH, clientOrderId: 'mine' },
    })
  })

  test('an invalid member of an order is named with its nearest legal value', () => {
    const problem = (input: object) => {
      try {
        checkInput(ORDER_INPUT, input)
      } catch (error) {
        assert.ok(error instanceof ToolError)
        const [first] = error.facts.details as { field: string; nearest?: string }[]
        return first
      }
      throw new Error('nothing was refused')
    }
    for (const side of ['BUY', 1, null, true])
      assert.equal(problem({ ...order, side })?.field, 'side')
    for (const trigger of [Number.NaN, '', 'NaN', null])
      assert.equal(problem({ ...whole, trigger })?.field, 'trigger')
    const pairs = { stop: 'trigger', trigger: 'stop', replaces: 'replaces_amount' } as const
    for (const [name, other] of Object.entries(pairs))
      assert.equal(problem({ ...order, [name]: whole[name as 'stop'] })?.field, other)
    assert.deepEqual(
      ['postOnly', 'timeInForce', 'goodtil'].map(
        (name) => problem({ ...order, [name]: 1 })?.nearest,
      ),
      ['post_only', 'time_in_force', 'good_til'],
    )
    for (const unit of [1000, 1_000_000, 1e-9]) {
      const good_til = 1_900_000_000 * unit
      assert.equal(problem({ ...order, good_til })?.field, 'good_til')
    }
  })
})

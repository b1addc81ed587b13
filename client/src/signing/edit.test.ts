import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Order } from '../../generated/shapes.ts'
import { editOf } from './edit.ts'

const RESTING: Order = {
  ...{ order_id: '0xd1', chain_order_id: '0xc1', client_order_id: 'quote 1' },
  account: `0x${'a1'.repeat(20)}`,
  ...{ instrument_id: '0x01', instrument_name: 'ETH-PERP', instrument_type: 'PERPETUAL' },
  ...{ asset: 'ETH', order_type: 'limit', side: 'sell', price: '3000' },
  ...{ amount: '1', filled: '0.3', remaining: '0.7', avg_price: '3000', order_status: 'partial' },
  ...{ time_in_force: 'GTD', expires_timestamp: '1800000000000000000' },
  ...{ post_only: true, reduce_only: false, close_position: false, fees: '0' },
  self_trade_prevention: 'EXPIRE_MAKER',
  ...{ cancel_reason: null, reject_reason: null, error: null, closed_timestamp: null },
  ...{ tx_hash: '0x77', block_number: 5 },
  ...{ created_timestamp: '1767225600000000000', timestamp: '1767225600000000000' },
}
const HELD: Order = {
  ...RESTING,
  ...{ chain_order_id: null, order_status: 'stop_order', filled: '0', remaining: '1' },
  ...{ time_in_force: 'IOC', post_only: false, stop: 'STOP_LOSS', trigger: '2900' },
}

describe('an edit', () => {
  test('after a partial fill orders what is left of the amount, and keeps name and terms', () => {
    assert.deepEqual(editOf(RESTING, { price: '3001' }), {
      ...{ market: 'ETH-PERP', account: RESTING.account, side: 'sell' },
      ...{ amount: '0.7', price: '3001', timeInForce: 'GTC', postOnly: true },
      goodTilSeconds: 1_800_000_000,
      ...{ replaces: '0xc1', replacesAmount: '0.7', clientOrderId: 'quote 1' },
    })
  })

  test('never fills more than its amount together with what is filled, whenever that fills', () => {
    for (const [amount, signed] of [
      ['1', '0.7'],
      ['2', '1.7'],
      ['0.300000000000000001', '0.000000000000000001'],
    ] as const)
      assert.equal(editOf(RESTING, { amount }).amount, signed)
    for (const amount of ['0.3', '0.1', '0'])
      assert.throws(() => editOf(RESTING, { amount }), /all of the order, with the 0.3/)
  })

  test('of an order that is held keeps its trigger and names nothing on the chain', () => {
    const edit = editOf(HELD, { trigger: '2890', clientOrderId: 'quote 2' })
    assert.deepEqual(edit.trigger, { kind: 'STOP_LOSS', price: '2890' })
    assert.deepEqual([edit.replaces, edit.replacesAmount, edit.amount], [undefined, undefined, '1'])
    assert.equal(edit.clientOrderId, 'quote 2')
  })

  test('of a stop that has fired has no trigger', () => {
    const fired = { ...HELD, chain_order_id: '0xc1', order_status: 'partial' } as const
    assert.equal(editOf(fired, {}).trigger, undefined)
  })
})

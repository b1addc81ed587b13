import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { planEdit, viewEdit } from './order-edit.ts'

const MARKET = { price_step: '0.5', amount_step: '0.1', instrument_type: 'PERPETUAL' }
const ORDER = {
  ...{ order_id: '0xdd', chain_order_id: '0xcc', instrument_name: 'ETH-PERP', side: 'sell' },
  ...{ price: '3000', amount: '2', filled: '0.5', remaining: '1.5', order_status: 'partial' },
  ...{ time_in_force: 'GTC', post_only: true, reduce_only: false },
}
const found = (change: object = {}) => ({
  order: { ...ORDER, ...change } as shapes.Order,
  market: MARKET as shapes.Market,
})
const DRAFT = { id: '0xdd', price: '3100', trigger: '', amount: '1.5', filled: '0.5' }

describe('an edit of an order', () => {
  test('names the one that rests, and keeps what is not edited of it', () => {
    assert.deepEqual(planEdit(DRAFT, found()).order, {
      ...{ market: 'ETH-PERP', side: 'sell', timeInForce: 'GTC', postOnly: true },
      ...{ replaces: '0xcc', replacesAmount: '1.5', amount: '1.5', price: '3100' },
    })
    const gtd = { time_in_force: 'GTD', expires_timestamp: '1790000000000000000' }
    const { order } = planEdit(DRAFT, found(gtd))
    assert.deepEqual([order?.timeInForce, order?.goodTilSeconds], ['GTC', 1_790_000_000])
  })

  test('names nothing on the chain where the order is held', () => {
    const held = { order_status: 'stop_order', chain_order_id: null, stop: 'STOP_LOSS' }
    const stop = found({ ...held, trigger: '2900', price: '2890', time_in_force: 'IOC' })
    const { order } = planEdit({ ...DRAFT, price: '2790', trigger: '2800' }, stop)
    assert.equal(order?.replaces, undefined)
    assert.deepEqual(order?.trigger, { kind: 'STOP_LOSS', price: '2800' })
  })

  test('is refused with what is left where some of it was filled meanwhile', () => {
    const now = found({ filled: '1.2', remaining: '0.8' })
    const { order, problems } = planEdit(DRAFT, now)
    assert.equal(order, undefined)
    assert.deepEqual(problems, [
      { field: 'amount', text: '1.2 of it is filled by now, 0.8 is left', nearest: ['0.8'] },
    ])
    assert.ok(planEdit({ ...DRAFT, amount: '0.8', filled: '1.2' }, now).order)
  })

  test('offers the nearest legal values, and is none where nothing is another', () => {
    const { problems } = planEdit({ ...DRAFT, price: '3100.2' }, found())
    assert.deepEqual(problems[0]?.nearest, ['3100', '3100.5'])
    assert.equal(planEdit({ ...DRAFT, price: '3000' }, found()).order, undefined)
  })
})

describe('an order that is dragged', () => {
  test('goes to the nearest step', () => {
    const to = (at: string) => viewEdit(found(), at).price
    assert.deepEqual(['3100.2', '3100.3', '3100.25', '0.1', ''].map(to), [
      '3100',
      '3100.5',
      '3100',
      '0.5',
      '3000',
    ])
  })

  test('moves by its trigger where it has one, its worst price along with it', () => {
    const stop = found({ trigger: '2900', price: '2890.5' })
    const { price, trigger } = viewEdit(stop, '2800.1')
    assert.deepEqual([trigger, price], ['2800', '2790.5'])
  })

  test('is described as it is now, with what is left of it', () => {
    const { words, amount } = viewEdit(found(), '')
    assert.deepEqual([words, amount], ['sell 2 at 3,000.0, 0.5 of it filled', '1.5'])
  })
})

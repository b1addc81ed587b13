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
const orderWith = (change: object = {}) => ({
  order: { ...ORDER, ...change } as shapes.Order,
  market: MARKET as shapes.Market,
})
const DRAFT = { id: '0xdd', price: '3100', trigger: '', amount: '2' }

describe('an edit of an order', () => {
  test('an edit of an order names the resting order, and keeps terms that are unchanged', () => {
    assert.deepEqual(planEdit(DRAFT, orderWith()).order, {
      ...{ market: 'ETH-PERP', side: 'sell', timeInForce: 'GTC', postOnly: true },
      ...{ replaces: '0xcc', replacesAmount: '2', amount: '2', price: '3100' },
    })
    const gtd = { time_in_force: 'GTD', expires_timestamp: '1790000000000000000' }
    const { order } = planEdit(DRAFT, orderWith(gtd))
    assert.deepEqual([order?.timeInForce, order?.goodTilSeconds], ['GTC', 1_790_000_000])
  })

  test('an edit of an untriggered order names no order on the chain', () => {
    const untriggered = { order_status: 'stop_order', chain_order_id: null, stop: 'STOP_LOSS' }
    const stop = orderWith({ ...untriggered, trigger: '2900', price: '2890', time_in_force: 'IOC' })
    const { order } = planEdit({ ...DRAFT, price: '2790', trigger: '2800' }, stop)
    assert.equal(order?.replaces, undefined)
    assert.deepEqual(order?.trigger, { kind: 'STOP_LOSS', price: '2800' })
  })

  test('an edit keeps the total amount, whatever fills before and during typing', () => {
    const order = { amount: '1', filled: '0.3', remaining: '0.7' }
    const { amount } = viewEdit(orderWith(order), '')
    assert.equal(amount, '1')
    for (const now of [order, { ...order, filled: '0.9', remaining: '0.1' }]) {
      const { order: edit, problems } = planEdit({ ...DRAFT, amount }, orderWith(now))
      assert.deepEqual(problems, [])
      assert.deepEqual([edit?.amount, edit?.replacesAmount, edit?.price], ['1', '1', '3100'])
    }
  })

  test('an edit needs an amount above the filled part, and offers the least', () => {
    const now = orderWith({ filled: '1.2', remaining: '0.8' })
    const { order, problems } = planEdit({ ...DRAFT, amount: '1.2' }, now)
    assert.equal(order, undefined)
    assert.deepEqual(problems, [{ field: 'amount', text: '1.2 already filled', nearest: ['1.3'] }])
    assert.ok(planEdit({ ...DRAFT, amount: '1.3' }, now).order)
    const opened = orderWith({ filled: '0', remaining: '2', order_status: 'opened' })
    assert.ok(planEdit({ ...DRAFT, amount: '0.1' }, opened).order)
  })

  test('an edit offers the nearest legal values, and does nothing if nothing changed', () => {
    const { problems } = planEdit({ ...DRAFT, price: '3100.2' }, orderWith())
    assert.deepEqual(problems[0]?.nearest, ['3100', '3100.5'])
    assert.equal(planEdit({ ...DRAFT, price: '3000' }, orderWith()).order, undefined)
  })
})

describe('a dragged order', () => {
  test('a dragged order moves to the nearest step', () => {
    const to = (at: string) => viewEdit(orderWith(), at).price
    assert.deepEqual(['3100.2', '3100.3', '3100.25', '0.1', ''].map(to), [
      '3100',
      '3100.5',
      '3100',
      '0.5',
      '3000',
    ])
  })

  test('a dragged order moves its trigger if it has one, and its price limit along with it', () => {
    const stop = orderWith({ trigger: '2900', price: '2890.5' })
    const { price, trigger } = viewEdit(stop, '2800.1')
    assert.deepEqual([trigger, price], ['2800', '2790.5'])
  })

  test('a dragged order is described with its current terms and its filled amount', () => {
    const { words, amount } = viewEdit(orderWith(), '')
    assert.deepEqual([words, amount], ['sell 2 at 3,000.0, 0.5 of it filled', '2'])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OpenvenueError, type shapes } from 'openvenue'
import { type OrderContext, planOrder } from './order-plan.ts'
import { closingDraft } from './position-closing.ts'

const MARKET = {
  instrument_name: 'ETH-PERP',
  instrument_type: 'PERPETUAL',
  ...{ price_step: '0.01', amount_step: '0.0001', mark_price: '3000' },
} as shapes.Market
const CONTEXT: OrderContext = {
  market: MARKET,
  ...{ bestBid: '2999.5', bestAsk: '3000.5', nowSeconds: 1_800_000_000 },
}
const HELD = [{ instrument_name: 'ETH-PERP', side: 'buy', amount: '0.0035' }] as const
const ASKED = { market: 'ETH-PERP', percent: 100, price: '', isReverse: false }

describe('closing a position', () => {
  test('closing a position sends a bounded reduce-only order for the whole size', () => {
    const { plan } = planOrder(closingDraft(ASKED, HELD, CONTEXT), CONTEXT)
    assert.deepEqual(plan?.order, {
      market: 'ETH-PERP',
      side: 'sell',
      amount: '0.0035',
      price: '2909.52',
      timeInForce: 'IOC',
      orderType: 'market',
      reduceOnly: true,
    })
  })

  test('closing rounds a part of a position down to a step, and uses a given limit price', () => {
    const draft = closingDraft({ ...ASKED, percent: 25, price: '3,100' }, HELD, CONTEXT)
    const { plan } = planOrder(draft, CONTEXT)
    assert.equal(plan?.order.amount, '0.0008')
    assert.equal(plan?.order.price, '3100')
    assert.equal(plan?.order.timeInForce, 'GTC')
  })

  test('reversing a position opens its size on the other side, bounded by the slippage', () => {
    const draft = closingDraft({ ...ASKED, isReverse: true }, HELD, CONTEXT)
    const { plan } = planOrder(draft, CONTEXT)
    assert.equal(plan?.order.side, 'sell')
    assert.equal(plan?.order.amount, '0.007')
    assert.equal(plan?.order.reduceOnly ?? false, false)
    assert.equal(plan?.order.timeInForce, 'IOC')
  })

  test('closing does nothing if the position has been closed meanwhile', () => {
    assert.throws(() => closingDraft(ASKED, [], CONTEXT), OpenvenueError)
  })
})

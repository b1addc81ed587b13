import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OpenvenueError, type shapes } from 'openvenue'
import { closingDraft } from './closing.ts'
import { type OrderContext, planOrder } from './order-plan.ts'

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
const ASKED = { market: 'ETH-PERP', percent: 100, price: '' }

describe('what closes a position', () => {
  test('is an order of the other side that only reduces, bounded, for the whole of it', () => {
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

  test('is a part of it on a step, never more, and at a limit where one is given', () => {
    const draft = closingDraft({ ...ASKED, percent: 25, price: '3,100' }, HELD, CONTEXT)
    const { plan } = planOrder(draft, CONTEXT)
    assert.equal(plan?.order.amount, '0.0008')
    assert.equal(plan?.order.price, '3100')
    assert.equal(plan?.order.timeInForce, 'GTC')
  })

  test('is nothing where the position has ended meanwhile', () => {
    assert.throws(() => closingDraft(ASKED, [], CONTEXT), OpenvenueError)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closingOrder } from './ending.ts'

const long = {
  instrument_name: 'ETH-PERP',
  side: 'buy',
  amount: '1.5',
  mark_price: '3000.000000000000000001',
} as const

describe('the order that closes a position', () => {
  test('closing sells a whole long position, at most 3 % below the mark', () => {
    assert.deepEqual(closingOrder(long), {
      ...{
        market: 'ETH-PERP',
        side: 'sell',
        amount: '1.5',
        timeInForce: 'IOC',
        orderType: 'market',
        reduceOnly: true,
      },
      price: '2910',
    })
  })

  test('closing buys back a short position, at most 3 % above the mark', () => {
    const { side, price } = closingOrder({ ...long, side: 'sell', mark_price: '3000' })
    assert.deepEqual([side, price], ['buy', '3090'])
  })

  test('no closing order is created while the mark is unknown', () => {
    assert.throws(() => closingOrder({ ...long, mark_price: null }), /no mark price for ETH-PERP/)
  })
})

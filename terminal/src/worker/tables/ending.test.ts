import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closingOrder } from './ending.ts'

const long = {
  instrument_name: 'ETH-PERP',
  side: 'buy',
  amount: '1.5',
  mark_price: '3000.000000000000000001',
} as const

describe('the order that ends a position', () => {
  test('sells what is long, all of it, and no further than 3 % below the mark', () => {
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

  test('buys what is short, no further than 3 % above it', () => {
    const { side, price } = closingOrder({ ...long, side: 'sell', mark_price: '3000' })
    assert.deepEqual([side, price], ['buy', '3090'])
  })

  test('is not made while the mark is not known', () => {
    assert.throws(() => closingOrder({ ...long, mark_price: null }), /mark price of ETH-PERP/)
  })
})

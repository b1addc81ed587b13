import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { type SizeQuestion, sizeFor } from './order-size.ts'

const PERP = {
  instrument_name: 'ETH-PERP',
  instrument_type: 'PERPETUAL',
  amount_step: '0.0001',
  taker_fee: '0.001',
} as shapes.Market
const SPOT = {
  instrument_name: 'ETH-USDC',
  instrument_type: 'SPOT',
  underlying_asset: 'ETH',
  quote_asset: 'USDC',
  amount_step: '0.001',
} as shapes.Market
const ACCOUNT = {
  available_balance: '1000',
  leverages: [{ instrument_name: 'ETH-PERP', leverage: '10' }],
  positions: [{ instrument_name: 'ETH-PERP', side: 'buy', amount: '0.75' }],
  collaterals: [
    { instrument_type: 'SPOT', collateral_asset: 'USDC', available_balance: '500' },
    { instrument_type: 'SPOT', collateral_asset: 'ETH', available_balance: '1.2345' },
    { instrument_type: 'PERPETUAL', collateral_asset: 'USDC', available_balance: '1000' },
  ],
} as unknown as shapes.Account
const BUY: SizeQuestion = {
  ...{ market: PERP, account: ACCOUNT, side: 'buy', price: '3000', isReduceOnly: false },
  percent: 100,
}

describe('a part of the buying power', () => {
  test('is what free margin carries at its leverage, the fee of it included, on a step', () => {
    // 1,000 at 10 times is 10,000 of value; with its fee of 0.1 % each 0.11 of margin a unit.
    assert.equal(sizeFor(BUY), '3.3003')
    assert.equal(sizeFor({ ...BUY, percent: 50 }), '1.6501')
  })

  test('has the margin of the mark where the order itself is cheaper, as the venue asks', () => {
    const market = { ...PERP, mark_price: '3200' } as shapes.Market
    // Each needs 320 of margin at the mark, and 3 of its fee at its price.
    assert.equal(sizeFor({ ...BUY, market }), '3.0959')
    assert.equal(sizeFor({ ...BUY, market, side: 'sell' }), '3.0959')
    // Dearer than the mark, it is asked for at its own price.
    const low = { ...PERP, mark_price: '2900' } as shapes.Market
    assert.equal(sizeFor({ ...BUY, market: low }), sizeFor(BUY))
  })

  test('of an order that only reduces is the position on the other side', () => {
    assert.equal(sizeFor({ ...BUY, side: 'sell', isReduceOnly: true }), '0.75')
    assert.equal(sizeFor({ ...BUY, isReduceOnly: true }), '0')
  })

  test('at spot is the free quote to buy, and the free base to sell', () => {
    const spot = { ...BUY, market: SPOT }
    assert.equal(sizeFor({ ...spot, percent: 25 }), '0.041')
    assert.equal(sizeFor({ ...spot, side: 'sell' }), '1.234')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { type SizeQuestion, sizeFor } from './buying-power.ts'

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

describe('a share of the buying power', () => {
  test('a percentage of the buying power pays margin and fee, rounded down to a step', () => {
    // Value is 1,000 * 10 = 10,000; margin per unit includes the fee of 0.1 %.
    assert.equal(sizeFor(BUY), '3.3003')
    assert.equal(sizeFor({ ...BUY, percent: 50 }), '1.6501')
  })

  test('a percentage of the buying power is charged at the mark if the order is cheaper', () => {
    const market = { ...PERP, mark_price: '3200' } as shapes.Market
    // Each unit needs 320 of margin at the mark and 3 of fee at its own price.
    assert.equal(sizeFor({ ...BUY, market }), '3.0959')
    assert.equal(sizeFor({ ...BUY, market, side: 'sell' }), '3.0959')
    // Above the mark, margin is charged at the order's own price.
    const low = { ...PERP, mark_price: '2900' } as shapes.Market
    assert.equal(sizeFor({ ...BUY, market: low }), sizeFor(BUY))
  })

  test('a percentage for a reduce-only order is taken from the opposite position', () => {
    assert.equal(sizeFor({ ...BUY, side: 'sell', isReduceOnly: true }), '0.75')
    assert.equal(sizeFor({ ...BUY, isReduceOnly: true }), '0')
  })

  test('a percentage for a spot order is taken from the free quote or base token', () => {
    const spot = { ...BUY, market: SPOT }
    assert.equal(sizeFor({ ...spot, percent: 25 }), '0.041')
    assert.equal(sizeFor({ ...spot, side: 'sell' }), '1.234')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { fillRow, fundingRow, positionRow } from './table-rows.ts'

const digitsOf = () => 2
const textsOf = ({ cells }: ReturnType<typeof fillRow>) => cells.map(({ text }) => text)

const POSITION = {
  ...{ instrument_id: '0x1', instrument_name: 'ETH-PERP', side: 'buy', amount: '0.5' },
  ...{ notional_value: '1600', avg_entry_price: '3190.123456', mark_price: '3200' },
  ...{ liquidation_price: '2880', unrealized_pnl: '4.938', initial_margin: '80' },
  accumulated_funding: '-0.0012',
} as unknown as shapes.PerpetualPosition
const EXITS = [
  { order_id: '1', stop: 'TAKE_PROFIT', trigger: '3500' },
  { order_id: '2', stop: 'STOP_LOSS', trigger: '3000.5' },
] as unknown as readonly shapes.Order[]
const FILL = {
  ...{ trade_id: '1', instrument_name: 'ETH-PERP', side: 'buy', price: '3190', amount: '0.5' },
  ...{ quote_amount: '1595', fees: '0.558250123', fee_asset: 'USDC', pnl: null },
  ...{ trade_type: 'trade', liquidity: 'taker', created_timestamp: '1700000000000000000' },
} as unknown as shapes.Fill
const PAID = {
  ...{ trade_id: '1', instrument_name: 'ETH-PERP', side: 'buy', amount: '0.5' },
  ...{ mark_price: '3200.123456789012345678', funding_rate: '0.0000125' },
  ...{ funding_payment: '-0.020000771604938271', created_timestamp: '1700000000000000000' },
} as unknown as shapes.FundingPayment

describe('the rows of the tables', () => {
  test('a position has its profit in percent of its margin, and the distance to liquidation', () => {
    const texts = textsOf(positionRow(POSITION, 2, EXITS))
    assert.equal(texts[5], '2,880.00 (-10.00%)')
    assert.equal(texts[6], '+4.93 (+6.17%)')
    assert.equal(texts[8], '0.00', 'no sign without a digit')
    assert.equal(texts[9], 'TP 3,500.00 · SL 3,000.50')
    assert.deepEqual(positionRow(POSITION, 2, EXITS).edits, [
      { id: '1', name: 'TP' },
      { id: '2', name: 'SL' },
    ])
  })

  test('a position of a file has no percentages, and its exact numbers', () => {
    const texts = textsOf(positionRow(POSITION))
    assert.deepEqual(texts.slice(3, 7), ['3,190.123456', '3,200', '2,880', '+4.93'])
  })

  test('fees and payments have four decimals, and all of them in a file', () => {
    assert.equal(textsOf(fillRow(FILL, digitsOf))[5], '0.5582 USDC')
    assert.equal(textsOf(fillRow(FILL))[5], '0.558250123 USDC')
    assert.deepEqual(textsOf(fundingRow(PAID, digitsOf)).slice(3, 6), [
      ...['3,200.12', '+0.0012%', '-0.0200'],
    ])
    assert.deepEqual(textsOf(fundingRow(PAID)).slice(3, 6), [
      ...['3,200.123456789012345678', '+0.0012%', '-0.020000771604938271'],
    ])
  })
})

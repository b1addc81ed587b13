import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { NO_BUYING_POWER } from '../../tables/table-protocol.ts'
import { sizeFor, viewBuyingPower } from './buying-power.ts'

const PERP = {
  ...{ instrument_name: 'ETH-PERP', instrument_type: 'PERPETUAL', quote_asset: 'USDC' },
  ...{ amount_step: '0.0001', taker_fee: '0.001', max_leverage: '20' },
  mark_price: '1',
} as shapes.Market
const SPOT = {
  ...{ instrument_name: 'ETH-USDC', instrument_type: 'SPOT', quote_asset: 'USDC' },
} as shapes.Market
const ACCOUNT = {
  available_balance: '1000',
  ...{ leverages: [{ instrument_name: 'ETH-PERP', leverage: '10' }], positions: [] },
  collaterals: [
    { instrument_type: 'SPOT', collateral_asset: 'USDC', available_balance: '1234.567' },
    { instrument_type: 'PERPETUAL', collateral_asset: 'USDC', available_balance: '1000' },
  ],
} as unknown as shapes.Account

describe('buying power', () => {
  test('buying power is free margin times leverage, less the fee, as 100 % of the form', () => {
    const { name, value, hint } = viewBuyingPower(ACCOUNT, PERP)
    // n / 10 + n * 0.001 = 1,000.
    assert.deepEqual([name, value], ['Max. position (10x)', '9,900.99 USDC'])
    assert.match(hint, /ETH-PERP/)
    const whole = { account: ACCOUNT, side: 'buy', isReduceOnly: false, percent: 100 } as const
    assert.equal(sizeFor({ ...whole, market: PERP, price: '1' }), '9900.99')
  })

  test('buying power uses the maximum leverage of the market if the account chose none', () => {
    const { name, value } = viewBuyingPower({ ...ACCOUNT, leverages: [] }, PERP)
    assert.deepEqual([name, value], ['Max. position (20x)', '19,607.84 USDC'])
  })

  test('buying power in a spot market is the free quote token', () => {
    const { name, value } = viewBuyingPower(ACCOUNT, SPOT)
    assert.deepEqual([name, value], ['Buying power', '1,234.56 USDC'])
  })

  test('buying power is zero without margin, and hidden without a market', () => {
    assert.equal(viewBuyingPower({ ...ACCOUNT, available_balance: '-7' }, PERP).value, '0.00 USDC')
    assert.deepEqual(viewBuyingPower(ACCOUNT, undefined), NO_BUYING_POWER)
  })
})

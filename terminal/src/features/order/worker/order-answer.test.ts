import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import type { OrderDraft } from '../order-protocol.ts'
import { viewPreview } from './order-answer.ts'
import { viewProblem } from './refusal-view.ts'

const MARKET = {
  instrument_type: 'PERPETUAL',
  quote_asset: 'USDC',
  price_step: '0.01',
  base_decimals: 18,
  quote_decimals: 18,
} as shapes.Market
const LIMIT = { type: 'limit' } as OrderDraft
const PREVIEW = {
  block_number: 1204,
  fills: [{ price: '3010', amount: '0.2', orders: 1, fees: '0.2107' }],
  ...{
    amount: '0.3',
    filled: '0.2',
    resting: '0.1',
    cancelled: '0',
    avg_price: '3013.333333333333333333',
  },
  ...{ worst_price: '3020', fees: '0.3164', position: '0.3', liquidation_price: null },
  margin: {
    before: { initial_margin: '15', available_margin: '9985' },
    after: {
      ...{ equity: '9995.6836', initial_margin: '45', maintenance_margin: '22.5' },
      available_margin: '9950.6836',
    },
  },
} as unknown as shapes.OrderPreview

describe('the preview and the refusals of an order', () => {
  test('the preview of an order is shown exactly, with the resulting balances', () => {
    const { facts, fills, block } = viewPreview(PREVIEW, MARKET, {
      ...{ side: 'buy', isTriggered: false },
    })
    const shown = Object.fromEntries(facts.map(({ name, value }) => [name, value]))
    assert.deepEqual(shown, {
      'Est. filled': '0.2 of 0.3',
      Resting: '0.1',
      'Est. avg. price': '3,013.3333',
      'Worst fill': '3,020.00',
      Fee: '0.3164 USDC',
      Position: '0.1 → 0.3',
      'Margin used': '15.00 → 45.00',
      Available: '9,985.00 → 9,950.68',
      'Liq. price': '—',
    })
    const hints = facts.filter(({ hint }) => hint !== undefined)
    assert.deepEqual(
      hints.map(({ name, hint }) => [name, hint]),
      [['Liq. price', 'collateral covers the whole position']],
    )
    assert.deepEqual(fills, [{ price: '3,010.00', amount: '0.2', fees: '0.2107' }])
    assert.equal(block, '1,204')
  })

  test('the preview of a fully filled order has the fee to four decimals, with its rate', () => {
    const whole = { ...PREVIEW, filled: '0.3', resting: '0', fees: '0.316412345' }
    const { facts } = viewPreview(
      whole,
      { ...MARKET, taker_fee: '0.00035' },
      {
        ...{ side: 'sell', isTriggered: true },
      },
    )
    const fact = (wanted: string) => facts.find(({ name }) => name === wanted)
    assert.equal(fact('Fee')?.value, '0.3164 USDC (0.035%)')
    assert.equal(fact('Position')?.value, '0.6 → 0.3')
    assert.equal(fact('Est. filled')?.hint, 'if triggered now')
  })

  test('the refusal of an order names the field at fault and its nearest legal value', () => {
    const rule = { code: 'X', message: 'Too small.' }
    const amount = { ...rule, field: 'amount', nearest: '500000000000000000' }
    assert.deepEqual(viewProblem(amount, LIMIT, MARKET), {
      field: 'amount',
      text: 'Too small.',
      nearest: ['0.5'],
    })
    const price = { ...rule, field: 'limit_price', nearest: '2900010000000000000000' }
    assert.deepEqual(viewProblem(price, LIMIT, MARKET).nearest, ['2900.01'])
    const named = { ...price, message: 'limit_price is below the best' }
    assert.equal(viewProblem(named, LIMIT, MARKET).text, 'Price is below the best.')
    const value = { ...LIMIT, amountUnit: 'quote' } as const
    assert.equal(viewProblem(amount, value, MARKET).amountUnit, 'base')
    const side = { ...rule, field: 'is_buy', nearest: 'false' }
    assert.deepEqual(viewProblem(side, LIMIT, MARKET).nearest, ['sell'])
    const flag = { ...rule, field: 'reduce_only', nearest: 'false' }
    assert.deepEqual(viewProblem(flag, LIMIT, MARKET).nearest, ['off'])
    const bounded = viewProblem(price, { ...LIMIT, type: 'market' }, MARKET)
    assert.deepEqual([bounded.field, bounded.nearest], [undefined, []])
  })
})

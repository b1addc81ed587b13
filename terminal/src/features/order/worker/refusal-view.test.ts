import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { refusalText, WRITTEN_CODES } from './refusal-view.ts'

const PERP = {
  instrument_type: 'PERPETUAL',
  ...{ underlying_asset: 'ETH', quote_asset: 'USDC', price_step: '0.01', amount_step: '0.0001' },
  ...{ min_order_value: '10', max_order_value: '1000000', is_active: true },
} as shapes.Market

/**
 * The error list behind `GET /errors`; read as a file, because the page does not depend on the API.
 */
const API = new URL('../../../../../api/src/http/', import.meta.url)
type Code = Readonly<{ message: string; retry: string }>
const readCodes = async (path: string, name: string) => {
  const { [name]: codes } = (await import(new URL(path, API).href)) as Record<string, unknown>
  return codes as Readonly<Record<string, Code>>
}

const FACTS: shapes.ProblemFacts = {
  ...{ minimum: '10', maximum: '1000000', room: '0.5', shortfall: '12.345', free: '3' },
  ...{ best_price: '3000.5', fillable: '0.2', position: '-1', mark_price: '3001' },
}

describe('the text of a refusal', () => {
  test('every code that refuses an order has a text', async () => {
    const codes = Object.keys(
      await readCodes('../../../wire/src/codes/order-codes.ts', 'ORDER_CODES'),
    )
    assert.ok(codes.length > 30)
    assert.deepEqual(
      codes.filter((code) => !WRITTEN_CODES.includes(code)),
      [],
    )
  })

  test('the text of every refusal is a sentence without names of API members', async () => {
    const codes = await readCodes('refusals.ts', 'REFUSALS')
    assert.ok(Object.keys(codes).length > 80)
    for (const [code, { message }] of Object.entries(codes))
      for (const facts of [{}, FACTS]) {
        const text = refusalText({ code, message, facts }, PERP)
        assert.match(text, /^[A-Z].*[.!?]$/, code)
        assert.doesNotMatch(text, /undefined|null|NaN|_| {2}| \.|\bfacts\b|\bdetails\b/, code)
        assert.ok(text.length <= 160, `${code}: ${text}`)
      }
  })

  test("the text of a refusal includes the venue's numbers in the units of the market", () => {
    const text = (code: string, market = PERP) =>
      refusalText({ code, message: 'x', facts: FACTS }, market)
    assert.match(text('INSUFFICIENT_MARGIN'), /12.34 USDC short/)
    assert.match(text('FOK_UNFILLABLE'), /0.2 ETH can/)
    assert.match(text('POST_ONLY_CROSS'), /3,000.50/)
    assert.match(text('INVALID_DIRECTION_REDUCE_ONLY'), /short.*buys/)
    const spot = { ...PERP, instrument_type: 'SPOT' } as const
    assert.doesNotMatch(text('INSTRUMENT_PAUSED', spot), /[Rr]educe/)
    assert.match(text('INSTRUMENT_PAUSED'), /[Rr]educe-only/)
  })

  test("the text of a refusal with an unknown code is the venue's own message", () => {
    const later = { code: 'A_LATER_ONE', message: 'limit_price is odd' }
    assert.equal(refusalText(later, PERP), 'Price is odd.')
  })
})

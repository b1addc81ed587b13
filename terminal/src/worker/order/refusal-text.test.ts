import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { refusalText, WRITTEN_CODES } from './refusal-text.ts'

const PERP = {
  instrument_type: 'PERPETUAL',
  ...{ underlying_asset: 'ETH', quote_asset: 'USDC', price_step: '0.01', amount_step: '0.0001' },
  ...{ min_order_value: '10', max_order_value: '1000000', is_active: true },
} as shapes.Market
const DRAFT = { side: 'buy', type: 'limit' } as const

/** The list that `GET /errors` is made of; the API is no package of the page's. */
const API = new URL('../../../../api/src/http/', import.meta.url)
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
  test('is written for every code by which an order is refused', async () => {
    const codes = Object.keys(await readCodes('codes/order-codes.ts', 'ORDER_CODES'))
    assert.ok(codes.length > 30)
    assert.deepEqual(
      codes.filter((code) => !WRITTEN_CODES.includes(code)),
      [],
    )
  })

  test('is a sentence without words of the interface, for every code that there is', async () => {
    const codes = await readCodes('refusals.ts', 'REFUSALS')
    assert.ok(Object.keys(codes).length > 80)
    for (const [code, { message }] of Object.entries(codes))
      for (const facts of [{}, FACTS]) {
        const text = refusalText({ code, message, facts }, DRAFT, PERP)
        assert.match(text, /^[A-Z].*[.!?]$/, code)
        assert.doesNotMatch(text, /undefined|null|NaN|_| {2}| \.|\bfacts\b|\bdetails\b/, code)
        assert.ok(text.length <= 160, `${code}: ${text}`)
      }
  })

  test('names the numbers that the venue gave, in the units of the market', () => {
    const text = (code: string, market = PERP) =>
      refusalText({ code, message: 'x', facts: FACTS }, DRAFT, market)
    assert.match(text('INSUFFICIENT_MARGIN'), /12.34 USDC is missing/)
    assert.match(text('FOK_UNFILLABLE'), /0.2 ETH can/)
    assert.match(text('POST_ONLY_CROSS'), /3,000.50/)
    assert.match(text('INVALID_DIRECTION_REDUCE_ONLY'), /short.*buys/)
    const spot = { ...PERP, instrument_type: 'SPOT' } as const
    assert.doesNotMatch(text('INSTRUMENT_PAUSED', spot), /[Rr]educe/)
    assert.match(text('INSTRUMENT_PAUSED'), /[Rr]educe-only/)
  })

  test('of a code that is not known here is the words of the venue', () => {
    const later = { code: 'A_LATER_ONE', message: 'limit_price is odd' }
    assert.equal(refusalText(later, DRAFT, PERP), 'Price is odd.')
  })
})

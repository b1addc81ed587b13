import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { writeLocalTime } from '../../../text/time-text.ts'
import type { OrderDraft } from '../order-protocol.ts'
import { planOrder } from './order-plan.ts'
import { describePlan, hintsOf, warningsOf } from './order-words.ts'

const MARKET = {
  instrument_name: 'ETH-PERP',
  instrument_type: 'PERPETUAL',
  ...{ underlying_asset: 'ETH', quote_asset: 'USDC' },
  price_step: '0.01',
  amount_step: '0.0001',
  mark_price: '3000',
  is_active: true,
} as shapes.Market
const CONTEXT = { market: MARKET, bestBid: '2999.5', bestAsk: '3000.5', nowSeconds: 1_800_000_000 }
const DRAFT: OrderDraft = {
  ...{ market: 'ETH-PERP', side: 'buy', type: 'limit', price: '2,990.50', trigger: '' },
  ...{
    amount: '0.5',
    slippage: '1',
    timeInForce: 'GTC',
    goodTil: '',
    amountUnit: 'base',
    isPostOnly: false,
  },
  ...{ isReduceOnly: false, takeProfit: '', stopLoss: '' },
}
const plan = (of: Partial<OrderDraft>) => planOrder({ ...DRAFT, ...of }, CONTEXT)
const problems = (of: Partial<OrderDraft>) =>
  plan(of).problems.map(({ field, nearest }) => [field, ...nearest])

describe('the plan of a draft', () => {
  test('the plan of a draft is the order as typed, including pasted commas', () => {
    assert.deepEqual(plan({}), {
      plan: {
        order: {
          market: 'ETH-PERP',
          side: 'buy',
          amount: '0.5',
          price: '2990.50',
          timeInForce: 'GTC',
        },
        exits: [],
      },
      problems: [],
    })
  })

  test('the plan rejects values between steps, and offers the adjacent steps', () => {
    assert.deepEqual(problems({ price: '2990.505' }), [['price', '2990.5', '2990.51']])
    assert.deepEqual(problems({ amount: '0.00005' }), [['amount', '0.0001']])
    assert.deepEqual(problems({ amount: '0' }), [['amount', '0.0001']])
    assert.deepEqual(problems({ amount: '', price: 'x' }), [['price'], ['amount']])
    assert.equal(plan({ price: '2990.505' }).plan, undefined)
  })

  test('a market order is bounded by its slippage, rounded so that it is never worse', () => {
    assert.equal(plan({ type: 'market' }).plan?.order.price, '3030.5')
    assert.equal(plan({ type: 'market', side: 'sell' }).plan?.order.price, '2969.51')
    assert.equal(plan({ type: 'market' }).plan?.order.timeInForce, 'IOC')
    assert.deepEqual(problems({ type: 'market', slippage: '50' }), [['slippage', '20']])
    const nobody = { ...CONTEXT, bestAsk: undefined, market: { ...MARKET, mark_price: null } }
    const { problems: rules } = planOrder({ ...DRAFT, type: 'market' }, nobody)
    assert.deepEqual(
      rules.map(({ field }) => field),
      ['type'],
    )
  })

  test('a stop is based on its trigger price, whatever price was typed before', () => {
    const { plan: stop } = plan({ type: 'stop', side: 'sell', trigger: '2900', price: 'x' })
    assert.deepEqual(stop?.order.trigger, { kind: 'STOP_LOSS', price: '2900' })
    assert.equal(stop?.order.price, '2871')
  })

  test('the plan rejects immediate post-only orders, and ends good-til at the chosen time', () => {
    assert.deepEqual(problems({ isPostOnly: true, timeInForce: 'IOC' }), [['isPostOnly']])
    const { plan: until } = plan({
      timeInForce: 'GTD',
      goodTil: writeLocalTime(1_800_007_200),
      isPostOnly: true,
    })
    assert.equal(until?.order.goodTilSeconds, 1_800_007_200)
    assert.equal(until?.order.postOnly, true)
    assert.deepEqual(problems({ timeInForce: 'GTD', goodTil: writeLocalTime(1_799_999_940) }), [
      ['goodTil', writeLocalTime(1_800_000_060)],
    ])
    const offered = [3_600, 86_400, 604_800].map((after) => writeLocalTime(1_800_000_000 + after))
    assert.deepEqual(problems({ timeInForce: 'GTD' }), [['goodTil', ...offered]])
  })

  test('IOC and FOK orders fill immediately at the typed price limit', () => {
    for (const timeInForce of ['IOC', 'FOK'] as const) {
      const { order } = plan({ timeInForce, goodTil: '2020-01-01T00:00' }).plan ?? {}
      assert.deepEqual(order, {
        ...{ market: 'ETH-PERP', side: 'buy', amount: '0.5', price: '2990.50', timeInForce },
      })
      assert.deepEqual(problems({ timeInForce, isPostOnly: true }), [['isPostOnly']])
      assert.equal(plan({ timeInForce, isReduceOnly: true }).plan?.order.reduceOnly, true)
    }
    const words = (of: Partial<OrderDraft>) => {
      const { plan: made } = plan(of)
      assert.ok(made)
      return describePlan(made, MARKET)
    }
    assert.match(
      words({ timeInForce: 'IOC' }),
      /immediate or cancel: any unfilled size is cancelled\.$/,
    )
    assert.match(words({ timeInForce: 'FOK' }), /fill or kill\.$/)
  })

  test('a take-profit has its own trigger kind, and its bound is relative to the trigger', () => {
    const { plan: made } = plan({ type: 'take-profit', side: 'sell', trigger: '3,100' })
    assert.deepEqual(made?.order.trigger, { kind: 'TAKE_PROFIT', price: '3100' })
    assert.equal(made?.order.price, '3069')
    assert.equal(made?.order.timeInForce, 'IOC')
  })

  test('a quote amount is converted at the price limit, rounded down to a step', () => {
    const value = { amountUnit: 'quote', amount: '1,000' } as const
    assert.equal(plan(value).plan?.order.amount, '0.3343')
    assert.equal(plan({ ...value, type: 'market' }).plan?.order.amount, '0.3299')
    assert.deepEqual(problems({ ...value, amount: '0.1' }), [['amount', '0.29905']])
    assert.deepEqual(problems({ ...value, price: '' }), [['price']])
    const { plan: made } = plan(value)
    assert.ok(made)
    const { amount } = hintsOf(made, { ...DRAFT, ...value }, MARKET)
    assert.equal(amount, '0.3343 ETH = 999.72415 USDC')
  })

  test('an order waits for its trigger no longer than its signing key lives', () => {
    const stop = { type: 'stop', side: 'sell', trigger: '2900' } as const
    assert.equal(plan(stop).plan?.order.deadlineSeconds, 1_800_604_800)
    const context = { ...CONTEXT, keyExpirySeconds: 1_800_086_400 }
    const made = planOrder({ ...DRAFT, ...stop }, context).plan
    assert.equal(made?.order.deadlineSeconds, 1_800_086_400)
    const late = { ...stop, timeInForce: 'GTD', goodTil: writeLocalTime(1_800_172_800) } as const
    const [problem] = planOrder({ ...DRAFT, ...late }, context).problems
    assert.deepEqual(problem?.nearest, [writeLocalTime(1_800_086_400)])
    const exits = planOrder({ ...DRAFT, stopLoss: '2900' }, context).plan?.exits
    assert.equal(exits?.[0]?.deadlineSeconds, 1_800_086_400)
  })

  test('a bracket has two exits on the other side, each beyond the entry price', () => {
    const { plan: bracket } = plan({ takeProfit: '3200', stopLoss: '2900' })
    assert.deepEqual(
      bracket?.exits.map(({ side, price, reduceOnly, trigger }) => ({
        ...{ side, price, reduceOnly },
        kind: trigger?.kind,
      })),
      [
        { side: 'sell', price: '3168', reduceOnly: true, kind: 'TAKE_PROFIT' },
        { side: 'sell', price: '2871', reduceOnly: true, kind: 'STOP_LOSS' },
      ],
    )
    assert.deepEqual(problems({ takeProfit: '2900', stopLoss: '3100' }), [
      ['takeProfit', '2990.51'],
      ['stopLoss', '2990.49'],
    ])
    assert.deepEqual(problems({ side: 'sell', takeProfit: '2900', stopLoss: '3100' }), [])
  })
})

describe('the description of an order', () => {
  const words = (of: Partial<OrderDraft>) => {
    const { plan: made } = plan(of)
    assert.ok(made)
    return describePlan(made, MARKET)
  }

  test('the description of an order has side, amount, price limit, value and time in force', () => {
    assert.equal(
      words({}),
      'Buy 0.5 ETH-PERP for up to 2,990.50 per ETH, 1,495.25 USDC in total; good til cancelled.',
    )
    assert.match(words({ side: 'sell', isReduceOnly: true }), /at least .*; reduce-only/)
    assert.match(words({ timeInForce: 'FOK' }), /fill or kill/)
  })

  test('the description of an order has the trigger and the exits', () => {
    const stop = words({ type: 'stop', side: 'sell', trigger: '2900' })
    assert.match(stop, /^Triggers at mark 2,900.00: sell 0.5 ETH-PERP for at least 2,871.00/)
    const bracket = words({ takeProfit: '3200', stopLoss: '2900' })
    assert.match(bracket, /take profit at mark 3,200.00 .* or stop .*, whichever comes first/)
  })

  test('the description of an order ends with a warning if it triggers immediately', () => {
    const warnings = (of: Partial<OrderDraft>) => {
      const { plan: made } = plan(of)
      assert.ok(made)
      return warningsOf(made, CONTEXT).length
    }
    assert.equal(warnings({}), 0)
    assert.equal(warnings({ type: 'stop', side: 'sell', trigger: '2900' }), 0)
    assert.equal(warnings({ type: 'stop', side: 'sell', trigger: '3100' }), 1)
    assert.equal(warnings({ type: 'take-profit', side: 'sell', trigger: '3000' }), 1)
  })
})

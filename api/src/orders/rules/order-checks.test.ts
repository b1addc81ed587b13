import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderKey as keyOf } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import {
  accountWallet,
  LISTINGS,
  type MarketName,
  PERP_PARAMETERS,
} from '@openvenue/core/test/scenario/listing'
import {
  SCENARIO_START_SECONDS,
  type Scenario,
  scenario,
} from '@openvenue/core/test/scenario/scenario'
import { ORDER_SETTINGS, orderModel } from '../../../test/order-model.ts'
import { parseOrder } from './order-body.ts'
import { checkOrder } from './order-checks.ts'

const PERP = LISTINGS['ETH-PERP']
const SPOT = LISTINGS['ETH-USDC']
const NOW = SCENARIO_START_SECONDS
const chainId = (market: string, number: number) =>
  `${market}${number.toString(16).padStart(16, '0')}`

/** Bids at 2,990 and 2,980, asks at 3,010 and 3,020; alice has 1,000 of collateral. */
const perpScenario = () =>
  scenario()
    .index('ETH', 3_000n * E18)
    .list('ETH-PERP')
    .deposit('maker', 'USDC', 1_000_000n)
    .deposit('alice', 'USDC', 1_000n)
    .poke()
    .place('maker', 'buy', 29_900, 1_000n)
    .place('maker', 'buy', 29_800, 1_000n)
    .place('maker', 'sell', 30_100, 1_000n)
    .place('maker', 'sell', 30_200, 1_000n)

const spotScenario = () =>
  scenario()
    .list('ETH-USDC')
    .deposit('maker', 'ETH', 100n)
    .deposit('maker', 'USDC', 100_000n)
    .deposit('alice', 'USDC', 1_000n)
    .deposit('alice', 'ETH', 1n)
    .place('maker', 'buy', 299_000, 10_000n)
    .place('maker', 'sell', 301_000, 10_000n)

type OrderInput = Readonly<Record<string, unknown> & { tick?: number; lots?: bigint }>

/** Returns what refuses an order of alice: by default a bid of 0.1 at 2,990. */
function check(played: Scenario, wish: OrderInput = {}, name: MarketName = 'ETH-PERP') {
  const { model } = orderModel(played.blocks())
  const listing = LISTINGS[name]
  const account = played.accountOf('alice')
  const {
    tick = listing.isPerp ? 29_900 : 299_000,
    lots = listing.isPerp ? 100n : 1_000n,
    ...body
  } = wish
  const parsed = parseOrder(
    {
      instrument: name,
      maker: accountWallet(account),
      is_buy: true,
      limit_price: (BigInt(tick) * listing.priceStep).toString(),
      amount: (lots * listing.amountStep).toString(),
      salt: '1',
      deadline: NOW + 3_600,
      ...body,
    },
    { model, settings: ORDER_SETTINGS, isSignatureOptional: true },
  )
  const nowSeconds = model.head?.seconds ?? 0
  return checkOrder({ model, account, nowSeconds }, parsed)
}
const first = (...args: Parameters<typeof check>) => {
  const [found] = check(...args)
  return found ?? assert.fail('the order is refused')
}
const codes = (...args: Parameters<typeof check>) => check(...args).map(({ code }) => code)

describe('whatever the book holds, an order is refused', () => {
  test('an order is refused when its price or amount is off the step, with the two nearest', () => {
    const price = first(perpScenario(), { limit_price: `${2_990n * E18 + E18 / 50n}` })
    assert.equal(price.code, 'INVALID_PRICE_STEP_SIZE')
    assert.equal(price.nearest, `${2_990n * E18}`)
    assert.deepEqual(price.facts, {
      step: `${E18 / 10n}`,
      lower: `${2_990n * E18}`,
      upper: `${2_990n * E18 + E18 / 10n}`,
    })
    const amount = first(perpScenario(), { amount: `${E18 / 10n + E18 / 1_500n}` })
    assert.equal(amount.code, 'INVALID_AMOUNT_STEP_SIZE')
    assert.equal(amount.nearest, `${E18 / 10n + E18 / 1_000n}`)
  })

  test('an order is refused when no tick or lot has its price or amount', () => {
    const price = first(perpScenario(), { tick: 2 ** 24 - 1 })
    assert.deepEqual([price.code, price.field], ['INVALID_PARAMETER', 'limit_price'])
    assert.equal(price.nearest, (BigInt(2 ** 24 - 2) * PERP.priceStep).toString())
    const amount = first(perpScenario(), { amount: 0 })
    assert.deepEqual([amount.field, amount.nearest], ['amount', PERP.amountStep.toString()])
  })

  test('an order is refused when it is worth less or more than the market takes, with the nearest amount', () => {
    // One lot at a tick of 1 is worth 0.0001.
    const small = first(perpScenario(), { tick: 1, lots: 9_999n })
    assert.equal(small.code, 'BELOW_MIN_ORDER_VALUE')
    assert.equal(small.value, '0.9999')
    assert.equal(small.facts?.minimum, '1')
    assert.equal(small.nearest, (10_000n * PERP.amountStep).toString())
    const least = codes(perpScenario(), { tick: 1, lots: 10_000n })
    assert.ok(!least.includes('BELOW_MIN_ORDER_VALUE'))
    const large = first(perpScenario(), { lots: 3_344_482n })
    assert.equal(large.code, 'EXCEED_MAX_ORDER_VALUE')
    assert.equal(large.nearest, (3_344_481n * PERP.amountStep).toString())
  })

  test('an order is refused when its deadline has passed, or its good-til time comes too soon', () => {
    const late = first(perpScenario(), { deadline: NOW - 1 })
    assert.equal(late.code, 'ORDER_TIMED_OUT')
    assert.equal(late.facts?.block_time, String(NOW))
    assert.deepEqual(codes(perpScenario(), { deadline: NOW }), [])
    const soon = first(perpScenario(), { good_til: NOW + 4 })
    assert.deepEqual([soon.code, soon.nearest], ['ORDER_EXPIRED', String(NOW + 5)])
    assert.deepEqual(codes(perpScenario(), { good_til: NOW + 5 }), [])
    // An order that cannot rest may end at once.
    const ioc = { time_in_force: 'IOC', tick: 30_100, good_til: NOW }
    assert.deepEqual(codes(perpScenario(), ioc), [])
  })

  test('an order is refused when its market is halted, unless it reduces', () => {
    const halted = () =>
      perpScenario().say({ type: 'Halted', market: PERP.id, halted: true } as never)
    assert.equal(first(halted()).code, 'INSTRUMENT_PAUSED')
    const reduces = halted().next()
    assert.equal(first(reduces, { reduce_only: true }).code, 'NO_POSITION_REDUCE_ONLY')
    const atSpot = first(spotScenario(), { reduce_only: true }, 'ETH-USDC')
    assert.deepEqual([atSpot.field, atSpot.nearest], ['reduce_only', 'false'])
  })

  test('an order is refused when its market has ended, even if it reduces', () => {
    const end = { type: 'Ended', market: PERP.id, mark: 3_000n * E18, fundingIndex: 0n } as const
    for (const reduce_only of [false, true]) {
      const { code, message } = first(perpScenario().say(end), { reduce_only })
      assert.equal(code, 'INSTRUMENT_PAUSED')
      assert.match(message, /has ended/)
    }
  })
})

describe('by what rests, an order is refused', () => {
  test('an order is refused when it is post-only and would trade, with the nearest price that rests', () => {
    const bid = first(perpScenario(), { post_only: true, tick: 30_150 })
    assert.equal(bid.code, 'POST_ONLY_CROSS')
    assert.equal(bid.facts?.best_price, '3010')
    assert.equal(bid.nearest, (30_099n * PERP.priceStep).toString())
    assert.deepEqual(codes(perpScenario(), { post_only: true, tick: 30_099 }), [])
    const ask = first(perpScenario(), { post_only: true, is_buy: false, tick: 29_900 })
    assert.equal(ask.nearest, (29_901n * PERP.priceStep).toString())
    assert.deepEqual(codes(perpScenario(), { post_only: true, is_buy: false, tick: 29_901 }), [])
  })

  test('an order is refused when it is FOK and larger than what is there, with what is', () => {
    const wish = { time_in_force: 'FOK', tick: 30_100 }
    const found = first(perpScenario().deposit('alice', 'USDC', 1_000_000n), {
      ...wish,
      lots: 1_001n,
    })
    assert.equal(found.code, 'FOK_UNFILLABLE')
    assert.equal(found.facts?.fillable, '1')
    assert.equal(found.nearest, `${E18}`)
    assert.deepEqual(
      codes(perpScenario().deposit('alice', 'USDC', 1_000_000n), { ...wish, lots: 1_000n }),
      [],
    )
  })

  test('an order is refused when it is IOC and meets nothing, with the price that would', () => {
    const found = first(perpScenario(), { time_in_force: 'IOC', tick: 30_099 })
    assert.equal(found.code, 'IOC_ORDER_REJECTED')
    assert.equal(found.nearest, (30_100n * PERP.priceStep).toString())
    assert.deepEqual(codes(perpScenario(), { time_in_force: 'IOC', tick: 30_100 }), [])
    const empty = scenario()
      .index('ETH', 3_000n * E18)
      .list('ETH-PERP')
      .poke()
    assert.equal(
      first(empty.deposit('alice', 'USDC', 1_000n), { time_in_force: 'IOC' }).nearest,
      undefined,
    )
  })

  test('an order is refused when all that it would meet is beyond the band, with the band', () => {
    const far = () =>
      scenario()
        .index('ETH', 3_000n * E18)
        .list('ETH-PERP')
        .deposit('maker', 'USDC', 1_000_000n)
        .deposit('alice', 'USDC', 100_000n)
        .poke()
        .place('maker', 'sell', 33_100, 10n)
    const found = first(far(), { tick: 34_000 })
    assert.equal(found.code, 'EXCEED_TRADE_PRICE_BAND')
    assert.deepEqual(found.facts, { minimum: '2700', maximum: '3300' })
    assert.equal(found.nearest, (33_000n * PERP.priceStep).toString())
    // An order that does not cross may rest there.
    assert.deepEqual(codes(far(), { tick: 33_099 }), [])
  })

  test('an order is refused by its own orders only where they are dropped', () => {
    const own = () => perpScenario().place('alice', 'sell', 30_000, 100n)
    assert.equal(first(own(), { post_only: true, tick: 30_000 }).code, 'POST_ONLY_CROSS')
    assert.equal(first(own(), { time_in_force: 'IOC', tick: 30_000 }).code, 'IOC_ORDER_REJECTED')
    assert.deepEqual(codes(own(), { tick: 30_000 }), [])
  })
})

describe('by what the account has, an order is refused', () => {
  test('an order is refused at spot when too little is free, with what would do', () => {
    // 0.1 at 2,990 is 299: alice has 1,000.
    assert.deepEqual(codes(spotScenario(), {}, 'ETH-USDC'), [])
    const bid = first(spotScenario(), { lots: 4_000n }, 'ETH-USDC')
    assert.equal(bid.code, 'SPOT_NO_QUOTE_BALANCE')
    assert.deepEqual(bid.facts, { free: '1000', needed: '1196', shortfall: '196' })
    assert.equal(bid.nearest, (3_344n * SPOT.amountStep).toString())
    const ask = first(spotScenario(), { is_buy: false, lots: 10_001n, tick: 310_000 }, 'ETH-USDC')
    assert.equal(ask.code, 'SPOT_NO_BASE_BALANCE')
    assert.deepEqual(ask.facts, { free: '1', needed: '1.0001', shortfall: '0.0001' })
    assert.equal(ask.nearest, `${E18}`)
    assert.match(ask.message, /^Insufficient ETH balance: the order requires 1\.0001, /)
  })

  test('an order is refused at spot by what it fills, at the price of the makers, and no more for what cannot rest', () => {
    // 0.33 at 3,010 is 993.3; at its limit it would be 1,023.
    const wish = { lots: 3_300n, tick: 310_000 }
    assert.deepEqual(codes(spotScenario(), wish, 'ETH-USDC'), [])
    // 1 of 2 are there.
    const rich = () => spotScenario().deposit('alice', 'USDC', 2_100n)
    const half = { lots: 20_000n, tick: 301_000 }
    assert.deepEqual(codes(rich(), { ...half, time_in_force: 'IOC' }, 'ETH-USDC'), [])
    assert.equal(first(rich(), half, 'ETH-USDC').code, 'SPOT_NO_QUOTE_BALANCE')
  })

  test('an order is refused when its margin would not suffice, with equity, margin and what is missing', () => {
    // At 20: 6.6 at a mark of 3,000 ask for 990, 6.7 for 1,005.
    assert.deepEqual(codes(perpScenario(), { lots: 6_600n }), [])
    const found = first(perpScenario(), { lots: 6_700n })
    assert.equal(found.code, 'INSUFFICIENT_MARGIN')
    assert.deepEqual(found.facts, { equity: '1000', required: '1005', shortfall: '5' })
    // Fills at 3,010 and 3,020 cost 30 against the mark, and their fees.
    assert.deepEqual(first(perpScenario(), { lots: 6_500n, tick: 30_200 }).facts, {
      equity: '967.8895',
      required: '975',
      shortfall: '7.1105',
    })
    assert.deepEqual(codes(perpScenario(), { lots: 6_400n, tick: 30_200 }), [])
  })

  test('an order is refused when it is below its maintenance margin, and not only reduces', () => {
    const fallen = perpScenario()
      .order({ who: 'alice', side: 'buy', tick: 30_200, lots: 2_000n })
      .next()
      .index('ETH', 2_550n * E18)
    assert.deepEqual(codes(fallen).slice(0, 1), ['ACCOUNT_LIQUIDATION'])
    const sells = { is_buy: false, reduce_only: true, tick: 29_900 }
    assert.ok(!codes(fallen, sells).includes('ACCOUNT_LIQUIDATION'))
  })

  test('an order is refused when position and orders would exceed what an account may have', () => {
    const rich = () => perpScenario().deposit('alice', 'USDC', 100_000_000n)
    const most = PERP_PARAMETERS.maxNotionalValue / (3n * E18)
    const bids = (lots: bigint) => ({ lots, tick: 29_000 })
    const owner = rich()
    for (let i = 0; i < 5; i++) owner.place('alice', 'buy', 28_000, 3_333_333n)
    assert.deepEqual(codes(owner, bids(most - 5n * 3_333_333n)), [])
    const found = first(owner, bids(most - 5n * 3_333_333n + 10n))
    assert.equal(found.code, 'EXCEEDS_MAX_NOTIONAL')
    assert.equal(found.nearest, ((most - 5n * 3_333_333n) * PERP.amountStep).toString())
  })

  test('an order is refused when it is reduce-only and has nothing to reduce', () => {
    const long = () => perpScenario().order({ who: 'alice', side: 'buy', tick: 30_100, lots: 100n })
    const wish = { reduce_only: true, is_buy: false, tick: 31_000 }
    const flat = first(perpScenario(), wish)
    assert.deepEqual([flat.code, flat.nearest], ['NO_POSITION_REDUCE_ONLY', undefined])
    const same = first(long(), { ...wish, is_buy: true, tick: 29_000 })
    assert.equal(same.code, 'INVALID_DIRECTION_REDUCE_ONLY')
    assert.deepEqual(same.facts, { position: '0.1' })
    assert.deepEqual(codes(long(), wish), [])
    const taken = long().order({
      who: 'alice',
      side: 'sell',
      tick: 31_000,
      lots: 100n,
      isReduceOnly: true,
    })
    assert.equal(first(taken, wish).code, 'ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY')
    // Cut to what is left, it need not be as small as the position.
    assert.deepEqual(codes(long(), { ...wish, lots: 5_000n }), [])
  })
})

describe('an order that replaces another', () => {
  const resting = () => perpScenario().place('alice', 'buy', 29_000, 6_000n)
  const number = 5
  const replaces = chainId(PERP.id, number)

  test('an order that replaces another has what that one held', () => {
    assert.equal(first(resting(), { lots: 6_000n }).code, 'INSUFFICIENT_MARGIN')
    assert.deepEqual(codes(resting(), { lots: 6_600n, replaces }), [])
    const spot = spotScenario().place('alice', 'buy', 290_000, 3_000n)
    const wish = { lots: 3_300n, tick: 290_000 }
    assert.equal(first(spot, wish, 'ETH-USDC').code, 'SPOT_NO_QUOTE_BALANCE')
    assert.deepEqual(codes(spot, { ...wish, replaces: chainId(SPOT.id, 3) }, 'ETH-USDC'), [])
  })

  test('an order that replaces another is of its market, side and account, and that one rests', () => {
    assert.equal(
      first(resting(), { replaces, is_buy: false, tick: 31_000 }).code,
      'EDIT_ORDER_CANNOT_CHANGE_DIRECTION',
    )
    const both = resting().list('ETH-USDC').on('ETH-PERP')
    assert.equal(
      first(both, { replaces: chainId(SPOT.id, 1) }).code,
      'EDIT_ORDER_DIFFERENT_INSTRUMENT',
    )
    for (const other of [chainId(PERP.id, 1), chainId(PERP.id, 99), `0x${'77'.repeat(32)}`])
      assert.equal(first(resting(), { replaces: other }).code, 'ORDER_DOES_NOT_EXIST')
  })

  test('an order that replaces another is held against what is left of it once the fills of that one are taken off', () => {
    // 6,000 rest of 9,000: 3,000 have filled since it was signed.
    const replaces_amount = `${9_000n * PERP.amountStep}`
    assert.deepEqual(codes(resting(), { lots: 9_600n, replaces, replaces_amount }), [])
    assert.equal(
      first(resting(), { lots: 9_700n, replaces, replaces_amount }).code,
      'INSUFFICIENT_MARGIN',
    )
    const usedUp = { lots: 3_000n, replaces, replaces_amount }
    const { code, field, nearest } = first(resting(), usedUp)
    assert.deepEqual([code, field], ['BELOW_MIN_ORDER_VALUE', 'amount'])
    assert.equal(nearest, `${3_001n * PERP.amountStep}`)
    assert.deepEqual(codes(resting(), usedUp), ['BELOW_MIN_ORDER_VALUE'])
  })

  test('an order that replaces another is not the same order', () => {
    const { model } = orderModel(resting().blocks())
    const wish = { replaces, tick: 29_000 }
    const parsed = parseOrder(
      {
        instrument: 'ETH-PERP',
        maker: accountWallet(4),
        is_buy: true,
        limit_price: `${29_000n * PERP.priceStep}`,
        amount: `${E18}`,
        salt: '1',
        deadline: NOW + 60,
        replaces: wish.replaces,
      },
      { model, settings: ORDER_SETTINGS, isSignatureOptional: true },
    )
    const old = model.state.records.order.get(keyOf(PERP.id, number))
    assert.ok(old !== undefined)
    const same = { ...parsed, digest: old.ref ?? '' }
    model.state.records.order.set(keyOf(PERP.id, number), { ...old, ref: same.digest })
    const found = checkOrder({ model, account: old.account, nowSeconds: NOW }, same)
    assert.equal(found[0]?.code, 'EDIT_ORDER_SAME_ID')
  })
})

test('an order that waits for a trigger or its parent is held only against what cannot change', () => {
  const poor = { lots: 100_000n, stop: 'STOP_LOSS', trigger: `${2_000n * E18}` }
  assert.deepEqual(codes(perpScenario(), poor), [])
  assert.deepEqual(
    codes(perpScenario(), { lots: 100_000n, parent_order_id: `0x${'11'.repeat(32)}` }),
    [],
  )
  assert.equal(first(perpScenario(), { ...poor, lots: 0n }).field, 'amount')
})

test('a thousand checks against a deep book take microseconds each', () => {
  const deep = perpScenario().deposit('alice', 'USDC', 1_000_000n)
  for (let tick = 0; tick < 300; tick++) deep.place('maker', 'sell', 30_300 + tick, 1n)
  const { model } = orderModel(deep.blocks())
  const parsed = parseOrder(
    {
      instrument: 'ETH-PERP',
      maker: accountWallet(deep.accountOf('alice')),
      is_buy: true,
      limit_price: `${32_000n * PERP.priceStep}`,
      amount: `${3n * E18}`,
      salt: '1',
      deadline: NOW + 60,
    },
    { model, settings: ORDER_SETTINGS, isSignatureOptional: true },
  )
  const facts = { model, account: deep.accountOf('alice'), nowSeconds: NOW }
  for (let i = 0; i < 200; i++) checkOrder(facts, parsed)
  const began = process.hrtime.bigint()
  for (let i = 0; i < 1_000; i++) checkOrder(facts, parsed)
  const microseconds = Number(process.hrtime.bigint() - began) / 1e6
  // It meets 100 makers, the most; a loose bound, for a machine that does other things.
  assert.ok(microseconds < 1_000, `${microseconds} us`)
})

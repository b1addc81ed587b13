import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS, PERP_ENGINE } from '@openvenue/core/test/scenario/listing'
import { scenario } from '@openvenue/core/test/scenario/scenario'
import { OrderRequest } from '@openvenue/wire/order-entry'
import { Value } from 'typebox/value'
import { hashTypedData } from 'viem'
import { ORDER_SETTINGS, orderKey, orderModel, signDigest } from '../../../test/order-model.ts'
import { Refusal } from '../../http/refusals.ts'
import { type OrderContext, type ParsedOrder, parseOrder } from './order-body.ts'
import { NOTHING_REPLACED, orderTypedData } from './signed-order.ts'

const { model } = orderModel(
  scenario()
    .list('ETH-USDC')
    .index('ETH', 3_000n * E18)
    .list('ETH-PERP')
    .poke()
    .blocks(),
)
const CONTEXT: OrderContext = { model, settings: ORDER_SETTINGS, isSignatureOptional: true }
const PERP = LISTINGS['ETH-PERP']
const KEY = orderKey(5n)
const MAKER = `0x${'aB'.repeat(20)}`
const BODY = {
  instrument: 'ETH-PERP',
  maker: MAKER,
  is_buy: true,
  limit_price: (3_000n * E18).toString(),
  amount: (E18 / 10n).toString(),
  salt: '77',
  deadline: '1900000000',
}
const DIGEST = `0x${'5d'.repeat(32)}`

const parse = (members: object = {}, context = CONTEXT) =>
  parseOrder({ ...BODY, ...members }, context)

/** Returns the refusal of a body, whose message names the first field. */
function refused(members: object, context = CONTEXT): Refusal {
  try {
    parse(members, context)
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return error
  }
  return assert.fail(`${JSON.stringify(Object.keys(members))} is refused`)
}
const firstDetail = (members: object, context = CONTEXT) => {
  const refusal = refused(members, context)
  const [detail] = refusal.options.details ?? []
  return { code: refusal.code, ...detail }
}

describe('the members of an order', () => {
  test('the members of an order give the order that is signed, and what is left out is zero', () => {
    const { market, order, unsigned, signature } = parse()
    assert.equal(market.id, PERP.id)
    assert.equal(signature, undefined)
    assert.deepEqual(order, {
      account: MAKER.toLowerCase(),
      market: 1,
      isBuy: true,
      limitPrice: 3_000n * E18,
      amount: E18 / 10n,
      timeInForce: 0,
      reduceOnly: false,
      triggerKind: 0,
      triggerPrice: 0n,
      goodTil: 0n,
      maxFills: 0,
      replaces: NOTHING_REPLACED,
      replacesAmount: 0n,
      salt: 77n,
      deadline: 1_900_000_000n,
    })
    assert.deepEqual(unsigned, {
      clientOrderId: undefined,
      isMmp: false,
      isMarket: false,
      parentOrderId: undefined,
    })
  })

  test('the members of an order are all read', () => {
    const { order, unsigned } = parse({
      is_buy: false,
      post_only: true,
      reduce_only: true,
      stop: 'STOP_LOSS',
      trigger: (2_900n * E18).toString(),
      good_til: 1_800_000_000,
      max_fills: 9,
      replaces: DIGEST.toUpperCase().replace('X', 'x'),
      replaces_amount: (5n * E18).toString(),
      client_order_id: 'Ä-1 / a',
      mmp: true,
      parent_order_id: DIGEST,
      self_trade_prevention: 'EXPIRE_MAKER',
    })
    assert.deepEqual(
      { ...order, account: '', limitPrice: 0n, amount: 0n },
      {
        account: '',
        market: 1,
        isBuy: false,
        limitPrice: 0n,
        amount: 0n,
        timeInForce: 3,
        reduceOnly: true,
        triggerKind: 2,
        triggerPrice: 2_900n * E18,
        goodTil: 1_800_000_000n,
        maxFills: 9,
        replaces: DIGEST,
        replacesAmount: 5n * E18,
        salt: 77n,
        deadline: 1_900_000_000n,
      },
    )
    assert.deepEqual(unsigned, {
      clientOrderId: 'Ä-1 / a',
      isMmp: true,
      isMarket: false,
      parentOrderId: DIGEST,
    })
  })

  test('the members of an order take the market by name, 0x id and decimal id, under each of its names', () => {
    const ids = ['ETH-PERP', PERP.id, PERP.id.toUpperCase(), BigInt(PERP.id), `${BigInt(PERP.id)}`]
    for (const id of ids)
      for (const field of ['instrument', 'instrument_id', 'instrument_name']) {
        const { digest } = parse({ instrument: undefined, [field]: id })
        assert.equal(digest, parse().digest)
      }
    assert.equal(parse({ instrument_id: PERP.id }).digest, parse().digest)
  })

  test('the members of an order take integers as digits, numbers and exact integers', () => {
    for (const amount of ['100000000000000000', 100_000_000_000_000_000n])
      assert.equal(parse({ amount, salt: 77, deadline: 1_900_000_000 }).digest, parse().digest)
    assert.equal(parse({ salt: (2n ** 256n - 1n).toString() }).order.salt, 2n ** 256n - 1n)
  })

  test('the members of an order take the signature with and without 0x, and every way to write its last byte', async () => {
    const signature = await signDigest(KEY, parse().digest)
    const base = signature.slice(2, -2)
    const last = signature.slice(-2)
    for (const text of [
      signature,
      signature.slice(2),
      signature.toUpperCase().replace('X', 'x'),
      `0x${base}${last === '1b' ? '00' : '01'}`,
    ])
      assert.equal(parse({ signature: text }).signature, signature)
  })

  test('the members of an order of the family that mean nothing here are taken while they are empty or zero', () => {
    for (const empty of [undefined, null, '', 0, '0', '0.0', '0x0', false])
      for (const field of [
        'isolated_margin',
        'perps_plus',
        'builder_id',
        'builder_fee_rate',
        'close_position',
        'partial_position',
      ])
        assert.equal(parse({ [field]: empty }).digest, parse().digest)
    for (const timestamp of [1, '1700000000', 'now', undefined])
      assert.equal(parse({ timestamp }).digest, parse().digest)
  })

  test('the members time_in_force and post_only of an order give timeInForce', () => {
    const cases = [
      [{}, 0],
      [{ time_in_force: 'GTC' }, 0],
      [{ time_in_force: 'IOC', order_type: 'market' }, 1],
      [{ time_in_force: 'FOK', order_type: 'limit' }, 2],
      [{ time_in_force: 'GTC', post_only: true }, 3],
    ] as const
    for (const [members, expected] of cases)
      assert.equal(parse(members).order.timeInForce, expected)
  })

  test('the members stop and side of an order give triggerKind', () => {
    const cases = [
      ['STOP_LOSS', false, 2],
      ['TAKE_PROFIT', true, 2],
      ['STOP_LOSS', true, 1],
      ['TAKE_PROFIT', false, 1],
    ] as const
    for (const [stop, is_buy, kind] of cases)
      assert.equal(parse({ stop, is_buy, trigger: `${E18}` }).order.triggerKind, kind)
  })
})

describe('an order is refused', () => {
  test('an order is refused with the names of all members that are wrong', () => {
    const { options, code } = refused({ is_buy: 'yes', amount: -1, salt: 1.5, deadline: undefined })
    assert.equal(code, 'INVALID_PARAMETER')
    assert.deepEqual(
      options.details?.map(({ field, code }) => `${field} ${code}`),
      [
        'is_buy INVALID_PARAMETER',
        'amount INVALID_PARAMETER',
        'salt INVALID_PARAMETER',
        'deadline MISSING_PARAMETER',
      ],
    )
    assert.equal(options.details?.[1]?.nearest, '0')
  })

  test('an order is refused with the member that is unknown, by its name', () => {
    for (const field of ['limitPrice', 'hidden', '__proto__x', 'order_id'])
      assert.equal(firstDetail({ [field]: 1 }).message, `${field} is not a member of an order`)
    assert.equal(
      parse({ order_id: 'x' }, { ...CONTEXT, beside: ['order_id'] }).digest,
      parse().digest,
    )
  })

  test('an order is refused with each required member that is left out', () => {
    for (const field of [
      'maker',
      'is_buy',
      'limit_price',
      'amount',
      'salt',
      'deadline',
      'instrument',
    ])
      for (const empty of [undefined, null, ''])
        assert.deepEqual(
          { ...firstDetail({ [field]: empty }), message: '' },
          { field, code: 'MISSING_PARAMETER', message: '' },
        )
    const { code, field } = firstDetail({}, { model, settings: ORDER_SETTINGS })
    assert.deepEqual([code, field], ['MISSING_PARAMETER', 'signature'])
  })

  test('an order is refused when a time is in another unit, or without bound: with the same in seconds', () => {
    for (const field of ['deadline', 'good_til'])
      for (const [time, nearest] of [
        ['1900000000000', '1900000000'],
        ['1900000000000000000', '1900000000'],
        [(2n ** 256n - 1n).toString(), '1099511627775'],
        [-1, '0'],
        ['soon', undefined],
      ] as const) {
        const detail = firstDetail({ [field]: time })
        const { code, field: named } = detail
        assert.deepEqual([code, named, detail.nearest], ['INVALID_PARAMETER', field, nearest])
      }
  })

  test('an order is refused when a client order id is a segment that paths leave out', () => {
    for (const name of ['.', '..'])
      assert.equal(firstDetail({ client_order_id: name }).field, 'client_order_id')
    assert.equal(parse({ client_order_id: '...' }).unsigned.clientOrderId, '...')
  })

  test('an order is refused when it is not an object', () => {
    for (const body of [undefined, null, 5, 'x', [], [BODY]])
      assert.throws(() => parseOrder(body, CONTEXT), { code: 'INVALID_PARAMETER' })
  })

  test('an order is refused when the market is not known, or two names are of two markets', () => {
    for (const instrument of ['ETH', '1', `${PERP.id}00`, {}, [PERP.id, 1]])
      assert.equal(firstDetail({ instrument }).code, 'INSTRUMENT_NOT_FOUND')
    assert.equal(firstDetail({ instrument_id: 'ETH-USDC' }).field, 'instrument_id')
  })

  test('an order is refused when a member is of the wrong kind or beyond its bounds', () => {
    const wrong = {
      maker: 'x',
      limit_price: '1e18',
      amount: '0x10',
      salt: (2n ** 256n).toString(),
      good_til: (2n ** 40n).toString(),
      max_fills: 101,
      replaces: '0x12',
      parent_order_id: 'abc',
      time_in_force: 'GTD',
      order_type: 'stop',
      reduce_only: 'true',
      mmp: 1,
      client_order_id: 'x'.repeat(37),
      stop: 'TRAILING',
    }
    for (const [field, value] of Object.entries(wrong))
      assert.equal(firstDetail({ [field]: value }).field, field)
    assert.equal(firstDetail({ client_order_id: 'a\nb' }).field, 'client_order_id')
    assert.equal(firstDetail({ max_fills: 101 }).nearest, '100')
    assert.deepEqual(firstDetail({ time_in_force: 'GTD' }).allowed, ['GTC', 'IOC', 'FOK'])
  })

  test('an order is refused when its flags contradict each other', () => {
    const wrong = [
      [{ post_only: true, time_in_force: 'IOC' }, 'post_only'],
      [{ post_only: true, time_in_force: 'FOK' }, 'post_only'],
      [{ order_type: 'market' }, 'order_type'],
      [{ stop: 'STOP_LOSS' }, 'trigger'],
      [{ stop: 'STOP_LOSS', trigger: 0 }, 'trigger'],
      [{ trigger: `${E18}` }, 'stop'],
    ] as const
    for (const [members, field] of wrong) assert.equal(firstDetail(members).field, field)
  })

  test('an order is refused when it asks for another self-trade prevention than the contract has', () => {
    for (const self_trade_prevention of ['EXPIRE_TAKER', 'EXPIRE_NONE', 'x', 1]) {
      const { field, nearest } = firstDetail({ self_trade_prevention })
      assert.deepEqual([field, nearest], ['self_trade_prevention', 'EXPIRE_MAKER'])
    }
  })

  test('an order is refused when a member of the family without a meaning has one', () => {
    for (const field of ['isolated_margin', 'perps_plus', 'builder_id', 'close_position'])
      assert.equal(firstDetail({ [field]: field === 'isolated_margin' ? '5' : true }).field, field)
  })

  test('an order is refused when its integers look like six decimals, with what they should be', () => {
    const price = firstDetail({ limit_price: '3000000000' })
    assert.equal(price.code, 'INVALID_PRICE_STEP_SIZE')
    assert.equal(price.nearest, (3_000n * E18).toString())
    assert.match(price.message ?? '', /looks like six decimals: 3000 is/)
    const amount = firstDetail({ amount: '100000' })
    assert.equal(amount.code, 'INVALID_AMOUNT_STEP_SIZE')
    assert.equal(amount.nearest, (E18 / 10n).toString())
    assert.equal(
      firstDetail({ stop: 'STOP_LOSS', trigger: '2900000000' }).nearest,
      (2_900n * E18).toString(),
    )
    // Prices of the spot market have six decimals.
    const spot = { instrument: 'ETH-USDC', limit_price: '3000000000', amount: `${E18}` }
    assert.equal(parse(spot).order.limitPrice, 3_000_000_000n)
    assert.equal(firstDetail({ ...spot, amount: '1000000' }).nearest, `${E18}`)
  })

  test('an order is refused when its price is an extreme of the family, with the protected price to sign', () => {
    const buy = firstDetail({ limit_price: (2n ** 256n - 1n).toString(), time_in_force: 'IOC' })
    assert.equal(buy.nearest, (3_150n * E18).toString())
    const sell = firstDetail({ is_buy: false, limit_price: 0, time_in_force: 'IOC' })
    assert.equal(sell.nearest, (2_850n * E18).toString())
    assert.match(
      sell.message ?? '',
      /^limit_price is out of range: expected the worst price that you sign.* minus 5 % /,
    )
    const unpriced = firstDetail({ instrument: 'ETH-USDC', is_buy: false, limit_price: 0 })
    assert.equal(unpriced.field, 'limit_price')
    assert.equal(unpriced.nearest, undefined)
  })

  test('an order is refused when its signature is malformed, with the typed data and its digest', () => {
    const { digest } = parse()
    const highS = `0x${'11'.repeat(32)}${'ff'.repeat(32)}1b`
    for (const signature of [
      '0x',
      'ab',
      5,
      `0x${'11'.repeat(64)}`,
      `0x${'11'.repeat(65)}`,
      highS,
    ]) {
      const detail = firstDetail({ signature })
      assert.equal(detail.code, 'ORDER_BAD_SIGNATURE')
      assert.equal(detail.digest, digest)
      assert.equal(hashTypedData(detail.typed_data as never), digest)
    }
  })
})

test('the documented schema of an order accepts the body that is parsed', () => {
  assert.ok(Value.Check(OrderRequest, { ...BODY, stop: 'STOP_LOSS', trigger: '5' }))
  assert.ok(!Value.Check(OrderRequest, { ...BODY, hidden: 1 }))
  const parsed: ParsedOrder = parse()
  const typedData = orderTypedData(ORDER_SETTINGS, parsed.market, parsed.order)
  assert.equal(typedData.domain.verifyingContract, PERP_ENGINE)
  assert.equal(hashTypedData(typedData as never), parsed.digest)
})

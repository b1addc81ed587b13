import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ORDER_STATUSES } from '@openvenue/core/account-records'
import { E18 } from '@openvenue/core/integers'
import type { Market, Order } from '@openvenue/core/records'
import { Value } from 'typebox/value'
import { encodeHeldOrder, type HeldOrder } from './held-orders.ts'
import { encodeOrder, OrderItem } from './orders.ts'

const PERP: Market = {
  id: `0x${'ab'.repeat(20)}00000001`,
  engine: `0x${'ab'.repeat(20)}`,
  number: 1,
  name: 'ETH-PERP',
  type: 'PERPETUAL',
  asset: 'ETH',
  quoteAsset: 'USDC',
  baseToken: null,
  quoteToken: null,
  priceStep: E18 / 10n,
  amountStep: E18 / 1000n,
  quotePerLotTick: E18 / 10_000n,
  baseDecimals: 18,
  quoteDecimals: 18,
  minOrderValue: E18,
  maxOrderValue: 10n ** 6n * E18,
  maxNotionalValue: 10n ** 7n * E18,
  maxOpenInterest: 10n ** 12n,
  maxLeverage: 20,
  makerFee: 100,
  takerFee: 350,
  isHalted: false,
  isEnded: false,
  lossAccount: null,
  listedSeconds: 0,
}
const SPOT: Market = { ...PERP, type: 'SPOT', maxLeverage: null, makerFee: null, takerFee: null }
const DIGEST = `0x${'d1'.repeat(32)}`
const WALLET = `0x${'c3'.repeat(20)}`

const OPEN: Order = {
  market: PERP.id,
  number: 7,
  ref: null,
  account: 3,
  isBuy: true,
  tick: 30_000,
  lots: 10n,
  restingLots: 10n,
  filledLots: 0n,
  filledUnits: 0n,
  fees: 0n,
  timeInForce: 'GTC',
  isReduceOnly: false,
  isForced: false,
  goodTilSeconds: 0,
  status: 'open',
  reason: null,
  blockNumber: 5,
  logIndex: 1,
  txHash: `0x${'77'.repeat(32)}`,
  createdSeconds: 1_767_225_600,
  updatedSeconds: 1_767_225_660,
  isMarket: false,
  clientOrderId: null,
  parentRef: null,
  triggerKind: null,
  triggerPrice: null,
  replaces: null,
  replacedBy: null,
}

const HELD: HeldOrder = {
  digest: DIGEST,
  account: WALLET,
  state: 'received',
  isBuy: false,
  limitPrice: (3_000n * 10n ** 18n).toString(),
  amount: (10n ** 16n).toString(),
  timeInForce: 0,
  isMarket: false,
  reduceOnly: false,
  triggerKind: 2,
  triggerPrice: (2_900n * 10n ** 18n).toString(),
  goodTil: '0',
  deadline: '1800000000',
  clientOrderId: 'quote 1',
  parentId: undefined,
  edits: undefined,
  reason: { code: undefined, contractError: undefined },
  txHash: undefined,
  acceptedSeconds: 1_767_225_600,
  updatedNs: 1_767_225_600_000_000_000n,
}

function encoded(order: Partial<Order>, market = PERP, leverage = 0): OrderItem {
  const item = encodeOrder(market, { ...OPEN, ...order }, { account: WALLET, leverage })
  assert.ok(Value.Check(OrderItem, item))
  return item
}

const sizes = ({ amount, filled, remaining }: OrderItem) => [amount, filled, remaining]

describe('an order as JSON', () => {
  test('an order as JSON has its digest as id if it was signed, and always an id from its market and number', () => {
    const chainId = `0x${'ab'.repeat(20)}000000010000000000000007`
    const { order_id, chain_order_id } = encoded({ ref: DIGEST })
    assert.deepEqual([order_id, chain_order_id], [DIGEST, chainId])
    assert.equal(encoded({}).order_id, chainId)
  })

  test('an order as JSON has the status words of the API', () => {
    const statuses = ORDER_STATUSES.map((status) => encoded({ status }).order_status)
    assert.deepEqual(statuses, ['opened', 'partial', 'filled', 'cancelled'])
  })

  test('an order as JSON is a market order if placed as one, and a limit order otherwise', () => {
    const shown = (timeInForce: Order['timeInForce'], isMarket = false) => {
      const { order_type, time_in_force, post_only } = encoded({ timeInForce, isMarket })
      return [order_type, time_in_force, post_only]
    }
    assert.deepEqual(shown('IOC', true), ['market', 'IOC', false])
    assert.deepEqual(shown('IOC'), ['limit', 'IOC', false])
    assert.deepEqual(shown('FOK'), ['limit', 'FOK', false])
    assert.deepEqual(shown('GTC'), ['limit', 'GTC', false])
    assert.deepEqual(shown('POST_ONLY'), ['limit', 'GTC', true])
  })

  test('an order as JSON is marked as forced only if the contract placed it to close a position by force', () => {
    assert.equal(encoded({ isForced: true }).system_type, 'LIQUIDATION')
    assert.ok(!('system_type' in encoded({})))
  })

  test('an order as JSON is GTD if it has a good-til time, whether or not it is post-only', () => {
    for (const timeInForce of ['GTC', 'POST_ONLY'] as const) {
      const item = encoded({ timeInForce, goodTilSeconds: 1_800_000_000 })
      assert.equal(item.time_in_force, 'GTD')
      assert.equal(item.expires_timestamp, '1800000000000000000')
    }
    const ioc = encoded({ timeInForce: 'IOC', goodTilSeconds: 1_800_000_000 })
    assert.equal(ioc.time_in_force, 'IOC')
  })

  test('an order as JSON has amount = filled + remaining in every state', () => {
    assert.deepEqual(sizes(encoded({})), ['0.01', '0', '0.01'])
    const partial: Partial<Order> = { status: 'partial', filledLots: 4n, restingLots: 6n }
    assert.deepEqual(sizes(encoded(partial)), ['0.01', '0.004', '0.006'])
    // The order was reduced by 3 of its 10 lots while it rested.
    assert.deepEqual(sizes(encoded({ ...partial, restingLots: 3n })), ['0.007', '0.004', '0.003'])
    const filled: Partial<Order> = { status: 'filled', filledLots: 7n, restingLots: 0n }
    assert.deepEqual(sizes(encoded(filled)), ['0.007', '0.007', '0'])
    const cancelled: Partial<Order> = {
      status: 'cancelled',
      reason: 'USER',
      filledLots: 4n,
      restingLots: 0n,
    }
    assert.deepEqual(sizes(encoded(cancelled)), ['0.01', '0.004', '0.006'])
    assert.deepEqual(sizes(encoded({ ...cancelled, lots: 7n })), ['0.007', '0.004', '0.003'])
    assert.equal(encoded(cancelled).cancel_reason, 'USER')
  })

  test('an order as JSON has the average price of its fills, rounded down, and their fees', () => {
    const fills = { filledLots: 3n, filledUnits: 89_998n, restingLots: 7n, fees: -5n * 10n ** 14n }
    const { avg_price, fees, price } = encoded(fills)
    assert.deepEqual([avg_price, fees, price], ['2999.933333333333333333', '-0.0005', '3000'])
    assert.equal(encoded({}).avg_price, '0')
  })

  test('an order as JSON has an initial margin for its resting lots at the leverage in force, rounded up', () => {
    assert.equal(encoded({}).initial_margin, '1.5')
    assert.equal(encoded({}, PERP, 7).initial_margin, '4.285714285714285715')
    assert.equal(encoded({}, PERP, 50).initial_margin, '1.5')
    assert.equal(encoded({ restingLots: 0n, status: 'filled' }).initial_margin, '0')
    assert.ok(!('initial_margin' in encoded({}, SPOT)))
  })

  test('an order as JSON has the times of its first and its last block, in nanoseconds', () => {
    const { created_timestamp, timestamp, block_number } = encoded({})
    assert.equal(created_timestamp, '1767225600000000000')
    assert.equal(timestamp, '1767225660000000000')
    assert.equal(block_number, 5)
  })

  test('an order as JSON shows what the venue knows of it, on its way and for as long as the row exists', () => {
    const digest = `0x${'d1'.repeat(32)}`
    const [parent, old] = [`0x${'a1'.repeat(32)}`, `0x${'a2'.repeat(32)}`]
    const held = encodeHeldOrder(PERP, { ...HELD, digest, parentId: parent, edits: old })
    assert.ok(Value.Check(OrderItem, held))
    const names = { clientOrderId: 'quote 1', parentRef: parent, replaces: old }
    const trigger = { triggerKind: 2, triggerPrice: 2_900n * 10n ** 18n }
    const placed = {
      ...names,
      ...trigger,
      isBuy: false,
      ref: digest,
      updatedSeconds: 1_767_225_600,
    }
    const stop = { stop: 'STOP_LOSS', trigger: '2900', client_order_id: 'quote 1' }
    for (const item of [held, encoded(placed), encoded({ ...placed, status: 'filled' })])
      assert.deepEqual({ ...item, ...stop, parent_order_id: parent, replaces: old }, item)
    const differing = [
      'chain_order_id',
      'order_status',
      'tx_hash',
      'block_number',
      'initial_margin',
    ]
    const same = (item: OrderItem) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => !differing.includes(name)))
    assert.deepEqual(same(held), same(encoded(placed)))
    assert.deepEqual(Object.keys(held).sort(), Object.keys(encoded(placed)).sort())
  })

  test('an order as JSON has the reason REPLACED and the id of the edit, before and after it reaches the chain', () => {
    const by = `0x${'a3'.repeat(32)}`
    const gone = { status: 'cancelled', reason: 'USER', restingLots: 0n, replacedBy: by } as const
    const reason = { code: 'REPLACED', contractError: undefined, replacedBy: by }
    const held = encodeHeldOrder(PERP, { ...HELD, state: 'withdrawn', reason })
    for (const item of [encoded(gone), held])
      assert.deepEqual(
        [item.order_status, item.cancel_reason, item.replaced_by, item.error],
        ['cancelled', 'REPLACED', by, null],
      )
  })

  test('an order as JSON before the chain has it never has a time after that of its block', () => {
    for (const state of ['received', 'queued', 'sent', 'included'] as const) {
      const item = encodeHeldOrder(PERP, { ...HELD, state, updatedNs: 1_767_225_600_900_000_000n })
      assert.equal(item.created_timestamp, '1767225600000000000')
      assert.equal(item.timestamp, item.created_timestamp)
      assert.equal(item.closed_timestamp, null)
    }
    const ended = encodeHeldOrder(PERP, { ...HELD, state: 'expired', updatedNs: 1n })
    assert.equal(ended.closed_timestamp, ended.created_timestamp)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import type { Fill, FundingPayment, Market } from '@openvenue/core/records'
import { replay } from '@openvenue/core/test/scenario/replay'
import { scenario } from '@openvenue/core/test/scenario/scenario'
import { Value } from 'typebox/value'
import {
  encodeFill,
  encodeFundingPayment,
  FillItem,
  FundingItem,
  parseTradeTypes,
} from './fills.ts'

const WALLET = `0x${'a'.repeat(40)}`

const { state } = replay(
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .list('ETH-USDC')
    .blocks(),
)
const findMarket = (name: string): Market => {
  const market = [...state.records.market.values()].find((market) => market.name === name)
  assert.ok(market)
  return market
}
const perp = findMarket('ETH-PERP')
const spot = findMarket('ETH-USDC')

/** A purchase of 1 ETH at 3000 from flat. */
const perpFill: Fill = {
  id: '000000000007-000002-t',
  account: 3,
  market: perp.id,
  kind: 'trade',
  unit: null,
  liquidationFee: 0n,
  orderNumber: 5,
  ref: null,
  timeInForce: 'GTC',
  isBuy: true,
  isMaker: false,
  tick: 30_000,
  lots: 1000n,
  fee: (3000n * E18 * 350n) / 1_000_000n,
  orderFilledLots: 1000n,
  orderStatus: 'filled',
  heldLots: 0n,
  heldQuote: 0n,
  closedLots: 0n,
  realised: 0n,
  mark: 3001n * E18,
  index: 2999n * E18,
  blockNumber: 7,
  logIndex: 2,
  txHash: '0x07',
  seconds: 1_767_225_600,
  isMarket: false,
  clientOrderId: null,
}
const spotFill: Fill = {
  ...perpFill,
  market: spot.id,
  tick: 300_000,
  lots: 10_000n,
  fee: 0n,
  heldLots: null,
  heldQuote: null,
  closedLots: null,
  realised: null,
  mark: 3_000_000_000n,
  index: null,
}

const OFF_BOOK = {
  orderNumber: null,
  timeInForce: null,
  tick: null,
  fee: 0n,
  orderFilledLots: null,
  orderStatus: null,
} as const

const encodeItem = (market: Market, fill: Fill): FillItem => {
  const item = encodeFill(market, fill, WALLET)
  assert.ok(Value.Check(FillItem, item))
  return item
}

describe('a fill as JSON', () => {
  test('a fill as JSON contains its trade, order and market, in human units', () => {
    assert.deepEqual(encodeItem(perp, perpFill), {
      trade_id: '000000000007-000002-t',
      order_id: `${perp.id}0000000000000005`,
      trade_type: 'trade',
      account: WALLET,
      instrument_id: perp.id,
      instrument_name: 'ETH-PERP',
      instrument_type: 'PERPETUAL',
      asset: 'ETH',
      side: 'buy',
      price: '3000',
      amount: '1',
      quote_amount: '3000',
      fees: '1.05',
      fee_rate: '0.00035',
      fee_asset: 'USDC',
      liquidity: 'taker',
      order_type: 'limit',
      order_status: 'filled',
      mark_price: '3001',
      index_price: '2999',
      pnl: null,
      avg_entry_price: '3000',
      is_closing: false,
      tx_hash: '0x07',
      block_number: 7,
      log_index: 2,
      created_timestamp: '1767225600000000000',
    })
  })

  test('a fill as JSON of a signed order has the digest of the order', () => {
    assert.equal(encodeItem(perp, { ...perpFill, ref: '0xfeed' }).order_id, '0xfeed')
  })

  for (const [what, change, expected] of [
    ['of a sale', { isBuy: false }, { side: 'sell' }],
    ['of a maker', { isMaker: true }, { liquidity: 'maker' }],
    ['of an IOC limit order', { timeInForce: 'IOC' }, { order_type: 'limit' }],
    [
      'of a market order with a name',
      { timeInForce: 'IOC', isMarket: true, clientOrderId: 'quote 1' },
      { order_type: 'market', client_order_id: 'quote 1' },
    ],
    ['of a FOK order', { timeInForce: 'FOK' }, { order_type: 'limit' }],
    [
      'that leaves its order partly filled',
      { orderStatus: 'partial' },
      { order_status: 'partial' },
    ],
    [
      'of an order whose rest was cancelled',
      { orderStatus: 'cancelled' },
      { order_status: 'partial' },
    ],
    [
      'by force on the book',
      { kind: 'liquidation', timeInForce: 'IOC', liquidationFee: 30n * E18 },
      { trade_type: 'liquidation', liquidation_fee: '30', liquidity: 'taker' },
    ],
    [
      'off the book',
      { ...OFF_BOOK, kind: 'absorption', unit: 3n * E18 + 1n, liquidationFee: -5n },
      {
        trade_type: 'liquidation',
        price: '3000.000000000000001',
        order_id: null,
        quote_amount: '3000.000000000000001',
        liquidation_fee: '-0.000000000000000005',
        liquidity: null,
        order_type: null,
        order_status: null,
        fee_rate: '0',
        avg_entry_price: '3000.000000000000001',
      },
    ],
    [
      'off the book below zero',
      { ...OFF_BOOK, kind: 'deleverage', unit: -1n },
      { price: '-0.000000000000001', quote_amount: '-0.000000000000001', liquidation_fee: '0' },
    ],
    ['before there were prices', { mark: null, index: null }, { mark_price: null }],
    ['with a rebate', { fee: -(3n * E18) / 10n }, { fees: '-0.3', fee_rate: '-0.0001' }],
    ['without a fee', { fee: 0n }, { fees: '0', fee_rate: '0' }],
    // 0.00035 of it is 1.0500000000000000001…: the contract rounded up.
    ['whose fee was rounded up', { fee: perpFill.fee + 1n }, { fee_rate: '0.00035' }],
    ['whose fee was rounded down', { fee: perpFill.fee - 1n }, { fee_rate: '0.00035' }],
  ] as const)
    test(`a fill as JSON ${what} has ${JSON.stringify(expected)}`, () => {
      const item: Record<string, unknown> = encodeItem(perp, { ...perpFill, ...change })
      for (const [field, value] of Object.entries(expected)) assert.equal(item[field], value)
    })

  const entry = (market: Market, fill: Fill) => {
    const { avg_entry_price, pnl, is_closing } = encodeItem(market, fill)
    return [avg_entry_price, pnl, is_closing]
  }
  const long = { heldLots: 2000n, heldQuote: -6100n * E18 }
  const short = { heldLots: -2000n, heldQuote: 6100n * E18 }
  const closing = { closedLots: 1000n, realised: 75n * E18 }

  for (const [what, change, expected] of [
    ['that adds to a long has the entry of both', long, ['3033.333333333333333333', null, false]],
    [
      'that adds to a short has the entry of both',
      { ...short, isBuy: false },
      ['3033.333333333333333333', null, false],
    ],
    [
      'that closes some of a long has its entry and what it made',
      { ...long, ...closing, isBuy: false },
      ['3050', '75', true],
    ],
    [
      'that closes some of a short has its entry and what it made',
      { ...short, ...closing },
      ['3050', '75', true],
    ],
    [
      'that closes at its entry made 0',
      { ...long, closedLots: 1000n, realised: 0n, isBuy: false },
      ['3050', '0', true],
    ],
    [
      'that turns a position over has the entry of the one it closed',
      { heldLots: -10n, heldQuote: 31n * E18, closedLots: 10n, realised: E18 },
      ['3100', '1', true],
    ],
  ] as const)
    test(`a fill as JSON at a perpetual ${what}`, () => {
      assert.deepEqual(entry(perp, { ...perpFill, ...change }), expected)
    })

  for (const [what, change, expected] of [
    ['a purchase enters at its own price', {}, ['3000', null, false]],
    [
      'a sale has the average cost and what it made over it',
      { isBuy: false, realised: 125_000_000n },
      ['2875', '125', true],
    ],
    ['a sale of unknown cost says neither', { isBuy: false }, [null, null, true]],
  ] as const)
    test(`a fill as JSON at spot ${what}`, () => {
      assert.deepEqual(entry(spot, { ...spotFill, ...change }), expected)
    })
})

test('a funding payment has the position, the rate and the amount received', () => {
  const payment: FundingPayment = {
    id: '000000000009-000001-3',
    account: 3,
    market: perp.id,
    lots: -71n,
    mark: 3000n * E18,
    rate: 12_500_000_000_000n,
    amount: -2_662_500_000_000_000n,
    blockNumber: 9,
    logIndex: 1,
    txHash: '0x09',
    seconds: 1_767_225_600,
  }
  const item = encodeFundingPayment(perp, payment, WALLET)
  assert.ok(Value.Check(FundingItem, item))
  assert.deepEqual(item, {
    trade_id: '000000000009-000001-3',
    trade_type: 'funding',
    account: WALLET,
    instrument_id: perp.id,
    instrument_name: 'ETH-PERP',
    instrument_type: 'PERPETUAL',
    asset: 'ETH',
    side: 'sell',
    amount: '0.071',
    price: '3000',
    mark_price: '3000',
    funding_rate: '0.0000125',
    pnl: '-0.0026625',
    funding_payment: '-0.0026625',
    fees: '0',
    tx_hash: '0x09',
    created_timestamp: '1767225600000000000',
  })
  assert.equal(encodeFundingPayment(perp, { ...payment, lots: 71n }, WALLET).side, 'buy')
})

for (const [text, types] of [
  ['trade', ['trade']],
  ['funding', ['funding']],
  ['Trade, LIQUIDATION', ['trade', 'liquidation']],
  ['settlement,settlement', ['settlement']],
  ['', undefined],
  ['trade,', undefined],
  ['trades', undefined],
  ['trade,fee', undefined],
] as const)
  test(`trade_types=${text} ${types === undefined ? 'is rejected' : `lists ${types}`}`, () => {
    assert.deepEqual(parseTradeTypes(text), types && new Set(types))
  })

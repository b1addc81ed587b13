import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VenueEvent } from '@openvenue/core/events'
import { Resting } from './resting.ts'

const market = 'a'

test('a placed order rests with its lots, tick and side', () => {
  assert.deepEqual(after(placed(1, 10n)), [
    { number: 1, account: 3, isBuy: true, tick: 5, lots: 10 },
  ])
})

test('a fill reduces maker and taker, and an order without lots left is removed', () => {
  assert.deepEqual(lotsAfter(placed(1, 10n), placed(2, 4n), filled(1, 2, 4n)), [[1, 6]])
})

test('a reduced order rests with its remaining lots, and a cancelled order is removed', () => {
  assert.deepEqual(
    lotsAfter(
      placed(1, 10n),
      placed(2, 10n),
      { type: 'Reduced', market, account: 3, order: 1, lots: 4n },
      { type: 'Cancelled', market, account: 3, order: 2, lots: 10n, reason: 'USER' },
    ),
    [[1, 6]],
  )
})

test('events of unknown orders leave the resting orders unchanged', () => {
  assert.deepEqual(lotsAfter(filled(8, 9, 1n)), [])
})

test('an order rests in its own market only', () => {
  const resting = new Resting()
  resting.apply(placed(1, 10n))
  assert.deepEqual(resting.listOrders('b'), [])
})

function after(...events: readonly VenueEvent[]) {
  const resting = new Resting()
  for (const event of events) resting.apply(event)
  return resting.listOrders(market)
}

const lotsAfter = (...events: readonly VenueEvent[]) =>
  after(...events).map(({ number, lots }) => [number, lots])

const placed = (order: number, lots: bigint): VenueEvent => ({
  type: 'Placed',
  market,
  account: 3,
  order,
  buy: true,
  tick: 5,
  lots,
  timeInForce: 'GTC',
  reduceOnly: false,
  goodTil: 0,
  ref: null,
})

const filled = (makerOrder: number, takerOrder: number, lots: bigint): VenueEvent => ({
  type: 'Filled',
  market,
  maker: 3,
  makerOrder,
  taker: 4,
  takerOrder,
  tick: 5,
  lots,
  makerFee: 0n,
  takerFee: 0n,
})

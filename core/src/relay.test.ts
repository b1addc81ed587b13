// Rules shared by the API and the relayer.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { marketId } from './ids.ts'
import {
  CANCEL_LANE,
  decodeRelayStatus,
  encodeRelayStatus,
  gasLimitOf,
  gasOf,
  laneOf,
  orderLanesOf,
  promiseBlock,
} from './relay.ts'

const snapshot = (engine: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(
      JSON.parse(
        readFileSync(new URL(`../../contracts/snapshots/${engine}.json`, import.meta.url), 'utf8'),
      ) as Record<string, string>,
    ).map(([name, gas]) => [name, Number(gas)]),
  )

/** Base cost of a transaction, and cost of the first write to a storage slot. */
const PLAIN_GAS = 21_000
const NEW_WORD_GAS = 17_100

test('a market keeps its lane, and cancels have their own', () => {
  const markets = Array.from({ length: 40 }, (_, number) =>
    marketId(`0x${'5a'.repeat(20)}`, number),
  )
  const lanes = markets.map((market) => laneOf('order', market, 4))
  assert.deepEqual([...new Set(lanes)].sort(), ['orders-0', 'orders-1', 'orders-2', 'orders-3'])
  for (const [at, market] of markets.entries()) {
    assert.equal(laneOf('order', market, 4), lanes[at])
    for (const kind of ['cancel', 'signed_cancel', 'signed_cancel_all'] as const)
      assert.equal(laneOf(kind, market, 4), CANCEL_LANE)
  }
})

test('the gas table matches the measured gas of the contracts', () => {
  const [spot, perps] = [snapshot('Spot'), snapshot('Perps')]
  const [plain, perpetual] = [{ isPerpetual: false }, { isPerpetual: true }]
  const near = (gas: number, measured = 0) =>
    assert.ok(Math.abs(gas - measured) <= measured / 20, `${gas} is not near ${measured}`)
  near(gasOf({ kind: 'order', ...plain }) * 10, spot['10 signed in one batch'])
  near(gasOf({ kind: 'order', ...perpetual }) * 10, perps['10 signed in one batch'])
  near(gasOf({ kind: 'cancel', ...plain }) * 10, spot['cancel for an account, 10'])
  near(gasOf({ kind: 'cancel', ...perpetual }) * 10, perps['cancel for an account, 10'])
})

test('no measured call exceeds its gas limit', () => {
  const enough = (gases: readonly number[], mayTake: boolean, measured = Number.NaN) =>
    assert.ok(gasLimitOf(gases, mayTake) >= measured * 1.1, `${gases} for ${measured}`)
  for (const isPerpetual of [false, true]) {
    const taken = snapshot(isPerpetual ? 'Perps' : 'Spot')
    const order = (fills: number) => gasOf({ kind: 'order', isPerpetual, fills })
    enough([order(0)], false, taken['place signed, first salt of a word'])
    enough([order(0)], false, taken['place signed, replacing another'])
    enough(Array(10).fill(order(0)), false, taken['10 signed in one batch'])
    // Regardless of the expected fills.
    enough([order(0)], true, taken[isPerpetual ? 'take 100, one level' : 'take 10 levels'])
    for (const orders of [1, 10, 50]) {
      const measured = taken[`cancel for an account, ${orders}`]
      enough(Array(orders).fill(gasOf({ kind: 'cancel', isPerpetual })), false, measured)
      enough([gasOf({ kind: 'signed_cancel', isPerpetual, orders })], false, measured)
    }
  }
  // Each item of a batch may be the worst case: a level in new slots, and the first use of a salt.
  const { 'place, new level in untouched words': untouched = Number.NaN } = snapshot('Spot')
  const more = gasLimitOf([53_185, 53_185], false) - gasLimitOf([53_185], false)
  assert.ok(more >= untouched - PLAIN_GAS + NEW_WORD_GAS)
})

test('the queue ahead of an intent moves its promised block', () => {
  assert.equal(promiseBlock(100, 53_185, 10_000_000), 103)
  assert.equal(promiseBlock(100, 20_000_000, 10_000_000), 105)
})

test('a status decodes to what was encoded', () => {
  const lane = { address: `0x${'5a'.repeat(20)}`, balance: `${2n ** 80n}`, isFunded: true }
  const load = { queued: 2, sent: 1, gas: 160_000 }
  const status = {
    lanes: [
      { name: CANCEL_LANE, ...lane, ...load },
      { name: 'orders-0', ...lane, isFunded: false, ...load },
    ],
    canceller: lane.address,
    gasPerBlock: 10_000_000,
    blockMs: 500,
    ordersPerTx: 64,
    gasPerTx: 4_000_000,
    block: 17,
  }
  assert.deepEqual(decodeRelayStatus(encodeRelayStatus(status)), status)
  assert.equal(orderLanesOf(status), 1)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LISTINGS } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay, writtenRecords } from '../test/scenario/replay.ts'
import { type Scenario, scenario } from '../test/scenario/scenario.ts'
import type { CancelReason, OrderOrigin, VenueEvent } from './events.ts'
import { orderId } from './ids.ts'
import type { Order } from './records.ts'

// Each case lists events of Alice's order 1, buy 10 at 100, and the expected order.
const market = LISTINGS['ETH-USDC'].id

type PlacedEvent = Extract<VenueEvent, { type: 'Placed' }>
const placed = (order: number, account: number, buy: boolean, goodTil = 0): PlacedEvent => ({
  type: 'Placed',
  market,
  account,
  order,
  buy,
  tick: 100,
  lots: 10n,
  timeInForce: 'GTC',
  reduceOnly: false,
  goodTil,
  ref: null,
})
const filled = (lots: bigint, changed: Partial<Extract<VenueEvent, { type: 'Filled' }>> = {}) =>
  ({
    type: 'Filled',
    market,
    maker: 3,
    makerOrder: 1,
    taker: 4,
    takerOrder: 2,
    tick: 100,
    lots,
    makerFee: 0n,
    takerFee: 0n,
    ...changed,
  }) as const
const cancelled = (lots: bigint, reason: CancelReason = 'USER') =>
  ({ type: 'Cancelled', market, account: 3, order: 1, lots, reason }) as const
const reduced = (lots: bigint) => ({ type: 'Reduced', market, account: 3, order: 1, lots }) as const

const opened = (): Scenario => {
  const played = scenario()
    .list('ETH-USDC')
    .deposit('alice', 'USDC', 1000n)
    .deposit('bob', 'ETH', 9n)
  return played.next()
}

function orderAfter(events: readonly VenueEvent[]): Order | undefined {
  const played = opened()
  for (const event of events) played.say(event)
  return writtenRecords(replay(played.blocks()).all, 'order').find(({ number }) => number === 1)
}

const describeEvent = (event: VenueEvent) =>
  event.type === 'Placed' ? 'Placed' : `${event.type}(${'lots' in event ? event.lots : ''})`

const alice = placed(1, 3, true)
const bob = placed(2, 4, false)

describe('an order of 10 lots', () => {
  for (const [events, status, resting, gone] of [
    [[alice], 'open', 10n, 0n],
    [[alice, bob, filled(4n)], 'partial', 6n, 0n],
    [[alice, bob, filled(4n), filled(6n)], 'filled', 0n, 0n],
    [[alice, bob, filled(4n), cancelled(6n)], 'cancelled', 0n, 6n],
    [[alice, cancelled(10n)], 'cancelled', 0n, 10n],
    [[alice, reduced(3n)], 'open', 7n, 0n],
    [[alice, bob, filled(4n), reduced(3n)], 'partial', 3n, 0n],
    [[alice, bob, reduced(3n), filled(7n)], 'filled', 0n, 0n],
    [[alice, reduced(3n), reduced(3n), cancelled(4n)], 'cancelled', 0n, 4n],
  ] as const)
    test(`an order of 10 lots is ${status} with ${resting} resting and ${gone} cancelled after ${events.map(describeEvent).join(', ')}`, () => {
      const order = orderAfter(events)
      assert.equal(order?.status, status)
      assert.equal(order?.restingLots, resting)
      assert.equal((order?.lots ?? 0n) - (order?.filledLots ?? 0n) - resting, gone)
    })

  for (const [events, rule] of [
    [[filled(1n)], /placed before it changes/],
    [[alice, alice], /placed once/],
    [[{ ...alice, lots: 0n }], /an order has lots/],
    [[alice, bob, filled(11n)], /at most the resting lots/],
    [[alice, bob, filled(0n)], /a fill has lots/],
    [[alice, bob, filled(1n, { tick: 99 })], /at the maker's tick/],
    [[alice, bob, filled(1n, { taker: 5 })], /names the accounts/],
    [[alice, placed(2, 4, true), filled(1n)], /a buyer meets a seller/],
    [[alice, placed(2, 3, false), filled(1n, { taker: 3 })], /does not trade with itself/],
    [[alice, { ...bob, tick: 101 }, filled(1n)], /never worse than the limit/],
    [[alice, cancelled(10n), cancelled(10n)], /only a resting order/],
    [[alice, cancelled(10n), reduced(1n)], /only a resting order/],
    [[alice, cancelled(9n)], /all of its resting lots/],
    [[alice, { ...cancelled(10n), account: 4 }], /only the owner/],
    [[alice, reduced(10n)], /leaves some lots/],
    [[alice, reduced(0n)], /leaves some lots/],
    [[alice, bob, filled(10n), reduced(1n)], /only a resting order/],
    [[{ ...alice, market: '0x00' }], /listed before it is used/],
    [[placed(1, 3, true, 5)], /before its good-til time/],
    [[{ ...alice, lots: 10n ** 12n }], /never negative/],
  ] as const)
    test(`an order of 10 lots rejects ${events.map(describeEvent).join(', ')}: ${rule.source}`, () => {
      assert.throws(() => orderAfter(events), { name: 'InvariantError', message: rule })
    })

  test('an order of 10 lots rests only with the lots that a taker does not fill', () => {
    const played = opened().place('alice', 'buy', 100, 4n).place('bob', 'sell', 99, 10n)
    const [taker, maker] = [2, 1].map((number) =>
      writtenRecords(replay(played.blocks()).all, 'order').find((order) => order.number === number),
    )
    assert.equal(taker?.status, 'partial')
    assert.equal(taker?.restingLots, 6n)
    assert.equal(taker?.filledUnits, 400n)
    assert.equal(maker?.status, 'filled')
  })

  test('an order of 10 lots drops a resting order of its own account and continues to match', () => {
    const played = opened()
      .place('bob', 'sell', 100, 1n)
      .deposit('alice', 'ETH', 1n)
      .place('alice', 'sell', 100, 2n)
      .place('bob', 'sell', 101, 3n)
      .next()
      .place('alice', 'buy', 101, 4n)
    const orders = writtenRecords(replay(played.blocks()).all.slice(2), 'order')
    const findStatus = (number: number) => orders.find((order) => order.number === number)
    assert.equal(findStatus(2)?.reason, 'SELF_TRADE')
    assert.equal(findStatus(4)?.status, 'filled')
    assert.equal(findStatus(4)?.filledUnits, 100n + 303n)
  })
})

describe('a good-til order', () => {
  const placedAt = (seconds: number) =>
    opened().order({
      who: 'alice',
      side: 'buy',
      tick: 100,
      lots: 10n,
      goodTilSeconds: seconds,
    })
  const start = opened().seconds

  test('a good-til order rests through its last second and is cancelled by the first block after it', () => {
    const played = placedAt(start + 5)
      .next(5)
      .next(1)
      .next(1)
    const { all } = replay(played.blocks())
    assert.deepEqual(
      all.map((block) => writtenRecords([block], 'order').map(({ status }) => status)),
      [[], ['open'], [], ['cancelled']],
    )
    const last = writtenRecords(all, 'order').at(-1)
    assert.equal(last?.reason, 'EXPIRED')
    assert.equal(last?.updatedSeconds, start + 6)
  })

  test('a good-til order keeps its funds locked until it is swept, which changes nothing else of it', () => {
    const played = placedAt(start + 5)
      .next(6)
      .next(1)
      .cancel(1, 'EXPIRED')
    const { state, all } = replay(played.blocks())
    const locked = all.map((block) => writtenRecords([block], 'balance').map((b) => b.locked))
    assert.deepEqual(locked, [[0n, 0n], [1000n], [], [0n]])
    assert.deepEqual(writtenRecords(all.slice(3), 'order'), [])
    assert.equal(state.records.unswept.size, 0)
  })

  test('a good-til order that was reduced after it expired is swept with the rest', () => {
    const played = placedAt(start + 5)
      .next(6)
      .next(1)
      .reduce(1, 4n)
      .next()
      .cancel(1, 'USER')
    const { state } = replay(played.blocks())
    assert.equal(state.records.unswept.size, 0)
    assert.ok([...state.records.balance.values()].every(({ locked }) => locked === 0n))
  })

  test('a good-til order is not matched after it expired, even before it is swept', () => {
    const played = placedAt(start + 5)
      .next(6)
      .place('bob', 'sell', 100, 3n)
    const { state, all } = replay(played.blocks())
    assert.deepEqual(writtenRecords(all, 'trade'), [])
    assert.deepEqual(
      [...state.records.order.values()].map(({ number }) => number),
      [2],
    )
  })

  test('a good-til order that is filled or cancelled in time leaves nothing to expire', () => {
    const played = placedAt(start + 5)
      .cancel(1)
      .next(9)
      .next()
    const { state, all } = replay(played.blocks())
    assert.deepEqual(state.deadlines, { seconds: [], orders: new Map() })
    assert.equal(writtenRecords(all, 'order').length, 1)
  })
})

test('every lot of an order that was not taken off it is filled, resting or cancelled', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const blocks = randomScenario(seed, 120)
      const newest = new Map<string, Order>()
      for (const order of writtenRecords(replay(blocks).all, 'order'))
        newest.set(`${order.market}|${order.number}`, order)
      for (const [key, { lots, filledLots, restingLots, reason, status }] of newest) {
        const cancelledLots = lotsOf(blocks, key, 'Cancelled')
        assert.ok(filledLots >= 0n && restingLots >= 0n)
        // The contract may not have emitted the end of an expired order yet.
        if (reason !== 'EXPIRED') assert.equal(filledLots + restingLots + cancelledLots, lots)
        const placedLots = lotsOf(blocks, key, 'Placed')
        if (reason !== 'EXPIRED') assert.equal(placedLots - lotsOf(blocks, key, 'Reduced'), lots)
        assert.equal(restingLots > 0n, status === 'open' || status === 'partial')
      }
    }),
    { numRuns: 8 },
  )
})

const lotsOf = (
  blocks: ReturnType<typeof randomScenario>,
  key: string,
  type: 'Placed' | 'Reduced' | 'Cancelled',
) =>
  blocks
    .flatMap(({ events }) => events)
    .reduce(
      (sum, event) =>
        event.type === type && `${event.market}|${event.order}` === key ? sum + event.lots : sum,
      0n,
    )

describe('an order that the venue accepted', () => {
  const digest = (byte: string): string => `0x${byte.repeat(32)}`
  const origin: OrderOrigin = {
    ...{ acceptedSeconds: opened().seconds - 60, isMarket: true, clientOrderId: 'quote 1' },
    ...{ parentRef: digest('aa'), triggerKind: 2, triggerPrice: 5n, replaces: null },
  }

  test('an order that the venue accepted keeps the time of its acceptance, its ids and its trigger to its end', () => {
    const signed = { ...alice, ref: digest('01'), origin }
    for (const events of [[signed], [signed, cancelled(10n)], [signed, bob, filled(10n)]]) {
      const { createdSeconds, updatedSeconds, ...order } = orderAfter(events) ?? {}
      const { acceptedSeconds, replaces: _, ...names } = origin
      assert.equal(createdSeconds, acceptedSeconds)
      assert.ok(Number(updatedSeconds) > acceptedSeconds)
      assert.deepEqual({ ...order, ...names }, order)
    }
  })

  test('an order that the venue accepted was never accepted after its block', () => {
    const late = { ...origin, acceptedSeconds: opened().seconds + 1000 }
    const order = orderAfter([{ ...alice, ref: digest('01'), origin: late }])
    assert.equal(order?.createdSeconds, order?.updatedSeconds)
  })

  test('an order that the venue accepted refers to the order that it replaces, which refers back to it', () => {
    const old = { ...alice, ref: digest('01'), origin }
    const replaces = orderId({ market, number: 1, ref: null })
    const edit = { ...placed(2, 3, true), ref: digest('02'), origin: { ...origin, replaces } }
    const played = opened().say(old).next().say(cancelled(10n)).say(edit)
    const orders = replay(played.blocks())
    const newest = new Map(
      writtenRecords(orders.all, 'order').map((order) => [order.number, order]),
    )
    assert.equal(newest.get(1)?.replacedBy, digest('02'))
    assert.equal(newest.get(2)?.replaces, digest('01'))
    assert.equal(newest.get(1)?.status, 'cancelled')
    assert.deepEqual([...orders.state.records.order.keys()], [`${market}|2`])
  })

  test('an order that the venue accepted keeps the id of an order it replaced before that one reached the chain', () => {
    const edit = { ...alice, ref: digest('02'), origin: { ...origin, replaces: digest('01') } }
    assert.equal(orderAfter([edit])?.replaces, digest('01'))
  })
})

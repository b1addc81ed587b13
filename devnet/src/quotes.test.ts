import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideIntents, type Intent, LEVELS_PER_SIDE } from './quotes.ts'
import { seededRandom } from './random.ts'
import type { BookOrder } from './resting.ts'

const traders = [3, 4, 5, 6, 7]
const quoting = { gridTicks: 10, lots: 100 }
/** No random actions. */
const QUIET = { takes: 0, edits: 0 }

test('an empty book is filled to 20 levels on each side around the fair price', () => {
  const orders = placedBy(
    decideIntents({ orders: [], fairTick: 10_003, quoting, traders }, QUIET, seededRandom(1)),
  )
  assert.deepEqual(levels(orders, true).slice(0, 3), [9_990, 9_980, 9_970])
  assert.deepEqual(levels(orders, false).slice(0, 3), [10_010, 10_020, 10_030])
  assert.equal(levels(orders, true).length, LEVELS_PER_SIDE)
  assert.equal(levels(orders, false).length, LEVELS_PER_SIDE)
})

test('every trader quotes on both sides of the book', () => {
  const orders = placedBy(
    decideIntents({ orders: [], fairTick: 10_003, quoting, traders }, QUIET, seededRandom(1)),
  )
  for (const trader of traders) {
    const ofTrader = orders.filter(({ account }) => account === trader)
    assert.ok(
      ofTrader.some(({ isBuy }) => isBuy) && ofTrader.some(({ isBuy }) => !isBuy),
      String(trader),
    )
  }
})

test('a full book at an unchanged price needs no orders', () => {
  const orders = placedBy(
    decideIntents({ orders: [], fairTick: 10_003, quoting, traders }, QUIET, seededRandom(1)),
  )
  assert.deepEqual(
    decideIntents({ orders, fairTick: 10_004, quoting, traders }, QUIET, seededRandom(2)),
    [],
  )
})

test('one trader takes the asks that the fair price has passed, at no worse than that price', () => {
  const orders = [
    order(1, 3, false, 10_010),
    order(2, 4, false, 10_020),
    order(3, 5, false, 10_040),
  ]
  const [first] = decideIntents(
    { orders, fairTick: 10_031, quoting, traders },
    QUIET,
    seededRandom(1),
  )
  assert.deepEqual(first?.places, [{ isBuy: true, tick: 10_031, lots: 200, timeInForce: 'IOC' }])
})

test('an order far from the fair price is cancelled by its owner', () => {
  const orders = [order(1, 4, true, 9_000), order(2, 4, true, 9_990)]
  const intents = decideIntents(
    { orders, fairTick: 10_003, quoting, traders },
    QUIET,
    seededRandom(1),
  ).find(({ trader }) => trader === 4)
  assert.deepEqual(intents?.cancels, [1])
})

test('a random edit changes the lots of a quote, not its price', () => {
  const orders = placedBy(
    decideIntents({ orders: [], fairTick: 10_003, quoting, traders }, QUIET, seededRandom(1)),
  )
  const view = { orders, fairTick: 10_003, quoting, traders }
  for (let seed = 1; seed <= 50; seed++) {
    const intents = decideIntents(view, { takes: 0, edits: 1 }, seededRandom(seed))
    assert.equal(intents.length, 1)
    const { trader, cancels, edits, places } = intents[0] as Intent
    assert.deepEqual([cancels, places, edits.length], [[], [], 1])
    const was = orders.find(({ number }) => number === edits[0]?.number)
    assert.deepEqual(
      [was?.account, was?.isBuy, was?.tick],
      [trader, edits[0]?.isBuy, edits[0]?.tick],
    )
    assert.notEqual(was?.lots, edits[0]?.lots)
    assert.ok(Math.abs((was?.tick ?? 0) - 10_003) > 20, 'what takers take is left alone')
  }
})

test('orders of accounts that are not traders are ignored and do not count as levels', () => {
  const stranger = order(1, 99, true, 9_990)
  const intents = decideIntents(
    { orders: [stranger], fairTick: 10_003, quoting, traders },
    QUIET,
    seededRandom(1),
  )
  assert.ok(intents.every(({ cancels }) => cancels.length === 0))
  assert.ok(placedBy(intents).some(({ isBuy, tick }) => isBuy && tick === 9_990))
})

test('quoted books stay 15 deep on each side, uncrossed and bounded, wherever the price goes', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 1, maxLength: 40 }),
      (seed, moves) => {
        const random = seededRandom(seed)
        let fairTick = 10_000
        let orders: BookOrder[] = []
        for (const move of moves) {
          fairTick += move
          const chance = { takes: random.whole(3), edits: random.whole(3) }
          const view = { orders, fairTick, quoting, traders }
          for (const intent of decideIntents(view, chance, random)) orders = matched(orders, intent)
        }
        const [bids, asks] = [levels(orders, true), levels(orders, false)]
        assert.ok(Math.min(bids.length, asks.length) >= 15, `${bids.length} and ${asks.length}`)
        assert.ok((bids[0] ?? 0) < (asks[0] ?? 0))
        assert.ok(orders.length <= 60, `${orders.length} orders rest`)
      },
    ),
    { numRuns: 60 },
  )
})

let nextNumber = 1_000

/** A book with the relevant rules of the contract: price, then time; own orders cancel. */
function matched(orders: readonly BookOrder[], { trader, cancels, edits, places }: Intent) {
  const gone = [...cancels, ...edits.map(({ number }) => number)]
  let book = orders.filter(({ number }) => !gone.includes(number))
  const added = [...edits.map((edit) => ({ ...edit, timeInForce: 'GTC' as const })), ...places]
  for (const { isBuy, tick, lots, timeInForce } of added) {
    let left = lots
    const opposite = book
      .filter((maker) => maker.isBuy !== isBuy && (isBuy ? maker.tick <= tick : maker.tick >= tick))
      .sort((a, b) => (isBuy ? a.tick - b.tick : b.tick - a.tick) || a.number - b.number)
    for (const maker of opposite) {
      if (left === 0) break
      const isOwn = maker.account === trader
      const gone = isOwn ? maker.lots : Math.min(left, maker.lots)
      if (!isOwn) left -= gone
      book = book.flatMap((order) => {
        if (order !== maker) return [order]
        return order.lots > gone ? [{ ...order, lots: order.lots - gone }] : []
      })
    }
    if (timeInForce === 'GTC' && left > 0)
      book.push({ number: nextNumber++, account: trader, isBuy, tick, lots: left })
  }
  return book
}

const placedBy = (intents: readonly Intent[]) => intents.reduce(matched, [] as BookOrder[])

const levels = (orders: readonly BookOrder[], isBuy: boolean) =>
  [...new Set(orders.filter((order) => order.isBuy === isBuy).map(({ tick }) => tick))].sort(
    (a, b) => (isBuy ? b - a : a - b),
  )

const order = (number: number, account: number, isBuy: boolean, tick: number): BookOrder => ({
  number,
  account,
  isBuy,
  tick,
  lots: 100,
})

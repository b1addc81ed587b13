// Decides on the traders' orders in one market, from its resting orders and the fair price: pure.
//
// Quotes lie on a fixed grid, so that a small price move changes only the levels at its ends:
// takers trade the orders that the price has passed, and new ones replace them on the other side.
import type { QuotingTerms } from './markets.ts'
import type { Random } from './random.ts'
import type { BookOrder } from './resting.ts'

/** Levels to which a side is filled; the interface's readers expect 15. */
export const LEVELS_PER_SIDE = 20
/** Distance in levels beyond which orders are cancelled. */
const LEVELS_KEPT = 24
/** Maximum number of levels taken by one taker, whatever the price move. */
const TAKEN_LEVELS_MAX = 6
/** Steps from the price between which quotes are edited: those near it are left to takers. */
const EDITED_STEPS_MIN = 2
const EDITED_STEPS_MAX = 10
/** Divisor of the usual order size for the smallest order. */
const LOTS_PART_MIN = 4

export type NewOrder = Readonly<{
  isBuy: boolean
  tick: number
  lots: number
  timeInForce: 'GTC' | 'IOC'
}>

/** A resting order whose lots change: it is cancelled and replaced. */
export type Edit = Readonly<{ number: number; isBuy: boolean; tick: number; lots: number }>

/** Everything that one trader sends in one transaction. */
export type Intent = Readonly<{
  trader: number
  cancels: readonly number[]
  edits: readonly Edit[]
  places: readonly NewOrder[]
}>

/** Returns whether it only takes liquidity. */
export const isTaking = ({ places }: Intent): boolean =>
  places.some(({ timeInForce }) => timeInForce === 'IOC')

export type MarketView = Readonly<{
  orders: readonly BookOrder[]
  fairTick: number
  quoting: QuotingTerms
  /** Account numbers of the traders. */
  traders: readonly number[]
}>

/** Number of random market orders and of random edits. */
export type RandomCounts = Readonly<{ takes: number; takeParts?: number; edits: number }>

/**
 * Returns the traders' orders, in order: takers trade the orders that the price has passed, and
 * random ones; then each trader cancels far orders, edits random quotes, and fills up its levels.
 */
export function decideIntents(view: MarketView, chance: RandomCounts, random: Random): Intent[] {
  const own = view.orders.filter(({ account }) => view.traders.includes(account))
  const passed = passedOrders(view, own)
  const takers = passed.length > 0 ? [arbitrage(view, passed, random)] : []
  for (let left = chance.takes; left > 0; left--) takers.push(randomOrder(view, chance, random))
  const edited = pickEdited(view, own, chance.edits, random)
  const quotes = view.traders.map((trader) => ({
    ...requote(view, trader, own, random),
    edits: edited
      .filter(({ account }) => account === trader)
      .map((order) => edit(view, order, random)),
  }))
  return [...takers, ...quotes].filter(
    ({ cancels, edits, places }) => cancels.length + edits.length + places.length > 0,
  )
}

/** Returns whether the traders have resting orders that the price has passed. */
export const hasPassed = (view: MarketView): boolean => passedOrders(view, view.orders).length > 0

const passedOrders = ({ traders, fairTick }: MarketView, orders: readonly BookOrder[]) =>
  orders.filter((order) => traders.includes(order.account) && isPassed(order, fairTick))

/** Returns whether the order would trade at a loss, on the wrong side of the fair price. */
const isPassed = ({ isBuy, tick }: BookOrder, fairTick: number) =>
  isBuy ? tick > fairTick : tick < fairTick

/** One trader takes every order that the price has passed, which are on one side. */
function arbitrage(view: MarketView, passed: readonly BookOrder[], random: Random): Intent {
  const isBuy = passed.some((order) => !order.isBuy)
  const lots = passed
    .filter((order) => order.isBuy !== isBuy)
    .slice(0, TAKEN_LEVELS_MAX)
    .reduce((sum, order) => sum + order.lots, 0)
  return take(random.pick(view.traders), { isBuy, tick: view.fairTick, lots })
}

/** One trader sends a random market order. */
function randomOrder(view: MarketView, { takeParts = 1 }: RandomCounts, random: Random): Intent {
  const { quoting, fairTick } = view
  const isBuy = random.chance(2)
  const reach = quoting.gridTicks * 3
  return take(random.pick(view.traders), {
    isBuy,
    tick: Math.max(1, isBuy ? fairTick + reach : fairTick - reach),
    lots: Math.ceil(randomLots(quoting, random) / takeParts),
  })
}

const take = (trader: number, order: Omit<NewOrder, 'timeInForce'>): Intent => ({
  trader,
  cancels: [],
  edits: [],
  places: [{ ...order, timeInForce: 'IOC' }],
})

function requote(
  view: MarketView,
  trader: number,
  own: readonly BookOrder[],
  random: Random,
): Omit<Intent, 'edits'> {
  const levels = gridLevels(view)
  const held = new Set(own.map(({ isBuy, tick }) => sideTick(isBuy, tick)))
  const missing = levels.filter(
    (level) => ownerOf(view, level.tick) === trader && !held.has(sideTick(level.isBuy, level.tick)),
  )
  const far = own.filter((order) => order.account === trader && isFar(view, order))
  return {
    trader,
    cancels: far.map(({ number }) => number),
    places: missing.map((level) => ({
      ...level,
      lots: randomLots(view.quoting, random),
      timeInForce: 'GTC',
    })),
  }
}

/** Only quotes at some distance from the best price, which it has not passed, are edited. */
function pickEdited(
  { fairTick, quoting: { gridTicks } }: MarketView,
  own: readonly BookOrder[],
  count: number,
  random: Random,
): BookOrder[] {
  const near = own.filter(({ isBuy, tick }) => {
    const steps = (isBuy ? fairTick - tick : tick - fairTick) / gridTicks
    return steps > EDITED_STEPS_MIN && steps < EDITED_STEPS_MAX
  })
  const picked = new Set<BookOrder>()
  for (let left = Math.min(count, near.length); left > 0; left--) picked.add(random.pick(near))
  return [...picked]
}

function edit({ quoting }: MarketView, { number, isBuy, tick, lots }: BookOrder, random: Random) {
  const wanted = randomLots(quoting, random)
  return { number, isBuy, tick, lots: wanted === lots ? wanted + 1 : wanted }
}

const sideTick = (isBuy: boolean, tick: number) => (isBuy ? tick : -tick)

/** The grid's points around the fair price, at least half a step from it. */
function gridLevels({ fairTick, quoting: { gridTicks } }: MarketView) {
  const highestBid = Math.floor((fairTick - gridTicks / 2) / gridTicks)
  const lowestAsk = Math.ceil((fairTick + gridTicks / 2) / gridTicks)
  const steps = Array.from({ length: LEVELS_PER_SIDE }, (_, step) => step)
  return [
    ...steps.map((step) => ({ isBuy: true, tick: (highestBid - step) * gridTicks })),
    ...steps.map((step) => ({ isBuy: false, tick: (lowestAsk + step) * gridTicks })),
  ].filter(({ tick }) => tick > 0)
}

/** Neighbouring levels belong to different traders. */
const ownerOf = ({ traders, quoting: { gridTicks } }: MarketView, tick: number) =>
  traders[(tick / gridTicks) % traders.length]

/** Orders that the price has passed are left to takers. */
const isFar = ({ fairTick, quoting: { gridTicks } }: MarketView, { isBuy, tick }: BookOrder) =>
  (isBuy ? fairTick - tick : tick - fairTick) > LEVELS_KEPT * gridTicks

/** From a quarter of the usual order to one and three quarters. */
const randomLots = ({ lots }: QuotingTerms, random: Random) =>
  Math.ceil(lots / LOTS_PART_MIN) + random.whole(Math.ceil((lots * 3) / 2))

// Decides what the traders do in one market, from what rests there and the fair price: pure.
//
// Quotes stand on a grid that does not move with the price, so a small move changes only the levels
// at its ends: takers trade the orders that the price has passed, and new ones take their place on
// the other side.
import type { QuotingTerms } from './markets.ts'
import type { Random } from './random.ts'
import type { RestingOrder } from './resting.ts'

/** Levels that a side is filled up to; the interface's readers are promised 15. */
export const LEVELS_PER_SIDE = 20
/** Orders farther out than this many levels are taken back. */
const LEVELS_KEPT = 24
/** Orders of one taker meet at most this many levels, whatever the price did. */
const TAKEN_LEVELS_MAX = 6
/** Quotes are edited between these steps from the price: what takers take is left alone. */
const EDITED_STEPS_MIN = 2
const EDITED_STEPS_MAX = 10
/** A quarter of a usual order is the least anyone asks for. */
const LOTS_PART_MIN = 4

export type NewOrder = Readonly<{
  isBuy: boolean
  tick: number
  lots: number
  timeInForce: 'GTC' | 'IOC'
}>

/** A resting order that is to have other lots: it goes, and another one takes its place. */
export type Edit = Readonly<{ number: number; isBuy: boolean; tick: number; lots: number }>

/** All that one trader sends in one transaction. */
export type Intent = Readonly<{
  trader: number
  cancels: readonly number[]
  edits: readonly Edit[]
  places: readonly NewOrder[]
}>

/** Whether it trades at once and leaves nothing behind. */
export const isTaking = ({ places }: Intent): boolean =>
  places.some(({ timeInForce }) => timeInForce === 'IOC')

export type MarketView = Readonly<{
  orders: readonly RestingOrder[]
  fairTick: number
  quoting: QuotingTerms
  /** Account numbers of the traders. */
  traders: readonly number[]
}>

/** What happens for no reason: so many orders that trade, and quotes that change. */
export type ByChance = Readonly<{ takes: number; takeParts?: number; edits: number }>

/**
 * Returns what the traders send now, in this order: takers trade what the price has passed and
 * what they feel like, then each trader takes back what is far out, changes quotes that it feels
 * like changing, and fills up its levels.
 */
export function decideIntents(view: MarketView, chance: ByChance, random: Random): Intent[] {
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

/** Whether orders of the traders rest that the price has passed. */
export const hasPassed = (view: MarketView): boolean => passedOrders(view, view.orders).length > 0

const passedOrders = ({ traders, fairTick }: MarketView, orders: readonly RestingOrder[]) =>
  orders.filter((order) => traders.includes(order.account) && isPassed(order, fairTick))

/** Whether the order would trade at a loss: its price is on the wrong side of the fair one. */
const isPassed = ({ isBuy, tick }: RestingOrder, fairTick: number) =>
  isBuy ? tick > fairTick : tick < fairTick

/** Someone takes every order that the price has passed. A price passes one side only. */
function arbitrage(view: MarketView, passed: readonly RestingOrder[], random: Random): Intent {
  const isBuy = passed.some((order) => !order.isBuy)
  const lots = passed
    .filter((order) => order.isBuy !== isBuy)
    .slice(0, TAKEN_LEVELS_MAX)
    .reduce((sum, order) => sum + order.lots, 0)
  return take(random.pick(view.traders), { isBuy, tick: view.fairTick, lots })
}

/** Someone wants to trade at the market. */
function randomOrder(view: MarketView, { takeParts = 1 }: ByChance, random: Random): Intent {
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
  own: readonly RestingOrder[],
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

/** Orders far from the best price stay as they are, as do those that the price has passed. */
function pickEdited(
  { fairTick, quoting: { gridTicks } }: MarketView,
  own: readonly RestingOrder[],
  count: number,
  random: Random,
): RestingOrder[] {
  const near = own.filter(({ isBuy, tick }) => {
    const steps = (isBuy ? fairTick - tick : tick - fairTick) / gridTicks
    return steps > EDITED_STEPS_MIN && steps < EDITED_STEPS_MAX
  })
  const picked = new Set<RestingOrder>()
  for (let left = Math.min(count, near.length); left > 0; left--) picked.add(random.pick(near))
  return [...picked]
}

function edit(
  { quoting }: MarketView,
  { number, isBuy, tick, lots }: RestingOrder,
  random: Random,
) {
  const wanted = randomLots(quoting, random)
  return { number, isBuy, tick, lots: wanted === lots ? wanted + 1 : wanted }
}

const sideTick = (isBuy: boolean, tick: number) => (isBuy ? tick : -tick)

/** The grid's points around the fair price: no quote is nearer to it than half a step. */
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
const isFar = ({ fairTick, quoting: { gridTicks } }: MarketView, { isBuy, tick }: RestingOrder) =>
  (isBuy ? fairTick - tick : tick - fairTick) > LEVELS_KEPT * gridTicks

/** From a quarter of the usual order to one and three quarters. */
const randomLots = ({ lots }: QuotingTerms, random: Random) =>
  Math.ceil(lots / LOTS_PART_MIN) + random.whole(Math.ceil((lots * 3) / 2))

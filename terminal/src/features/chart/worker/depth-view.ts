// Makes of a book what can be had up to each price, to be drawn.
import { fromSteps, type Level, toSteps } from 'openvenue'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import type { DepthPoint, DepthSpan, DepthView } from '../chart-protocol.ts'

/** A drawing has no more pixels to show more of them. */
export const POINTS_MAX = 300
const TICKS = 4n
/** Spans are in percent with one decimal. */
const THOUSAND = 1_000n

type DepthSides = Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>
type DepthMarket = Readonly<{ instrument_name: string; price_step: string; amount_step: string }>
/** In price steps and amount steps. */
type DepthLevel = Readonly<{ price: bigint; total: bigint }>

/** Returns the depth of a book around its middle. */
export function viewDepth(
  { bids, asks }: DepthSides,
  market: DepthMarket,
  span: DepthSpan,
): DepthView {
  const [bid, ask] = [sumUp(bids, market), sumUp(asks, market)]
  const [from, to] = rangeOf(bid, ask, span)
  const inside = ({ price }: DepthLevel) => price >= from && price <= to
  const [left, right] = [bid.filter(inside), ask.filter(inside)]
  const most = [left.at(-1)?.total ?? 0n, right.at(-1)?.total ?? 0n].reduce(greater)
  const price = (steps: bigint) =>
    showDecimal(fromSteps(steps, market.price_step), decimalsOf(market.price_step))
  const amount = (lots: bigint) =>
    showDecimal(fromSteps(lots, market.amount_step), decimalsOf(market.amount_step))
  const point = ({ price: at, total }: DepthLevel): DepthPoint => ({
    price: Number(at),
    total: Number(total),
    text: `${price(at)}: ${amount(total)}`,
  })
  const ticks = Array.from({ length: Number(TICKS) + 1 }, (_, at) => BigInt(at))
  return {
    market: market.instrument_name,
    bids: thin(left).map(point),
    asks: thin(right).map(point),
    prices: ticks.map((at) => price(from + ((to - from) * at) / TICKS)),
    totals: ticks.map((at) => amount((most * (TICKS - at)) / TICKS)),
    ...{ from: Number(from), to: Number(to), most: Number(most) },
  }
}

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

function sumUp(
  levels: readonly Level[],
  { price_step, amount_step }: DepthMarket,
): readonly DepthLevel[] {
  let total = 0n
  return levels.map(([price, amount]) => {
    total += toSteps(amount, amount_step)
    return { price: toSteps(price, price_step), total }
  })
}

/** From the left to the right edge: the middle is in the middle of the drawing. */
function rangeOf(
  bids: readonly DepthLevel[],
  asks: readonly DepthLevel[],
  span: DepthSpan,
): readonly [bigint, bigint] {
  const best = [bids[0]?.price, asks[0]?.price].filter((price) => price !== undefined)
  const [lower = 0n, upper = lower] = best
  const middle = (lower + upper) / 2n
  const ends = [bids, asks].map((side) => side.at(-1)?.price ?? middle)
  const farthest = ends.map((end) => (end > middle ? end - middle : middle - end)).reduce(greater)
  const reach = span === 'all' ? farthest : (middle * toSteps(span, '0.1')) / THOUSAND
  const from = middle - reach
  return [from < 0n ? 0n : from, middle + (reach === 0n ? 1n : reach)]
}

/** Leaves some out where there are too many, the last one never. */
function thin(points: readonly DepthLevel[]): readonly DepthLevel[] {
  const every = Math.ceil(points.length / POINTS_MAX)
  return points.filter((_, at) => at % every === 0 || at === points.length - 1)
}

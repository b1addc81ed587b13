// Previews the fills of an order before it is placed, with the same matching as `Matching.sol`. Two
// rules of the chain are left out: makers with insufficient margin are dropped there, and an order
// stops (FILL_LIMIT) after 8,000,000 gas, which only makers in dozens of markets can use up.

import { type Book, levels, queuedOrders } from './book.ts'
import { ceilDiv, min } from './integers.ts'
import type { AccountNumber, Lots, Quote, Seconds, Tick, TickLots } from './record-schema.ts'
import type { Market, Order } from './records.ts'

/** Maximum makers that an order fills, and orders that it drops. Source: `Matching.sol`. */
const TAKER_FILLS_MAX = 100
const DROPS_MAX = 100
const PPM = 1_000_000n

type TakerOrder = Readonly<{
  account: AccountNumber | undefined
  isBuy: boolean
  tick: Tick
  lots: Lots
  /** 0 for the general maximum. */
  maxFills: number
  /** Worst tick at which it may trade: its own limit, or a better one. */
  reach: Tick
  /** Number of a book order that is removed before it is placed. */
  replaced: number | undefined
}>

/** Effect of an order on the book. */
export type FillPreview = Readonly<{
  /** The best opposite order in force, including the account's own; undefined if there is none. */
  best: Tick | undefined
  /** Fills by level, best first. */
  fills: readonly Readonly<{ tick: Tick; lots: Lots; count: number }>[]
  filled: Lots
  /** Sum of tick * lots. */
  units: TickLots
  /** Taker fees in quote raw, each fill rounded up; 0 at spot. */
  fees: Quote
  /** Lots of the account's own opposite orders that would be dropped. */
  ownLots: Lots
  /** Why matching stops early, while an opposite order within the limit is left. */
  stop: 'FILL_LIMIT' | 'PRICE_BAND' | undefined
}>

type Draft = { -readonly [K in keyof Omit<FillPreview, 'fills'>]: FillPreview[K] } & {
  fills: { tick: Tick; lots: Lots; count: number }[]
  left: Lots
  fillsLeft: number
  dropsLeft: number
}

const crosses = (isBuy: boolean, limit: Tick, tick: Tick) => (isBuy ? limit >= tick : limit <= tick)

const fillsOf = (maxFills: number) =>
  maxFills === 0 || maxFills > TAKER_FILLS_MAX ? TAKER_FILLS_MAX : maxFills

/** Returns the fills of `order` against `book` at `seconds`, at a cost linear in the orders met. */
export function takeFrom(
  market: Market,
  book: Book,
  order: TakerOrder,
  seconds: Seconds,
): FillPreview {
  const draft: Draft = {
    best: undefined,
    fills: [],
    filled: 0n,
    units: 0n,
    fees: 0n,
    ownLots: 0n,
    stop: undefined,
    left: order.lots,
    fillsLeft: fillsOf(order.maxFills),
    dropsLeft: DROPS_MAX,
  }
  for (const level of levels(book, !order.isBuy)) {
    for (const maker of queuedOrders(level)) {
      if (maker.number === order.replaced) continue
      if (draft.left === 0n) return draft
      if (!crosses(order.isBuy, order.reach, maker.tick) || draft.fillsLeft === 0)
        return stopAtMaker(draft, order, maker, seconds)
      meetMaker(market, draft, { order, maker, seconds })
    }
  }
  return draft
}

const isExpired = ({ goodTilSeconds }: Order, seconds: Seconds) =>
  goodTilSeconds !== 0 && goodTilSeconds < seconds

/** Any opposite order within the limit keeps an order from resting: even an expired one is met. */
function stopAtMaker(draft: Draft, order: TakerOrder, maker: Order, seconds: Seconds): Draft {
  if (!isExpired(maker, seconds)) draft.best ??= maker.tick
  if (!crosses(order.isBuy, order.tick, maker.tick)) return draft
  draft.stop = crosses(order.isBuy, order.reach, maker.tick) ? 'FILL_LIMIT' : 'PRICE_BAND'
  return draft
}

type OrderMatch = Readonly<{ order: TakerOrder; maker: Order; seconds: Seconds }>

function meetMaker(market: Market, draft: Draft, { order, maker, seconds }: OrderMatch): void {
  if (isExpired(maker, seconds)) {
    drop(draft)
    return
  }
  draft.best ??= maker.tick
  if (maker.account === order.account) {
    draft.ownLots += maker.restingLots
    drop(draft)
    return
  }
  fill(market, draft, maker)
}

function fill(market: Market, draft: Draft, maker: Order): void {
  const lots = min(maker.restingLots, draft.left)
  const units = BigInt(maker.tick) * lots
  draft.fillsLeft -= 1
  draft.left -= lots
  draft.filled += lots
  draft.units += units
  draft.fees += ceilDiv(units * market.quotePerLotTick * BigInt(market.takerFee ?? 0), PPM)
  const last = draft.fills.at(-1)
  if (last?.tick === maker.tick) {
    last.lots += lots
    last.count += 1
  } else draft.fills.push({ tick: maker.tick, lots, count: 1 })
}

function drop(draft: Draft): void {
  if (draft.dropsLeft === 0) draft.fillsLeft = 0
  else draft.dropsLeft -= 1
}

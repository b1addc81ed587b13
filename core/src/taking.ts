// Works out what an order would meet on the book before it is placed, as `Matching.sol` matches it.
// Margins of makers are left out: those whose account would fall short are dropped on the chain
// only. So is gas: on the chain an order also stops (FILL_LIMIT) after 8,000,000, which makers of
// dozens of markets take.

import { type Book, levels, queuedOrders } from './book.ts'
import { ceilDiv, min } from './integers.ts'
import type { AccountNumber, Lots, Quote, Seconds, Tick, TickLots } from './record-schema.ts'
import type { Market, Order } from './records.ts'

/** Makers that an order fills, and orders that it drops, at most. Source: `Matching.sol`. */
export const TAKER_FILLS_MAX = 100
const DROPS_MAX = 100
const PPM = 1_000_000n

export type TakerOrder = Readonly<{
  account: AccountNumber | undefined
  isBuy: boolean
  tick: Tick
  lots: Lots
  /** 0 for as many as any order may. */
  maxFills: number
  /** Farthest tick at which it may trade: its own, or nearer. */
  reach: Tick
  /** An order of the book that leaves before it is placed: its number. */
  replaced: number | undefined
}>

/** What an order would do to the book. */
export type Taking = Readonly<{
  /** The best opposite order in force, own ones included; undefined where there is none. */
  best: Tick | undefined
  /** By level, best first. */
  fills: readonly Readonly<{ tick: Tick; lots: Lots; count: number }>[]
  filled: Lots
  /** Sum of tick * lots. */
  units: TickLots
  /** Taker fees in quote raw, each fill's rounded up; 0 at spot. */
  fees: Quote
  /** Lots of own opposite orders that it would drop. */
  ownLots: Lots
  /** Why it stops before it is filled while something opposite is left within its limit. */
  stop: 'FILL_LIMIT' | 'PRICE_BAND' | undefined
}>

type Draft = { -readonly [K in keyof Omit<Taking, 'fills'>]: Taking[K] } & {
  fills: { tick: Tick; lots: Lots; count: number }[]
  left: Lots
  fillsLeft: number
  dropsLeft: number
}

const crosses = (isBuy: boolean, limit: Tick, tick: Tick) => (isBuy ? limit >= tick : limit <= tick)

const fillsOf = (maxFills: number) =>
  maxFills === 0 || maxFills > TAKER_FILLS_MAX ? TAKER_FILLS_MAX : maxFills

/** Returns what `order` would meet on `book` at `seconds`. It costs the orders that it meets. */
export function takeFrom(market: Market, book: Book, order: TakerOrder, seconds: Seconds): Taking {
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
        return stopped(draft, order, maker, seconds)
      meet(market, draft, { order, maker, seconds })
    }
  }
  return draft
}

const isExpired = ({ goodTilSeconds }: Order, seconds: Seconds) =>
  goodTilSeconds !== 0 && goodTilSeconds < seconds

/** Whatever is opposite keeps an order from resting, expired or not: it is met first. */
function stopped(draft: Draft, order: TakerOrder, maker: Order, seconds: Seconds): Draft {
  if (!isExpired(maker, seconds)) draft.best ??= maker.tick
  if (!crosses(order.isBuy, order.tick, maker.tick)) return draft
  draft.stop = crosses(order.isBuy, order.reach, maker.tick) ? 'FILL_LIMIT' : 'PRICE_BAND'
  return draft
}

type Meeting = Readonly<{ order: TakerOrder; maker: Order; seconds: Seconds }>

function meet(market: Market, draft: Draft, { order, maker, seconds }: Meeting): void {
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

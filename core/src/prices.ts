// Index prices and marks, current and by minute. Formulas: head of `Perps.sol`, sections 2 and 7.

import { invariant } from './assert.ts'
import { bestAsk, bestBid } from './book.ts'
import type { Change } from './changes.ts'
import type { Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import { fundingIndexAt, sampledFunding, startFunding } from './funding.ts'
import { applyBasis, markAt, steadyMark } from './marks.ts'
import type { MarketId, Price } from './record-schema.ts'
import type { Mark, Market } from './records.ts'

const MINUTE = 60

const indexSeries = (asset: string) => `index:${asset}`
export const markSeries = (market: MarketId) => `mark:${market}`

/**
 * Writes the marks that have taken effect since the previous block. Called only for blocks with
 * events: whether a block without events is seen at all depends on how the node is queried. After
 * this call, the records of the block hold the marks in force in it.
 */
export function rollMarks(draft: Draft): void {
  const { seconds } = draft.header
  for (const mark of draft.state.records.mark.values()) {
    const now = markAt(mark, seconds)
    if (now !== mark) writeMark(draft, now)
  }
}

/**
 * Applies a new index price, which updates the marks of the perpetuals on the asset. The first
 * price starts their funding clocks.
 */
export function takeIndex(draft: Draft, event: EventOf<'Indexed'>): void {
  const { asset, price, time } = event
  const slot = draft.slot('indexPrice', asset)
  invariant(price > 0n, 'an index price is above zero', event)
  invariant(slot.after === undefined || time >= slot.after.seconds, 'index prices get newer', event)
  slot.after = { asset, price, seconds: time, blockNumber: draft.header.number }
  writeMinute(draft, indexSeries(asset), price)
  for (const market of draft.all('market'))
    if (market.asset === asset && market.type === 'PERPETUAL' && !market.isEnded) {
      writeMark(draft, atIndex(draft, market.id, price))
      startFunding(draft, market.id)
    }
}

/** Returns the mark of a perpetual for a new index price. */
function atIndex(draft: Draft, market: MarketId, index: Price): Mark {
  const { seconds } = draft.header
  const before = draft.find('mark', market)
  const { basis = 0n, nextBasis = 0n } = before ?? {}
  return {
    ...steadyMark({ market, price: applyBasis(index, basis), basis, seconds }),
    nextPrice: applyBasis(index, nextBasis),
    nextBasis,
    nextFromSeconds: before?.nextFromSeconds ?? 0,
  }
}

/** Sets the first mark of a newly listed perpetual, if its asset has an index price. */
export function startMark(draft: Draft, market: MarketId, asset: string): void {
  const index = draft.find('indexPrice', asset)
  if (index !== undefined) writeMark(draft, atIndex(draft, market, index.price))
}

/** Applies a poke: its premium sample, and the mark that takes effect in the next second. */
export function takeMark(draft: Draft, event: EventOf<'Marked'>): void {
  const { market, mark, basis } = event
  const asset = draft.find('market', market)?.asset ?? ''
  const index = draft.find('indexPrice', asset)
  if (index !== undefined)
    invariant(mark === applyBasis(index.price, basis), 'a mark is the index and its basis', {
      ...event,
      index: index.price,
    })
  const { seconds } = draft.header
  const marks = draft.slot('mark', market)
  const before = marks.after ?? steadyMark({ market, price: mark, basis, seconds })
  marks.after = { ...before, nextPrice: mark, nextBasis: basis, nextFromSeconds: seconds + 1 }
  const slot = draft.slot('funding', market)
  slot.after = sampledFunding(slot.after, event)
}

/** Ends a perpetual: its mark is frozen and funding stops accruing. */
export function endMarket(draft: Draft, event: EventOf<'Ended'>): void {
  const { seconds } = draft.header
  const market = draft.slot('market', event.market)
  const funding = draft.slot('funding', event.market)
  const mark = draft.find('mark', event.market)
  invariant(
    market.after !== undefined && funding.after !== undefined && mark !== undefined,
    'a market that ends is listed and has had a price',
    event,
  )
  invariant(event.mark === markAt(mark, seconds).price, 'a market ends at its last mark', {
    ...event,
    mark: mark.price,
  })
  invariant(
    event.fundingIndex === fundingIndexAt(funding.after, seconds),
    'funding accrues until a market ends',
    event,
  )
  market.after = { ...market.after, isEnded: true }
  writeMark(draft, steadyMark({ market: event.market, price: event.mark, seconds }))
  funding.after = {
    ...funding.after,
    cumulative: event.fundingIndex,
    perSecond: 0n,
    rate: 0n,
    premiumSum: 0n,
    sampledSeconds: 0,
  }
}

/**
 * Sets the marks of the spot markets whose book or last trade `changes` moved: the mid of best bid
 * and ask, rounded down; else the last trade; else none. Called after `changes` were applied.
 */
export function markSpotMarkets(draft: Draft, changes: readonly Change[]): void {
  const moved = new Set<string>()
  for (const { what, after, before } of changes) {
    if (what === 'order') moved.add((after ?? before)?.market ?? '')
  }
  for (const id of moved) {
    const market = draft.find('market', id)
    if (market?.type !== 'SPOT') continue
    const price = spotMark(draft, market)
    const slot = draft.slot('mark', id)
    if (slot.after?.price === price) continue
    if (price === undefined) slot.after = undefined
    else writeMark(draft, steadyMark({ market: id, price, seconds: draft.header.seconds }))
  }
}

function spotMark(draft: Draft, market: Market): bigint | undefined {
  const book = draft.state.books.get(market.id)
  const bid = book && bestBid(book)
  const ask = book && bestAsk(book)
  if (bid !== undefined && ask !== undefined) return (BigInt(bid + ask) * market.priceStep) / 2n
  const last = draft.find('ticker', market.id)?.lastTick ?? null
  return last === null ? undefined : BigInt(last) * market.priceStep
}

function writeMark(draft: Draft, mark: Mark): void {
  draft.slot('mark', mark.market).after = mark
  writeMinute(draft, markSeries(mark.market), mark.price)
}

/** Minutes follow chain time, so that a block changes one row per series. */
function writeMinute(draft: Draft, series: string, price: Price): void {
  const { seconds } = draft.header
  const openSeconds = seconds - (seconds % MINUTE)
  draft.slot('priceMinute', series).after = { series, openSeconds, price }
}

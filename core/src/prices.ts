// Index prices, marks, and both by minute. Formulas: the head of `Perps.sol`, section 2.
import { invariant } from './assert.ts'
import { bestAsk, bestBid } from './book.ts'
import type { Change } from './changes.ts'
import type { Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import { clamp, sampledFunding } from './funding.ts'
import type { Market } from './records.ts'

const MINUTE = 60
/** The basis of a mark is at most index / 200. */
const BASIS_DIVISOR = 200n

export const indexSeries = (asset: string) => `index:${asset}`
export const markSeries = (market: string) => `mark:${market}`

/** Returns the mark price of a perpetual, 18 decimals. */
export const markOf = (index: bigint, basis: bigint): bigint =>
  index + clamp(basis, index / BASIS_DIVISOR)

/** Takes a new index price, which moves the marks of the perpetuals on the asset. */
export function takeIndex(draft: Draft, event: EventOf<'Indexed'>): void {
  const { asset, price, time } = event
  const slot = draft.slot('indexPrice', asset)
  invariant(price > 0n, 'an index price is above zero', event)
  invariant(slot.after === undefined || time >= slot.after.seconds, 'index prices get newer', event)
  slot.after = { asset, price, seconds: time, blockNumber: draft.header.number }
  writeMinute(draft, indexSeries(asset), price)
  for (const market of draft.all('market'))
    if (market.asset === asset && market.type === 'PERPETUAL') {
      const basis = draft.find('mark', market.id)?.basis ?? 0n
      writeMark(draft, market.id, markOf(price, basis), basis)
    }
}

/** Gives a perpetual that has just been listed its first mark, if its asset has an index price. */
export function startMark(draft: Draft, market: string, asset: string): void {
  const index = draft.find('indexPrice', asset)
  if (index !== undefined) writeMark(draft, market, markOf(index.price, 0n), 0n)
}

/** Takes a poke: its basis, its mark and its premium sample. */
export function takeMark(draft: Draft, event: EventOf<'Marked'>): void {
  const { market, mark, basis } = event
  const asset = draft.find('market', market)?.asset ?? ''
  const index = draft.find('indexPrice', asset)
  if (index !== undefined)
    invariant(mark === markOf(index.price, basis), 'a mark is the index and its basis', {
      ...event,
      index: index.price,
    })
  writeMark(draft, market, mark, basis)
  const slot = draft.slot('funding', market)
  slot.after = sampledFunding(slot.after, event)
}

/**
 * Marks the spot markets whose book or last trade `changes` moved: the mid of the best bid and ask,
 * rounded down, else the last trade, else none. Asked after the state has taken `changes`.
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
    else writeMark(draft, id, price, 0n)
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

function writeMark(draft: Draft, market: string, price: bigint, basis: bigint): void {
  draft.slot('mark', market).after = { market, price, basis, seconds: draft.header.seconds }
  writeMinute(draft, markSeries(market), price)
}

/** A minute is one of the chain's time, so that a block touches one row of a series. */
function writeMinute(draft: Draft, series: string, price: bigint): void {
  const { seconds } = draft.header
  const openSeconds = seconds - (seconds % MINUTE)
  draft.slot('priceMinute', series).after = { series, openSeconds, price }
}

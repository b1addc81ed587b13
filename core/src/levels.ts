// Which levels of the books a block moved, for readers that follow the book by level.
import type { Change } from './changes.ts'
import type { Order } from './records.ts'
import type { VenueState } from './state.ts'

/** A level as it is now; `lots` and `count` are 0 when it is gone. */
export type LevelDelta = Readonly<{
  market: string
  isBuy: boolean
  tick: number
  lots: bigint
  count: number
}>

/**
 * Returns the levels that `changes` moved, each once, in the order in which they were first
 * touched. `state` must have taken the changes.
 */
export function levelsOf(state: VenueState, changes: readonly Change[]): LevelDelta[] {
  const deltas = new Map<string, LevelDelta>()
  for (const change of changes) {
    if (change.what !== 'order') continue
    const { before, after } = change
    const order = after ?? before
    if (order === undefined || lotsOf(before) === lotsOf(after)) continue
    const { market, isBuy, tick } = order
    const key = `${market}|${isBuy}|${tick}`
    if (deltas.has(key)) continue
    const book = state.books.get(market)
    const level = (isBuy ? book?.bids : book?.asks)?.levels.get(tick)
    const [lots, count] = [level?.lots ?? 0n, level?.orders.size ?? 0]
    deltas.set(key, { market, isBuy, tick, lots, count })
  }
  return [...deltas.values()]
}

const lotsOf = (order: Order | undefined) => order?.restingLots ?? 0n

// Changes of book levels, for readers that follow the book by level instead of by order.

import { isResting } from './book.ts'
import type { Lots, Tick } from './record-schema.ts'
import type { Order } from './records.ts'

/** Change of a level; both 0 if the level is unchanged. */
export type LevelMove = { readonly isBuy: boolean; readonly tick: Tick } & {
  lots: Lots
  count: number
}

/** The changes of one market by side and tick: a bid's key is positive, an ask's negative. */
export type LevelMoves = Map<number, LevelMove>

const levelKey = (isBuy: boolean, tick: Tick) => (isBuy ? tick : -tick)

/** Adds the change of an order from `before` to `after` to the levels of its market. */
export function moveLevels(
  moves: LevelMoves,
  before: Order | undefined,
  after: Order | undefined,
): void {
  if (isResting(before)) {
    const { isBuy, tick, restingLots } = before
    addMove(moves, { isBuy, tick, lots: -restingLots, count: -1 })
  }
  if (isResting(after)) {
    const { isBuy, tick, restingLots } = after
    addMove(moves, { isBuy, tick, lots: restingLots, count: 1 })
  }
}

/** Merges a change into its level; removes the level if the net change is zero. */
export function addMove(moves: LevelMoves, { isBuy, tick, lots, count }: LevelMove): void {
  const key = levelKey(isBuy, tick)
  const move = moves.get(key)
  if (move === undefined) {
    moves.set(key, { isBuy, tick, lots, count })
    return
  }
  move.lots += lots
  move.count += count
  if (move.lots === 0n && move.count === 0) moves.delete(key)
}

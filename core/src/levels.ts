// Moves of the levels of a book, for readers that follow it by level instead of by order.

import { isResting } from './book.ts'
import type { Lots, Tick } from './record-schema.ts'
import type { Order } from './records.ts'

/** By how much a level moved; both 0 when it stands as before. */
export type LevelMove = { readonly isBuy: boolean; readonly tick: Tick } & {
  lots: Lots
  count: number
}

/** The moves of one market by side and tick: a bid's key is above zero, an ask's below. */
export type LevelMoves = Map<number, LevelMove>

const levelKey = (isBuy: boolean, tick: Tick) => (isBuy ? tick : -tick)

/** Moves the levels of a market as an order does that changes from `before` to `after`. */
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

/** Adds a move to those of its level; a level that stands as before leaves. */
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

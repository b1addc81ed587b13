import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import type { Book } from './book.ts'
import { type Change, invertChanges } from './changes.ts'
import { addMove, type LevelMoves, moveLevels } from './levels.ts'
import { emptyState } from './state.ts'
import { applyBlock } from './venue.ts'

const seeds = fc.integer({ min: 0, max: 2 ** 31 })

/** Returns the level changes by market, as a node publishes them. */
function movesBy(changes: readonly Change[]): Map<string, LevelMoves> {
  const markets = new Map<string, LevelMoves>()
  for (const change of changes) {
    if (change.what !== 'order') continue
    const market = (change.after ?? change.before)?.market ?? ''
    const moves = markets.get(market) ?? new Map()
    markets.set(market, moves)
    moveLevels(moves, change.before, change.after)
  }
  return markets
}

/** Adds level changes to the totals of a reader, which started with an empty book. */
function follow(readers: Map<string, LevelMoves>, changes: readonly Change[]): void {
  for (const [market, moves] of movesBy(changes)) {
    const totals = readers.get(market) ?? new Map()
    readers.set(market, totals)
    for (const move of moves.values()) addMove(totals, move)
  }
}

/** Returns the levels of a book in the form a reader keeps them. */
function listLevels({ bids, asks }: Book): LevelMoves {
  const levels: LevelMoves = new Map()
  for (const [isBuy, side] of [[true, bids] as const, [false, asks] as const])
    for (const { tick, lots, orders } of side.levels.values())
      addMove(levels, { isBuy, tick, lots, count: orders.size })
  return levels
}

const sorted = (levels: LevelMoves | undefined) =>
  [...(levels ?? [])].map(([key, move]) => [key, { ...move }] as const).sort(([a], [b]) => a - b)

test('a reader who sums the moves of each block has the book, and after an undo the previous one', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const state = emptyState()
      const readers = new Map<string, LevelMoves>()
      for (const block of randomScenario(seed, 120)) {
        const { changes } = applyBlock(state, block)
        const before = new Map([...readers].map(([id, levels]) => [id, sorted(levels)]))
        follow(readers, changes)
        follow(readers, invertChanges(changes))
        for (const [id, levels] of readers)
          assert.deepEqual(sorted(levels), before.get(id) ?? [], `${id} undone`)
        follow(readers, changes)
        for (const [id, book] of state.books)
          assert.deepEqual(sorted(readers.get(id)), sorted(listLevels(book)), id)
      }
    }),
    { numRuns: 12 },
  )
})

test('a level without a net change has no move', () => {
  const moves: LevelMoves = new Map()
  addMove(moves, { isBuy: true, tick: 5, lots: 3n, count: 1 })
  addMove(moves, { isBuy: false, tick: 5, lots: 3n, count: 1 })
  addMove(moves, { isBuy: true, tick: 5, lots: -3n, count: -1 })
  assert.deepEqual([...moves.values()], [{ isBuy: false, tick: 5, lots: 3n, count: 1 }])
})

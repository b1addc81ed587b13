import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { PERP_ENGINE } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { type AccountPositions, heldPositions, positionChange } from './account-positions.ts'
import { invertChanges } from './changes.ts'
import { accountMargin } from './margin.ts'
import { emptyPosition } from './positions.ts'
import type { Position } from './records.ts'
import { emptyState, fold, loaded, type VenueState } from './state.ts'
import { applyBlock } from './venue.ts'

const at = (market: string, lots: bigint): Position => ({ ...emptyPosition(market, 3), lots })

/** Builds the expected index by scanning `records.position`. */
function scanned(state: VenueState): Map<number, Set<Position>> {
  const positionsByAccount = new Map<number, Set<Position>>()
  for (const position of state.records.position.values()) {
    const positions = positionsByAccount.get(position.account)
    if (positions === undefined) positionsByAccount.set(position.account, new Set([position]))
    else positions.add(position)
  }
  return positionsByAccount
}

const indexed = (state: VenueState) =>
  new Map(
    [...state.accountPositions.keys()].map((key) => [key, new Set(heldPositions(state, key))]),
  )

describe('the index of positions by account', () => {
  test('the index of positions by account equals a scan of the records after every block and every undo', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const state = emptyState()
        const done = randomScenario(seed, 80).map((block) => {
          const { changes } = applyBlock(state, block)
          assert.deepEqual(indexed(state), scanned(state))
          return changes
        })
        for (const changes of done.reverse()) {
          fold(state, invertChanges(changes))
          assert.deepEqual(indexed(state), scanned(state))
        }
        assert.equal(state.accountPositions.size, 0)
      }),
      { numRuns: 8 },
    )
  })

  test('the index of positions by account equals a scan of the records after any changes in any order', () => {
    const change = fc.record({
      market: fc.constantFrom('a', 'b', 'c', 'd'),
      account: fc.constantFrom(3, 4),
      lots: fc.constantFrom(undefined, 1n, 2n),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (steps) => {
        const state = emptyState()
        for (const { market, account, lots } of steps) {
          const position = { ...emptyPosition(market, account), lots: lots ?? 0n }
          const after = lots === undefined ? undefined : position
          fold(state, [{ ...loaded('position', position), after } as never])
          assert.deepEqual(indexed(state), scanned(state))
        }
      }),
    )
  })

  test('the index of positions by account holds a single position without a list, and nothing for an account without positions', () => {
    const index: AccountPositions = new Map()
    const [first, two] = [at('a', 1n), at('b', 2n)]
    positionChange(index, undefined, first)
    assert.equal(index.get(3), first)
    positionChange(index, undefined, two)
    assert.deepEqual(index.get(3), [first, two])
    positionChange(index, first, undefined)
    assert.equal(index.get(3), two)
    positionChange(index, first, undefined)
    assert.equal(index.get(3), two)
    positionChange(index, two, undefined)
    assert.equal(index.size, 0)
    assert.deepEqual(heldPositions({ accountPositions: index }, 3), [])
  })
})

test('lets a margin computation skip markets without a position', () => {
  const blocks = randomScenario(7, 60)
  const state = emptyState()
  for (const block of blocks) applyBlock(state, block)
  const marketsRead = new Set<string>()
  const { market } = state.records
  const get = market.get.bind(market)
  market.get = (id) => {
    marketsRead.add(id)
    return get(id)
  }
  market.values = () => assert.fail('all markets were scanned')
  const seconds = state.head?.seconds ?? 0
  let looked = 0
  for (const [account, positions] of scanned(state)) {
    marketsRead.clear()
    accountMargin(state, { engine: PERP_ENGINE, account, seconds })
    assert.deepEqual(marketsRead, new Set([...positions].map((position) => position.market)))
    looked++
  }
  assert.ok(looked > 1)
})

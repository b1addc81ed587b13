import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Chance } from '../test/scenario/chance.ts'
import { Crowd, type CrowdSize } from '../test/scenario/crowd.ts'
import { ENGINES, MARGIN_ACCOUNTS, RandomMargins } from '../test/scenario/random-margins.ts'
import { heldPositions } from './account-positions.ts'
import type { Header } from './events.ts'
import { accountMargin } from './margin.ts'
import { type Limit, MarginIndex } from './margin-index.ts'
import type { Market } from './records.ts'
import { fold, type VenueState } from './state.ts'
import { MarginWatch } from './warnings.ts'

// Fast-check prints the seed that fails.
const seeds = fc.integer({ min: 0, max: 2 ** 31 })
const [RUNS, STEPS] = [40, 250]
const accounts = Array.from({ length: MARGIN_ACCOUNTS }, (_, index) => index + 3)

const marginAt = (state: VenueState, engine: string, account: number) =>
  accountMargin(state, { engine, account, seconds: state.head?.seconds ?? 0 })

const isOpen = (state: VenueState, engine: string, account: number) =>
  heldPositions(state, account).some(({ market, lots }) => lots !== 0n && market.startsWith(engine))

/** Updates the warned accounts by the plain rule, checking every account at every step. */
function warnAll(state: VenueState, warned: Set<string>): void {
  for (const engine of ENGINES)
    for (const account of accounts) {
      const margin = marginAt(state, engine, account)
      if (margin === undefined) continue
      const { equity, maintenance } = margin
      const key = `${engine}|${account}`
      const isWarned = warned.has(key)
        ? maintenance !== 0n && 2n * equity <= 3n * maintenance
        : maintenance !== 0n && 4n * equity <= 5n * maintenance
      if (isWarned) warned.add(key)
      else warned.delete(key)
    }
}

/** The accounts at or below maintenance margin, checking every account whose margin is known. */
const stateNow = (state: VenueState, engine: string): Map<number, boolean> =>
  new Map(
    accounts
      .filter((account) => isOpen(state, engine, account))
      .flatMap((account) => {
        const margin = marginAt(state, engine, account)
        return margin === undefined ? [] : [[account, margin.equity <= margin.maintenance] as const]
      }),
  )

/** Runs a random venue and compares its warnings with the plain rule after each step. */
function followWarnings(seed: number): number {
  const venue = new RandomMargins(seed)
  const watch = new MarginWatch(venue.state)
  const [warned, expected] = [new Set<string>(), new Set<string>()]
  let turned = 0
  for (let step = 0; step < STEPS; step++) {
    const block = venue.step()
    if (block.changes.length > 0) warnAll(venue.state, expected)
    const { turns } = watch.after(block)
    turned += turns.length
    for (const { engine, account, isWarned } of turns)
      warned[isWarned ? 'add' : 'delete'](`${engine}|${account}`)
    assert.deepEqual([...warned].sort(), [...expected].sort(), `step ${step}`)
  }
  return turned
}

const LIMITS: readonly Limit[] = [
  { equity: 1n, maintenance: 1n, from: 'above' },
  { equity: 1n, maintenance: 1n, from: 'below' },
]

/** Checks the due accounts. Equity equal to the margin is not above the limit. */
function lookAtDue(index: MarginIndex, below: Set<number>): void {
  for (const account of index.due()) {
    const margin = index.look(account)
    if (margin === undefined) continue
    index.watch(account, margin, margin.equity > margin.maintenance ? 0 : 1)
    below[margin.equity > margin.maintenance ? 'delete' : 'add'](account)
  }
}

/** Tracks the accounts at or below their maintenance margin and compares them with a full scan. */
function followMargins(seed: number): number {
  const venue = new RandomMargins(seed)
  const engine = ENGINES[seed % 2] as string
  const index = new MarginIndex(venue.state, engine, LIMITS)
  const below = new Set<number>()
  let dueCount = 0
  for (let step = 0; step < STEPS; step++) {
    index.note(venue.step().changes)
    lookAtDue(index, below)
    for (const [account, isBelow] of stateNow(venue.state, engine)) {
      assert.equal(below.has(account), isBelow, `account ${account} at step ${step}`)
      if (isBelow) dueCount++
    }
  }
  return dueCount
}

describe('the due accounts of an index', () => {
  const holds = (follow: (seed: number) => number) => {
    let happened = 0
    fc.assert(
      fc.property(seeds, (seed) => {
        happened += follow(seed)
      }),
      { numRuns: RUNS },
    )
    assert.ok(happened > 20 * RUNS, `${happened} is too little to show anything`)
  }

  test('include all whose warning begins or ends, after every step and every undo', () => {
    holds(followWarnings)
  })

  test('include those whose last orders in a market without a mark are gone', () => {
    const seed = 1_132_417
    assert.ok(followWarnings(seed) > 0)
  })

  test('include all that fall below maintenance margin, after every step and every undo', () => {
    holds(followMargins)
  })
})

describe('the cost of a moving mark', () => {
  const size = { markets: 50, accounts: 8_000, seed: 11 }

  test('the cost of a moving mark is a check of the accounts it may have moved across a limit, not of all holders', () => {
    const { crowd, watch, holders } = watchedCrowd(size)
    const chance = new Chance(3)
    const before = watch.looks
    let heldCount = 0
    const moves = 400
    for (let move = 0; move < moves; move++) {
      const market = crowd.markets[chance.below(size.markets)] as Market
      crowd.pass(1)
      const changes = [...crowd.move(market, chance.below(1_001) - 500)]
      if (move % 20 === 0) changes.push(...crowd.settle(market))
      heldCount += holders.get(market.id) ?? 0
      watch.after({ header: crowd.state.head as Header, changes })
    }
    assert.ok(heldCount / moves > 200, `${heldCount / moves} accounts hold the market of a move`)
    const looks = (watch.looks - before) / moves
    assert.ok(looks < 4, `${looks} accounts were looked at for each of ${moves} marks`)
  })

  test('the cost of a moving mark is a check of the accounts that a jump moves across a limit, and none while the mark is unchanged', () => {
    const { crowd, watch, holders } = watchedCrowd(size)
    const [first] = crowd.markets as [Market]
    const countLooks = (millionths: number) => {
      const before = watch.looks
      crowd.pass(1)
      const { turns } = watch.after({
        header: crowd.state.head as Header,
        changes: crowd.move(first, millionths),
      })
      return { looks: watch.looks - before, turns: turns.length }
    }
    assert.deepEqual(countLooks(0), { looks: 0, turns: 0 })
    const jump = countLooks(-100_000)
    assert.ok(jump.turns > 200 && jump.looks < (holders.get(first.id) ?? 0))
    // Accounts that have crossed the limit stay there and are not checked again.
    const still = countLooks(300)
    assert.ok(still.looks < 10, `${still.looks} looks after the jump`)
  })

  test('the cost of a moving mark is zero for orders that come and go', () => {
    const { crowd, watch } = watchedCrowd(size)
    const [position] = crowd.state.records.position.values()
    assert.ok(position)
    const key = `${position.market}|${position.account}`
    const after = { ...position, bidLots: 9n, leverage: 3 }
    const changes = [{ what: 'position', key, before: position, after } as const]
    fold(crowd.state, changes)
    const before = watch.looks
    watch.after({ header: crowd.state.head as Header, changes })
    assert.equal(watch.looks, before)
  })

  test('the cost of a moving mark is zero for parameters that change no margin', () => {
    const { crowd, watch } = watchedCrowd(size)
    const [market] = crowd.markets as [Market]
    const after = { ...market, isHalted: true }
    const changes = [{ what: 'market', key: market.id, before: market, after } as const]
    fold(crowd.state, changes)
    const before = watch.looks
    watch.after({ header: crowd.state.head as Header, changes })
    assert.equal(watch.looks, before)
  })
})

/** A crowd followed by a watch, and the number of holders of each market. */
function watchedCrowd(size: CrowdSize) {
  const crowd = new Crowd(size)
  const watch = new MarginWatch(crowd.state)
  const [market] = crowd.markets as [Market]
  watch.after({ header: crowd.state.head as Header, changes: crowd.move(market, 0) })
  const holders = new Map<string, number>()
  for (const { market: id } of crowd.state.records.position.values())
    holders.set(id, (holders.get(id) ?? 0) + 1)
  return { crowd, watch, holders }
}

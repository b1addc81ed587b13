// The mark of a perpetual: a poke takes effect in the next second, and the marks written do not
// depend on which blocks without events were seen.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LISTINGS } from '../test/scenario/listing.ts'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import type { Change } from './changes.ts'
import type { VenueBlock } from './events.ts'
import { E18 } from './integers.ts'
import { applyBasis, markAt } from './marks.ts'
import { markSeries } from './prices.ts'
import { emptyState, type VenueState } from './state.ts'
import { applyBlock } from './venue.ts'
import { MarginWatch } from './warnings.ts'

const { id } = LISTINGS['ETH-PERP']
const INDEX = 3000n * E18
/** A poke moves the basis by at most 0.05 %; the mid of the scenarios is 0.2 % above the index. */
const STEP = E18 / 2000n

const played = () =>
  scenario()
    .index('ETH', INDEX)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 100_000n)
    .deposit('bob', 'USDC', 100_000n)
    .place('alice', 'buy', 30_050, 10n)
    .place('bob', 'sell', 30_070, 10n)
    .next()

const priceNow = ({ records, head }: VenueState, market = id) => {
  const mark = records.mark.get(market)
  return mark && markAt(mark, head?.seconds ?? 0).price
}

test('a mark is its index plus a basis, truncated towards zero', () => {
  assert.equal(applyBasis(3000n, 5n * 10n ** 15n), 3015n)
  assert.equal(applyBasis(1999n, E18 / 2000n), 1999n)
  assert.equal(applyBasis(1999n, -E18 / 2000n), 1999n)
  assert.equal(applyBasis(2001n, -E18 / 2000n), 2000n)
})

describe('the mark of a perpetual', () => {
  test('the mark of a perpetual moves with a poke in the next second, not in the same one', () => {
    const state = emptyState()
    const [first, poked, silent] = played().poke().next().next().blocks()
    for (const block of [first, poked]) applyBlock(state, block as VenueBlock)
    assert.equal(priceNow(state), INDEX)
    assert.deepEqual(silent?.events, [])
    applyBlock(state, silent as VenueBlock)
    assert.equal(priceNow(state), applyBasis(INDEX, STEP), 'in a block that says nothing')
  })

  test('the mark of a perpetual moves with its index immediately and keeps the basis of the last poke', () => {
    const blocks = played()
      .poke()
      .index('ETH', 3100n * E18)
      .next()
      .index('ETH', 3200n * E18)
      .next()
      .blocks()
    const state = emptyState()
    const marks = blocks.map((block) => {
      applyBlock(state, block)
      return priceNow(state)
    })
    assert.deepEqual(marks, [INDEX, 3100n * E18, applyBasis(3200n * E18, STEP)])
  })

  test('the mark of a perpetual is written once, in the first later block with events', () => {
    const tale = played().poke().next().next(30).place('alice', 'buy', 29_000, 1n).next()
    const { all } = replay(tale.blocks())
    const marked = all.map(({ changes }) =>
      changes.filter(({ what }) => what === 'mark' || what === 'priceMinute'),
    )
    const [, , silent, [mark, minute, ...more] = []] = marked
    assert.deepEqual([silent, more], [[], []])
    const price = applyBasis(INDEX, STEP)
    const seconds = all[2]?.header.seconds
    assert.deepEqual(mark?.after, {
      market: id,
      price,
      basis: STEP,
      nextPrice: price,
      nextBasis: STEP,
      nextFromSeconds: 0,
      seconds,
    })
    const now = all[3]?.header.seconds ?? 0
    assert.deepEqual(minute?.after, {
      series: markSeries(id),
      openSeconds: now - (now % 60),
      price,
    })
  })

  test('the mark of a perpetual that is pending after a poke applies at the end of an hour', () => {
    const { state } = replay(played().next(3598).poke().next(60).poke().next().blocks())
    assert.equal(state.records.funding.get(id)?.mark, applyBasis(INDEX, STEP))
  })
})

const STEPS = fc.array(
  fc.record({
    waitSeconds: fc.integer({ min: 1, max: 90 }),
    silent: fc.nat(2),
    roll: fc.nat(5),
  }),
  { minLength: 5, maxLength: 40 },
)

test('rows and warnings do not depend on which blocks without events were seen', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const tale = played().deposit('carol', 'USDC', 160n).deposit('dave', 'USDC', 100_000n)
      tale.place('carol', 'buy', 30_060, 1000n).place('dave', 'sell', 30_060, 1000n)
      let pokedSeconds = 0
      for (const { waitSeconds, silent, roll } of steps) {
        for (let count = 0; count < silent; count++) tale.next()
        tale.next(waitSeconds)
        if (roll < 3 && tale.seconds >= pokedSeconds + 60) {
          tale.poke()
          pokedSeconds = tale.seconds
        } else if (roll === 3) tale.index('ETH', INDEX - BigInt(waitSeconds) * E18)
        else tale.place('bob', 'sell', 30_100 + waitSeconds, 1n)
      }
      const blocks = tale.next().blocks()
      const speaking = blocks.filter(({ events }) => events.length > 0)
      assert.deepEqual(markEvents(speaking), markEvents(blocks))
    }),
    { numRuns: 100 },
  )
})

/** Returns the records written for `blocks`, without numbers and hashes. */
function markEvents(blocks: readonly VenueBlock[]) {
  const state = emptyState()
  const watch = new MarginWatch(state)
  return blocks.flatMap(({ header, events }, at) => {
    const numbered = { number: at + 1, hash: `0x${at + 1}`, parentHash: `0x${at}` }
    const block = applyBlock(state, { header: { ...header, ...numbered }, events })
    const rows = block.changes.filter(({ what }) => KINDS.has(what)).map(withoutLogPosition)
    const turns = watch.after(block).turns.map(({ account, isWarned }) => ({ account, isWarned }))
    return rows.length + turns.length === 0 ? [] : [{ seconds: header.seconds, rows, turns }]
  })
}

const KINDS: ReadonlySet<string> = new Set(['mark', 'priceMinute', 'funding', 'settlement'])

const withoutLogPosition = ({ what, before, after }: Change) => {
  const plain = (record: object | undefined) =>
    record && { ...record, blockNumber: 0, logIndex: 0, txHash: '' }
  return { what, before: plain(before), after: plain(after) }
}

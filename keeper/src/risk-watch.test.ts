// Who is at risk, by the index and by a look at all accounts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isLiquidatable } from '@openvenue/core/distress'
import { emptyState, type VenueState } from '@openvenue/core/state'
import { Chance } from '@openvenue/core/story/chance'
import { CROWD_ENGINE, Crowd } from '@openvenue/core/story/crowd'
import { ENGINES, RandomMargins } from '@openvenue/core/story/random-margins'
import fc from 'fast-check'
import { RiskWatch } from './risk-watch.ts'
import { compareRatio, heldBy, INSURANCE_ACCOUNT, marginOf, type Risk } from './risks.ts'
import { collateralOf, ENGINE, FIRST, stateOf, WrittenView } from './testing/written-state.ts'

/** The risks by the rule alone, looked at for every account. */
function looked(state: VenueState, engine: string): Risk[] {
  const risks: Risk[] = []
  for (const account of state.accountPositions.keys()) {
    if (account === INSURANCE_ACCOUNT) continue
    const margin = marginOf(state, engine, account)
    if (margin === undefined || !isLiquidatable(margin)) continue
    const held = heldBy(state, engine, account)
    if (held.length > 0) risks.push({ account, margin, held })
  }
  return risks.sort((a, b) => compareRatio(a.margin, b.margin) || a.account - b.account)
}

describe('the watch of risks', () => {
  test('finds whom a look at all finds, after every step and every undo', () => {
    let found = 0
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const venue = new RandomMargins(seed)
        const view = new WrittenView(venue.state)
        const engine = ENGINES[seed % 2] as string
        const watch = new RiskWatch(view, engine)
        for (let step = 0; step < 200; step++) {
          view.tell(venue.step().changes)
          // Not every block is looked at: several may come at once.
          if (step % 3 === 1) continue
          const risks = watch.risks()
          assert.deepEqual(risks, looked(venue.state, engine), `step ${step}`)
          found += risks.length
        }
      }),
      { numRuns: 30 },
    )
    assert.ok(found > 1_000, `${found} risks are too few to show anything`)
  })

  test('looks at the accounts that marks may have turned, not at all that hold something', () => {
    const crowd = new Crowd({ markets: 50, accounts: 8_000, seed: 5 })
    const view = new WrittenView(crowd.state)
    const watch = new RiskWatch(view, CROWD_ENGINE)
    const chance = new Chance(9)
    watch.risks()
    const before = watch.looks
    const rounds = 200
    for (let round = 0; round < rounds; round++) {
      crowd.pass(2)
      // Of 50 markets 10 have moved since the last block.
      for (let move = 0; move < 10; move++) {
        const market = crowd.markets[chance.below(50)]
        if (market !== undefined) view.tell(crowd.move(market, chance.below(1_001) - 500))
      }
      watch.risks()
    }
    const looks = (watch.looks - before) / rounds
    assert.ok(looks < 80, `${looks} accounts were looked at in each of ${rounds} rounds`)
    assert.deepEqual(watch.risks(), looked(crowd.state, CROWD_ENGINE))
  })

  test('begins anew with a state that was loaded anew', () => {
    const [sound, poor] = [60n, 10n].map((dollars) =>
      stateOf([{ account: 4, dollars, lots: [[FIRST, 1_000n, 1_000n]] }]),
    ) as [VenueState, VenueState]
    const view = { state: sound, onFold: () => () => undefined }
    const watch = new RiskWatch(view, ENGINE)
    assert.deepEqual(watch.risks(), [])
    view.state = poor
    assert.deepEqual(
      watch.risks().map(({ account }) => account),
      [4],
    )
    view.state = emptyState()
    assert.deepEqual(watch.risks(), [])
  })

  test('hears of nothing once it is stopped', () => {
    const view = new WrittenView(
      stateOf([{ account: 4, dollars: 60n, lots: [[FIRST, 1_000n, 1_000n]] }]),
    )
    const watch = new RiskWatch(view, ENGINE)
    assert.deepEqual(watch.risks(), [])
    watch.stop()
    view.fold([collateralOf(4, 0n)])
    assert.deepEqual(watch.risks(), [])
  })
})

// Compares the indexed risks with a scan of all accounts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isLiquidatable } from '@openvenue/core/distress'
import { steadyMark } from '@openvenue/core/marks'
import { emptyState, loaded, type VenueState } from '@openvenue/core/state'
import { Chance } from '@openvenue/core/test/scenario/chance'
import { CROWD_ENGINE, Crowd } from '@openvenue/core/test/scenario/crowd'
import { ENGINES, RandomMargins } from '@openvenue/core/test/scenario/random-margins'
import fc from 'fast-check'
import { createCollateral, createState, ENGINE, FIRST, WrittenView } from '../test/fake-state.ts'
import { RISKS_MAX, RiskWatch } from './risk-watch.ts'
import { compareRatio, heldBy, INSURANCE_ACCOUNT, nextForcedMargin, type Risk } from './risks.ts'

/** Returns the risks by the rule, computed for every account. */
function looked(state: VenueState, engine: string): Risk[] {
  const risks: Risk[] = []
  for (const account of state.accountPositions.keys()) {
    if (account === INSURANCE_ACCOUNT) continue
    const margin = nextForcedMargin(state, engine, account)
    if (margin === undefined || !isLiquidatable(margin)) continue
    const holdings = heldBy(state, engine, account)
    if (holdings.length > 0) risks.push({ account, margin, holdings })
  }
  return risks.sort((a, b) => compareRatio(a.margin, b.margin) || a.account - b.account)
}

describe('the watch of risks', () => {
  test('the risk watch finds the same accounts as a full scan after every step and every undo', () => {
    let riskCount = 0
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const venue = new RandomMargins(seed)
        const view = new WrittenView(venue.state)
        const engine = ENGINES[seed % 2] as string
        const watch = new RiskWatch(view, engine)
        for (let step = 0; step < 200; step++) {
          view.notify(venue.step().changes)
          // Not every block is checked: several may arrive together.
          if (step % 3 === 1) continue
          const risks = watch.risks()
          assert.deepEqual(risks, looked(venue.state, engine), `step ${step}`)
          riskCount += risks.length
        }
      }),
      { numRuns: 30 },
    )
    assert.ok(riskCount > 1_000, `${riskCount} risks are too few to show anything`)
  })

  test('the risk watch checks only accounts that the mark moves may affect, not all holders', () => {
    const crowd = new Crowd({ markets: 50, accounts: 8_000, seed: 5 })
    const view = new WrittenView(crowd.state)
    const watch = new RiskWatch(view, CROWD_ENGINE)
    const chance = new Chance(9)
    watch.risks()
    const before = watch.looks
    const rounds = 200
    for (let round = 0; round < rounds; round++) {
      crowd.pass(2)
      // 10 of 50 markets have moved since the last block.
      for (let move = 0; move < 10; move++) {
        const market = crowd.markets[chance.below(50)]
        if (market !== undefined) view.notify(crowd.move(market, chance.below(1_001) - 500))
      }
      watch.risks()
    }
    const looks = (watch.looks - before) / rounds
    assert.ok(looks < 80, `${looks} accounts were looked at in each of ${rounds} rounds`)
    assert.deepEqual(watch.risks(), looked(crowd.state, CROWD_ENGINE))
  })

  describe('of more accounts than a look can ask', () => {
    const count = 4 * RISKS_MAX
    /** Equities of 0 to 20 at a maintenance margin of 25, the worst last. */
    const crashed = () => {
      const stands = Array.from({ length: count }, (_, nth) => ({
        account: 10 + nth,
        dollars: 20n - BigInt(Math.floor((nth * 20) / count)),
        lots: [[FIRST, 1_000n, 1_000n]] as const,
      }))
      return new WrittenView(createState(stands))
    }

    test('of more risks than it can check, the risk watch returns the worst, and others in turn', () => {
      const view = crashed()
      const watch = new RiskWatch(view, ENGINE)
      const seen = new Set<number>()
      for (let look = 0; look < 4; look++) {
        const risks = watch.risks()
        assert.equal(risks.length, 2 * RISKS_MAX)
        const accounts = risks.map(({ account }) => account)
        const worst = accounts.slice(0, RISKS_MAX / 2)
        assert.ok(
          worst.every((account) => account >= 10 + count - RISKS_MAX),
          `look ${look}`,
        )
        for (const account of accounts) seen.add(account)
        const holders = [...view.state.accountPositions.keys()]
        const unread = holders.filter((account) => watch.isWaiting(account))
        assert.equal(unread.length, count - 2 * RISKS_MAX)
      }
      assert.equal(seen.size, count)
    })

    test('a mark that swings across all accounts does not raise the number checked at once', () => {
      const view = crashed()
      const watch = new RiskWatch(view, ENGINE)
      watch.risks()
      const mark = view.state.records.mark.get(FIRST.id)
      assert.ok(mark)
      for (let swing = 0; swing < 10; swing++) {
        const before = watch.looks
        const price = swing % 2 === 0 ? (mark.price * 11n) / 10n : mark.price
        view.fold([loaded('mark', steadyMark({ ...mark, price }))])
        watch.risks()
        assert.ok(watch.looks - before <= 4 * RISKS_MAX, `${watch.looks - before} looks`)
      }
    })

    test('the risk watch forgets accounts that are sound again, each in its turn', () => {
      const view = crashed()
      const watch = new RiskWatch(view, ENGINE)
      watch.risks()
      const mark = view.state.records.mark.get(FIRST.id)
      assert.ok(mark)
      view.fold([loaded('mark', steadyMark({ ...mark, price: (mark.price * 11n) / 10n }))])
      for (let look = 0; look < 4; look++) assert.deepEqual(watch.risks(), [])
      const before = watch.looks
      assert.deepEqual(watch.risks(), [])
      assert.equal(watch.looks, before)
    })
  })

  test('the risk watch starts over when the state is reloaded', () => {
    const [sound, poor] = [60n, 10n].map((dollars) =>
      createState([{ account: 4, dollars, lots: [[FIRST, 1_000n, 1_000n]] }]),
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

  test('the risk watch receives no more changes once it is stopped', () => {
    const view = new WrittenView(
      createState([{ account: 4, dollars: 60n, lots: [[FIRST, 1_000n, 1_000n]] }]),
    )
    const watch = new RiskWatch(view, ENGINE)
    assert.deepEqual(watch.risks(), [])
    watch.stop()
    view.fold([createCollateral(4, 0n)])
    assert.deepEqual(watch.risks(), [])
  })
})

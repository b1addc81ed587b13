import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fundingIndexAt } from '@openvenue/core/funding'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { randomTale } from '@openvenue/core/test/scenario/random-scenario'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { fixedText, parseDecimal } from '@openvenue/core/units'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { type AccumulatedFunding, AccumulatedFundings } from '@openvenue/wire/positions'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { type AccountNode, withAccountNode } from '../../test/account-node.ts'
import { funded } from '../../test/funded.ts'

const PATH = '/account/accumulated-fundings'
const ETH = LISTINGS['ETH-PERP'].id

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

const withNode = <T>(scenario: Scenario, act: (venue: AccountNode) => Promise<T>) =>
  withAccountNode(store, scenario, act)

async function readFundings(venue: AccountNode, who: string): Promise<AccumulatedFunding[]> {
  const { status, body } = await venue.as(who, PATH)
  assert.equal(status, 200)
  assert.ok(Value.Check(AccumulatedFundings, body))
  return body.accumulated_fundings
}

/**
 * alice is long 1 ETH, bob short. The book leans up, so that from the second hour on, longs pay
 * about 0.005 % an hour; the scenario is in its third hour.
 */
function leaning(): Scenario {
  const scenario = funded('ETH-USDC', 'ETH-PERP')
  scenario.place('alice', 'buy', 30_000, 1000n).place('bob', 'sell', 30_000, 1000n)
  scenario.place('carol', 'buy', 30_000, 1n).place('dave', 'sell', 30_300, 1n).next(60).poke()
  return scenario.next(3600).poke().next(3600).poke().next(600).poke().next()
}

const text = (value: string | undefined) => parseDecimal(value ?? '', 18) as bigint

describe('GET /account/accumulated-fundings', () => {
  test('accumulated fundings report settled funding, the accrual since, and their sum', async () => {
    const scenario = leaning()
    await withNode(scenario, async (venue) => {
      const [item] = await readFundings(venue, 'alice')
      const { records, head } = venue.model.state
      const cycle = records.cycle.get(`${ETH}|${scenario.accountOf('alice')}`)
      const funding = records.funding.get(ETH)
      assert.ok(cycle !== undefined && funding !== undefined && head !== undefined)
      assert.ok(funding.perSecond > 0n && head.seconds > funding.settledSeconds)
      assert.deepEqual(item, {
        instrument_id: ETH,
        accumulated_funding: fixedText(cycle.funding),
        pending_funding_fee: fixedText(
          1000n * (cycle.fundingIndex - fundingIndexAt(funding, head.seconds)),
        ),
        total_funding_fee: fixedText(
          text(item?.accumulated_funding) + text(item?.pending_funding_fee),
        ),
      })
      assert.equal(cycle.fundingIndex, funding.cumulative)
    })
  })

  test('GET /account/accumulated-fundings is positive in favour of the holder: the long pays, the short receives the same', async () => {
    await withNode(leaning(), async (venue) => {
      const [[paid], [received]] = [
        await readFundings(venue, 'alice'),
        await readFundings(venue, 'bob'),
      ]
      for (const member of [
        'accumulated_funding',
        'pending_funding_fee',
        'total_funding_fee',
      ] as const) {
        assert.ok(text(paid?.[member]) < 0n, member)
        assert.equal(text(received?.[member]), -text(paid?.[member]))
      }
    })
  })

  test('GET /account/accumulated-fundings grows with the time of the blocks, not with the clock', async () => {
    const scenario = leaning()
    await withNode(scenario, async (venue) => {
      const before = await readFundings(venue, 'alice')
      venue.setNow(scenario.seconds + 1000)
      assert.deepEqual(await readFundings(venue, 'alice'), before)
      scenario.place('dave', 'sell', 30_400, 1n).next(60)
      scenario.place('dave', 'sell', 30_400, 1n).next()
      venue.follow()
      const [after] = await readFundings(venue, 'alice')
      assert.ok(text(after?.pending_funding_fee) < text(before[0]?.pending_funding_fee))
      assert.equal(after?.accumulated_funding, before[0]?.accumulated_funding)
    })
  })

  test('GET /account/accumulated-fundings moves from pending to accumulated when a fill pays it; ends with the position', async () => {
    const scenario = leaning()
    await withNode(scenario, async (venue) => {
      const [before] = await readFundings(venue, 'alice')
      scenario.place('alice', 'sell', 30_000, 400n).next()
      venue.follow()
      const [sold] = await readFundings(venue, 'alice')
      assert.equal(sold?.pending_funding_fee, '0')
      assert.ok(text(sold?.accumulated_funding) < text(before?.accumulated_funding))
      scenario.place('bob', 'buy', 30_000, 400n).place('alice', 'sell', 30_000, 600n)
      scenario.place('bob', 'buy', 30_000, 600n).next()
      venue.follow()
      const lots = venue.model.state.records.position.get(
        `${ETH}|${scenario.accountOf('alice')}`,
      )?.lots
      assert.equal(lots ?? 0n, 0n)
      assert.deepEqual(await readFundings(venue, 'alice'), [])
    })
  })

  test('accumulated fundings have open perpetual positions only, in order of listing, like /positions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), (seed) => {
        const scenario = randomTale(seed, 40)
        return withNode(scenario, async (venue) => {
          for (const who of ['alice', 'bob', 'carol']) {
            const { body } = await venue.as(who, '/positions?instrument_type=PERPETUAL&limit=1000')
            const { positions } = body as {
              positions: (AccumulatedFunding & { instrument_id: string })[]
            }
            const found = await readFundings(venue, who)
            assert.deepEqual(
              found.map(({ total_funding_fee: _, ...rest }) => rest),
              positions.map(({ instrument_id, accumulated_funding, pending_funding_fee }) => ({
                instrument_id,
                accumulated_funding,
                pending_funding_fee,
              })),
            )
            for (const item of found)
              assert.equal(
                text(item.total_funding_fee),
                text(item.accumulated_funding) + text(item.pending_funding_fee),
              )
          }
        })
      }),
      { numRuns: 5 },
    )
  })

  test('GET /account/accumulated-fundings is empty for a wallet that the chain does not know', async () => {
    await withNode(funded('ETH-PERP'), async (venue) => {
      const { status, body } = await venue.as('nobody', PATH)
      const account = venue.walletOf('nobody')
      assert.deepEqual([status, body], [200, { account, accumulated_fundings: [] }])
    })
  })

  test('GET /account/accumulated-fundings names its block, and is the same below the address of the caller only', async () => {
    await withNode(leaning(), async (venue) => {
      const path = `/account/${venue.walletOf('alice')}/accumulated-fundings`
      const plain = await venue.as('alice', PATH)
      assert.equal(plain.headers['x-block-number'], String(venue.model.head?.number))
      assert.equal((plain.body as { account: string }).account, venue.walletOf('alice'))
      assert.deepEqual((await venue.as('alice', path)).body, plain.body)
      assert.equal((await venue.as('bob', path)).status, 403)
      assert.equal((await venue.get(path)).status, 401)
      assert.equal((await venue.get(PATH)).status, 401)
    })
  })
})

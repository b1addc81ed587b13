import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../test/clock.ts'
import { INSURANCE, only, StandingVenue } from '../test/live-venue.ts'
import { ORDERS_PER_CALL_MAX } from './liquidations.ts'
import { INSURANCE_ACCOUNT } from './risks.ts'

const [RICH, BUYER, POOR, POORER, BROKE, MANY] = [1, 2, 4, 5, 6, 7] as const
const LOTS = 10_000n
const TICK = 30_000
const E18 = 10n ** 18n

describe('a keeper that liquidates', () => {
  let standing: StandingVenue
  before(async () => {
    standing = await StandingVenue.start()
    await standing.live()
    const keeper = standing.keeper(only('prices', 'liquidations', 'deleveraging'))
    keeper.start()
    await standing.leads(keeper)
  })
  after(() => standing.stop())

  /** `by` buys 1 ETH for 3,000 dollars with so many of its own. */
  const goLong = async (by: number, dollars: bigint) => {
    await standing.moveTo(3_000n)
    await standing.fund(by, dollars)
    await standing.send([
      standing.order(RICH, { buy: false, tick: TICK, lots: LOTS }),
      standing.order(by, { buy: true, tick: TICK, lots: LOTS }),
    ])
    assert.equal(await standing.lots(by), LOTS)
  }
  const isFlat = (by: number) =>
    until(`wallet ${by} is flat`, async () => (await standing.lots(by)) === 0n)
  const insured = () => standing.equity(INSURANCE_ACCOUNT)

  test('closes a position on the book, and the fee goes to insurance', async () => {
    await goLong(POOR, 200n)
    await standing.send([standing.order(BUYER, { buy: true, tick: 28_690, lots: LOTS })])
    const before = await insured()
    await standing.moveTo(2_870n)
    await isFlat(POOR)
    assert.equal(await standing.lots(BUYER), LOTS)
    // 1 % of 2,870; the keeper has no account, so that insurance gets all of it.
    assert.equal((await insured()) - before, (287n * E18) / 10n)
  })

  test(`cancels the orders of an account first, more than one call names, too`, async () => {
    await goLong(MANY, 200n)
    const count = ORDERS_PER_CALL_MAX + 30
    await standing.send(
      Array.from({ length: count }, (_, n) =>
        standing.order(MANY, { buy: true, tick: 20_000 + n, lots: 15n }),
      ),
    )
    await standing.send([standing.order(BUYER, { buy: true, tick: 28_690, lots: LOTS })])
    await standing.moveTo(2_870n)
    await isFlat(MANY)
    const position = await standing.view('positionOf', [1, await standing.account(MANY)])
    assert.equal((position as { bidLots: bigint }).bidLots, 0n)
  })

  test('has insurance take over what is far below, when it can', async () => {
    await standing.fund(INSURANCE, 1_000n)
    await goLong(POORER, 170n)
    await standing.moveTo(2_830n)
    await isFlat(POORER)
    assert.equal(await standing.lots(INSURANCE), LOTS)
  })

  test('deleverages what insurance cannot take, after a jump of a third', async () => {
    await goLong(BROKE, 220n)
    const shorts = await standing.lots(RICH)
    await standing.moveTo(2_000n)
    await isFlat(BROKE)
    assert.equal(await standing.lots(RICH), shorts + LOTS)
    assert.equal(await standing.lots(INSURANCE), LOTS)
    assert.ok((await insured()) >= 0n)
    const loser = await standing.equity(await standing.account(BROKE))
    assert.ok(loser >= 0n && loser < E18, `${loser}`)
  })

  test('deleverages insurance itself once it is below zero', async () => {
    const shorts = await standing.lots(RICH)
    const perEther = (await insured()) / E18
    await standing.moveTo(2_000n - perEther - 20n)
    await isFlat(INSURANCE)
    assert.equal(await standing.lots(RICH), shorts + LOTS)
    assert.ok((await insured()) >= 0n)
  })

  test('has left alone who was healthy all the time', async () => {
    assert.equal(await standing.lots(BUYER), 2n * LOTS)
    assert.equal(await standing.lots(RICH), -2n * LOTS)
  })
})

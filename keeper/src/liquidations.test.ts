import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { E18 } from '@openvenue/core/integers'
import { until } from '@openvenue/core/test/until'
import { encodeEventTopics } from 'viem'
import { INSURANCE, LiveVenue, only } from '../test/live-venue.ts'
import { closeText, ORDERS_PER_CALL_MAX } from './liquidations.ts'
import { INSURANCE_ACCOUNT } from './risks.ts'

const [RICH, BUYER, POOR, POORER, BROKE, MANY] = [1, 2, 4, 5, 6, 7] as const
const LOTS = 10_000n
const TICK = 30_000

/** Tip offered when nodes are not asked for gas, where calls have fixed limits. */
const TIP = 10n ** 9n

describe('a keeper that liquidates', { concurrency: true }, () => {
  for (const gasTip of [undefined, TIP])
    describe(`whose nodes are ${gasTip === undefined ? '' : 'not '}asked for gas`, {
      concurrency: 1,
    }, () => {
      let live: LiveVenue
      before(async () => {
        live = await LiveVenue.start()
        live.mineEverySecond()
        const keeper = live.keeper({
          ...only('prices', 'liquidations', 'deleveraging'),
          gasTip,
        })
        keeper.start()
        await live.leads(keeper)
      })
      after(() => live.stop())

      /** Has `by` buy 1 ETH at 3,000 dollars with a deposit of `dollars`. */
      const goLong = async (by: number, dollars: bigint) => {
        await live.moveTo(3_000n)
        await live.fund(by, dollars)
        await live.send([
          live.order(RICH, { buy: false, tick: TICK, lots: LOTS }),
          live.order(by, { buy: true, tick: TICK, lots: LOTS }),
        ])
        assert.equal(await live.lots(by), LOTS)
      }
      const isFlat = (by: number) =>
        until(`wallet ${by} is flat`, async () => (await live.lots(by)) === 0n)
      const insured = () => live.equity(INSURANCE_ACCOUNT)

      test('a liquidation closes the position on the book and pays the fee to insurance', async () => {
        await goLong(POOR, 200n)
        await live.send([live.order(BUYER, { buy: true, tick: 28_690, lots: LOTS })])
        const before = await insured()
        await live.moveTo(2_870n)
        await isFlat(POOR)
        assert.equal(await live.lots(BUYER), LOTS)
        // 1 % of 2,870; the keeper has no account, so insurance gets the whole fee.
        assert.equal((await insured()) - before, (287n * E18) / 10n)
      })

      test('a liquidation first cancels all orders of the account, even in several calls', async () => {
        await goLong(MANY, 200n)
        const count = ORDERS_PER_CALL_MAX + 30
        await live.send(
          Array.from({ length: count }, (_, n) =>
            live.order(MANY, { buy: true, tick: 20_000 + n, lots: 15n }),
          ),
        )
        await live.send([live.order(BUYER, { buy: true, tick: 28_690, lots: LOTS })])
        await live.moveTo(2_870n)
        await isFlat(MANY)
        const position = await live.view('positionOf', [1, await live.account(MANY)])
        assert.equal((position as { bidLots: bigint }).bidLots, 0n)
      })

      test('insurance with funds takes over an account far below its margin', async () => {
        await live.fund(INSURANCE, 2_000n)
        await goLong(POORER, 170n)
        await live.moveTo(2_830n)
        await isFlat(POORER)
        assert.equal(await live.lots(INSURANCE), LOTS)
      })

      test('a position that insurance may not take over after a jump of a third is deleveraged', async () => {
        await goLong(BROKE, 220n)
        await live.moveTo(2_000n)
        await isFlat(BROKE)
        const loser = await live.equity(await live.account(BROKE))
        assert.ok(loser >= 0n && loser < E18, `${loser}`)
      })

      // Insurance bought 1 ETH at 2,830: its loss exceeds the 400 of its 2,000 allowed here.
      test('insurance itself is deleveraged once the market has used up its share', async () => {
        await isFlat(INSURANCE)
        assert.equal(await live.lots(RICH), -2n * LOTS)
        assert.ok((await insured()) > 1_000n * E18)
      })

      test('an account that is healthy throughout is not liquidated', async () => {
        assert.equal(await live.lots(BUYER), 2n * LOTS)
        assert.equal(await live.lots(RICH), -2n * LOTS)
      })
    })
})

test('a liquidation call is logged by its effect: closed, taken over, or only started', () => {
  const topicOf = (eventName: 'Liquidated' | 'Absorbed' | 'Liquidating') =>
    encodeEventTopics({ abi: perpsAbi, eventName }).map(String)
  assert.equal(closeText(topicOf('Liquidated')), 'an account was liquidated')
  assert.equal(
    closeText([...topicOf('Liquidated'), ...topicOf('Absorbed')]),
    'insurance took over a position',
  )
  for (const events of [undefined, [], topicOf('Liquidating')])
    assert.equal(closeText(events), 'a liquidation has started: nothing closed yet')
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LISTINGS } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay, writtenRecords } from '../test/scenario/replay.ts'
import { type Scenario, scenario } from '../test/scenario/scenario.ts'
import { E18 } from './integers.ts'
import type { Fill } from './records.ts'

const PERP = LISTINGS['ETH-PERP']
const SPOT = LISTINGS['ETH-USDC']

const perps = () =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 100_000n)
    .deposit('bob', 'USDC', 100_000n)
    .next()

const replayFills = (tale: Scenario) => writtenRecords(replay(tale.blocks()).all, 'fill')

describe('a match', () => {
  test('a match yields a fill for its maker and one for its taker, each with its own side and fee', () => {
    const tale = perps().place('alice', 'buy', 30_000, 10n)
    tale.order({
      who: 'bob',
      side: 'sell',
      tick: 29_990,
      lots: 4n,
      timeInForce: 'IOC',
      ref: '0xab',
    })
    const { all } = replay(tale.blocks())
    const [maker, taker, ...more] = writtenRecords(all, 'fill')
    const [trade] = writtenRecords(all, 'trade')
    assert.ok(trade)
    assert.deepEqual(more, [])
    const both = {
      market: PERP.id,
      kind: 'trade',
      tick: 30_000,
      unit: null,
      lots: 4n,
      liquidationFee: 0n,
      heldLots: 0n,
      heldQuote: 0n,
      closedLots: 0n,
      realised: 0n,
      mark: 3000n * E18,
      index: 3000n * E18,
      blockNumber: trade.blockNumber,
      logIndex: trade.logIndex,
      txHash: trade.txHash,
      seconds: trade.seconds,
      orderFilledLots: 4n,
      isMarket: false,
      clientOrderId: null,
    }
    assert.deepEqual(maker, {
      ...both,
      id: `${trade.id}-m`,
      account: 3,
      orderNumber: 1,
      ref: null,
      timeInForce: 'GTC',
      isBuy: true,
      isMaker: true,
      fee: trade.makerFee,
      orderStatus: 'partial',
    })
    assert.deepEqual(taker, {
      ...both,
      id: `${trade.id}-t`,
      account: 4,
      orderNumber: 2,
      ref: '0xab',
      timeInForce: 'IOC',
      isBuy: false,
      isMaker: false,
      fee: trade.takerFee,
      orderStatus: 'filled',
    })
    assert.notEqual(trade.makerFee, trade.takerFee)
  })

  test('a match stores the filled lots and the status of its orders at the time', () => {
    const tale = perps().place('alice', 'buy', 30_000, 10n)
    tale.place('bob', 'sell', 30_000, 4n).place('bob', 'sell', 30_000, 6n)
    const made = replayFills(tale).filter(({ isMaker }) => isMaker)
    const facts = made.map((fill) => [fill.orderFilledLots, fill.orderStatus])
    assert.deepEqual(facts, [
      [4n, 'partial'],
      [10n, 'filled'],
    ])
  })

  test('a match stores the previous position, the closed lots and the realised profit at a perpetual', () => {
    const tale = perps()
      .place('bob', 'sell', 30_000, 4n)
      .place('alice', 'buy', 30_000, 4n)
      .place('bob', 'buy', 30_100, 7n)
      .place('alice', 'sell', 30_100, 7n)
    const sold = replayFills(tale).at(-1)
    assert.equal(sold?.account, 3)
    assert.deepEqual([sold?.heldLots, sold?.closedLots], [4n, 4n])
    assert.equal(sold?.heldQuote, -120_000n * PERP.quotePerLotTick)
    assert.equal(sold?.realised, 400n * PERP.quotePerLotTick)
  })

  test('a match stores no position at a spot market, but the mark and the index of the time', () => {
    const tale = scenario()
      .list('ETH-USDC')
      .deposit('alice', 'USDC', 100_000n)
      .deposit('bob', 'ETH', 100n)
      .place('alice', 'buy', 300_000, 10n)
      .place('bob', 'sell', 300_000, 4n)
      .next()
      .index('ETH', 2999n * E18)
      .place('bob', 'sell', 300_000, 1n)
    const fills = replayFills(tale)
    const facts = (fill: Fill) => [fill.heldLots, fill.heldQuote, fill.closedLots, fill.fee]
    assert.deepEqual(
      fills.map(facts),
      fills.map(() => [null, null, null, 0n]),
    )
    assert.deepEqual(
      fills.map(({ mark, index }) => [mark, index]),
      [
        [null, null],
        [null, null],
        [300_000n * SPOT.priceStep, 2999n * E18],
        [300_000n * SPOT.priceStep, 2999n * E18],
      ],
    )
  })

  test('a match has fills consistent with its trade in every scenario', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { all } = replay(randomScenario(seed, 100))
        const fills = new Map(writtenRecords(all, 'fill').map((fill) => [fill.id, fill]))
        const trades = writtenRecords(all, 'trade')
        const offBook = [...fills.values()].filter(({ tick }) => tick === null)
        assert.equal(fills.size, 2 * trades.length + offBook.length)
        for (const trade of trades) {
          const [made, took] = [fills.get(`${trade.id}-m`), fills.get(`${trade.id}-t`)]
          assert.deepEqual([made?.account, made?.orderNumber], [trade.maker, trade.makerOrder])
          assert.deepEqual([took?.account, took?.orderNumber], [trade.taker, trade.takerOrder])
          assert.deepEqual([made?.isBuy, took?.isBuy], [!trade.isTakerBuy, trade.isTakerBuy])
          assert.deepEqual([made?.fee, took?.fee], [trade.makerFee, trade.takerFee])
          for (const fill of [made, took])
            assert.deepEqual(
              [fill?.market, fill?.tick, fill?.lots],
              [trade.market, trade.tick, trade.lots],
            )
        }
      }),
      { numRuns: 10 },
    )
  })
})

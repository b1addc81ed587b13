import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boughtTen as played } from '../test/scenario/bought-ten.ts'
import { LISTINGS } from '../test/scenario/listing.ts'
import { replay } from '../test/scenario/replay.ts'
import type { EventOf, LoggedEvent } from './events.ts'

const { id: market } = LISTINGS['ETH-PERP']
const ALICE = 3

describe('the indexer rejects', () => {
  const forced = { type: 'Liquidating', market, account: ALICE, order: 3 } as const
  for (const [title, tale, rule] of [
    [
      'a liquidation on the book without an order',
      () => played().say({ ...LIQUIDATED, lots: 1n }),
      /has an order/,
    ],
    [
      'a forced order with another number',
      () =>
        played()
          .say({ ...forced, order: 9 })
          .place('alice', 'sell', 31_000, 1n),
      /is the next one/,
    ],
    [
      'a forced order that could open a position',
      () => played().say(forced).place('alice', 'sell', 31_000, 1n),
      /is reduce-only/,
    ],
    [
      'an absorption of more than the position',
      () => played().say({ ...ABSORBED, lots: 11n }),
      /at most the position/,
    ],
    [
      'a deleverage that opens a position of the winner',
      () => played().deleverage('alice', 'carol', { lots: 4n, unit: 1n }),
      /a winner closes/,
    ],
  ] as const)
    test(title, () => {
      assert.throws(() => replay(tale().blocks()), rule)
    })
})

describe('the indexer rejects the outcome of a forced order', () => {
  /** The blocks of a liquidation that fills 3 lots, with its last event changed. */
  const withLiquidations = (replaced: (event: EventOf<'Liquidated'>) => LoggedEvent) =>
    played()
      .place('carol', 'buy', 29_000, 3n)
      .liquidate('alice', { tick: 29_000, lots: 3n, fee: 0n })
      .blocks()
      .map((block) => ({
        ...block,
        events: block.events.map((event) =>
          event.type === 'Liquidated' ? replaced(event) : event,
        ),
      }))

  test('the indexer rejects a liquidation that reports other lots than its order filled', () => {
    assert.equal(
      replay(withLiquidations((event) => event)).all.length,
      withLiquidations((event) => event).length,
    )
    for (const lots of [2n, 4n])
      assert.throws(
        () => replay(withLiquidations((event) => ({ ...event, lots }))),
        /lots its order filled/,
      )
  })

  test('the indexer rejects an absorption after a forced order was filled', () => {
    assert.throws(
      () =>
        replay(
          withLiquidations(({ logIndex, txHash }) => ({ ...ABSORBED, lots: 7n, logIndex, txHash })),
        ),
      /no fills on the book/,
    )
  })
})

const LIQUIDATED = { type: 'Liquidated', market, account: ALICE, fee: 0n, keeper: 0 } as const
const ABSORBED = { type: 'Absorbed', market, account: ALICE, unit: 1n, collateral: 0n } as const

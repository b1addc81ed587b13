import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS } from '../test/scenario/listing.ts'
import { replay } from '../test/scenario/replay.ts'
import { type Scenario, scenario } from '../test/scenario/scenario.ts'
import { fundingIndexAt } from './funding.ts'
import { E18 } from './integers.ts'
import { accountMargin } from './margin.ts'

const { id: market, engine } = LISTINGS['ETH-PERP']
const DAY_SECONDS = 86_400

/** Alice is long 10 lots from 3,005, and half a minute of funding has accrued. */
const played = () =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 100_000n)
    .deposit('bob', 'USDC', 100_000n)
    .place('bob', 'sell', 30_050, 10n)
    .place('alice', 'buy', 30_050, 10n)
    .next(30)

const ended = (tale: Scenario, given: { mark?: bigint; fundingIndex?: bigint } = {}) => {
  const { mark = 3000n * E18, fundingIndex = 0n } = given
  return tale.say({ type: 'Ended', market, mark, fundingIndex })
}

describe('a market that has ended', () => {
  test('a market that has ended keeps its mark when the index moves, and accrues no funding', () => {
    const state = replay(
      ended(played())
        .next()
        .index('ETH', 1000n * E18)
        .next(DAY_SECONDS)
        .blocks(),
    ).state
    const { records } = state
    assert.equal(records.market.get(market)?.isEnded, true)
    assert.equal(records.mark.get(market)?.price, 3000n * E18)
    assert.equal(records.indexPrice.get('ETH')?.price, 1000n * E18)
    const funding = records.funding.get(market)
    assert.ok(funding)
    assert.equal(fundingIndexAt(funding, (state.head?.seconds ?? 0) + DAY_SECONDS), 0n)
    assert.equal(funding.rate, 0n)
  })

  test('a market that has ended leaves equities unchanged at its mark', () => {
    const margin = (tale: Scenario) => {
      const { state } = replay(tale.blocks())
      const { accounts } = tale
      const account = accounts.get('alice') ?? 0
      return accountMargin(state, { engine, account, seconds: state.head?.seconds ?? 0 })?.equity
    }
    const before = margin(played())
    assert.ok(before !== undefined)
    assert.equal(margin(ended(played()).next().index('ETH', 1n).next()), before)
  })
})

describe('the indexer rejects the end of a market', () => {
  for (const [title, tale, rule] of [
    ['at another mark than its last', () => ended(played(), { mark: E18 }), /at its last mark/],
    [
      'with other funding than it accrued',
      () => ended(played(), { fundingIndex: 1n }),
      /accrues until a market ends/,
    ],
    ['before it has had a price', () => ended(scenario().list('ETH-PERP')), /has had a price/],
  ] as const)
    test(title, () => {
      assert.throws(() => replay(tale().blocks()), rule)
    })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HistoryFilter, RowCount } from '@openvenue/store/history/account-history'
import { freshReads, readOf } from '../../test/block-reads.ts'
import { funded } from '../../test/funded.ts'
import { BROKEN_ACCOUNTS, scenarioNode } from '../../test/scenario-node.ts'
import { exactly } from '../http/page.ts'
import { Counts } from './counts.ts'

const makeFilter = (account: number, fromSeconds = 0): HistoryFilter => ({
  account,
  markets: ['m'],
  fromSeconds,
  toSeconds: 9,
})

/** Counts of a list over a model, and the number of queries sent to the database. */
async function setUp(kind: 'fill' | 'order') {
  const scenario = funded('ETH-USDC').on('ETH-USDC')
  const { model, applyBlocks, undoBlock, close } = await scenarioNode(scenario.blocks())
  let asked = 0
  let nowMs = 0
  let answer = async () => exactly(asked)
  const history = {
    ...BROKEN_ACCOUNTS.history,
    count: async () => {
      asked += 1
      return readOf(await answer())
    },
  }
  const counts = new Counts(
    { model, history, fresh: freshReads(model), monotonicMs: () => nowMs },
    kind,
  )
  let known = scenario.blocks().length
  const follow = () => {
    const blocks = scenario.blocks()
    applyBlocks(blocks.slice(known))
    known = blocks.length
  }
  return {
    scenario,
    counts,
    model,
    follow,
    undoBlock,
    close,
    asked: () => asked,
    wait: (ms: number) => {
      nowMs += ms
    },
    answerWith: (other: () => Promise<RowCount>) => {
      answer = other
    },
  }
}

describe('counts of an account', () => {
  test('counts are queried from the database once per filter', async () => {
    const { counts, asked, close } = await setUp('fill')
    for (const filter of [makeFilter(3), makeFilter(3), makeFilter(3, 1), makeFilter(4)])
      await counts.of(filter)
    assert.equal(asked(), 3)
    await close()
  })

  test('counts are queried again after a fill of the account and after its undo', async () => {
    const { scenario, counts, asked, follow, undoBlock, close } = await setUp('fill')
    const alice = scenario.accountOf('alice')
    const carol = scenario.accountOf('carol')
    const ask = async () => {
      await counts.of(makeFilter(alice))
      await counts.of(makeFilter(carol))
      return asked()
    }
    assert.equal(await ask(), 2)
    scenario.place('alice', 'sell', 300_000, 5n).place('bob', 'buy', 300_000, 5n).next()
    follow()
    assert.equal(await ask(), 3)
    undoBlock()
    assert.equal(await ask(), 4)
    await close()
  })

  test('counts of orders do not change when orders are placed and rest', async () => {
    const { scenario, counts, asked, follow, close } = await setUp('order')
    const filter = makeFilter(scenario.accountOf('alice'))
    await counts.of(filter)
    scenario.place('alice', 'sell', 300_000, 5n).next()
    follow()
    await counts.of(filter)
    assert.equal(asked(), 1)
    scenario.place('bob', 'buy', 300_000, 2n).next()
    follow()
    await counts.of(filter)
    assert.equal(asked(), 2, 'a first fill brings the order into the history')
    scenario.place('bob', 'buy', 300_000, 3n).next()
    follow()
    await counts.of(filter)
    assert.equal(asked(), 3, 'the last fill ends it, and brings it into lists of what has ended')
    await close()
  })

  test('a count is not cached when a change arrives while it is being read', async () => {
    const { scenario, counts, asked, follow, answerWith, close } = await setUp('fill')
    const filter = makeFilter(scenario.accountOf('alice'))
    const { promise, resolve } = Promise.withResolvers<RowCount>()
    answerWith(() => promise)
    const early = counts.of(filter)
    scenario.place('alice', 'sell', 300_000, 5n).place('bob', 'buy', 300_000, 5n).next()
    follow()
    resolve(exactly(0))
    assert.deepEqual(await early, exactly(0))
    answerWith(async () => exactly(1))
    assert.deepEqual(await counts.of(filter), exactly(1))
    assert.equal(asked(), 2)
    await close()
  })

  test('counts are cached for at most ten seconds', async () => {
    const { counts, asked, wait, close } = await setUp('fill')
    await counts.of(makeFilter(3))
    wait(9999)
    await counts.of(makeFilter(3))
    assert.equal(asked(), 1)
    wait(1)
    await counts.of(makeFilter(3))
    assert.equal(asked(), 2)
    await close()
  })

  test('a failed count is queried again', async () => {
    const { counts, asked, answerWith, close } = await setUp('fill')
    answerWith(() => Promise.reject(new Error('the database is down')))
    await assert.rejects(counts.of(makeFilter(3)))
    answerWith(async () => exactly(7))
    assert.deepEqual(await counts.of(makeFilter(3)), exactly(7))
    assert.equal(asked(), 2)
    await close()
  })

  test('counts are kept for the last 16 filters of the last 1000 accounts', async () => {
    const { counts, asked, close } = await setUp('fill')
    const ask = async (filter: HistoryFilter) => {
      const before = asked()
      await counts.of(filter)
      return asked() > before
    }
    for (let from = 0; from < 17; from++) await counts.of(makeFilter(3, from))
    assert.deepEqual([await ask(makeFilter(3, 1)), await ask(makeFilter(3, 0))], [false, true])
    for (let account = 4; account < 1003; account++) await counts.of(makeFilter(account))
    assert.equal(await ask(makeFilter(3, 0)), false)
    await counts.of(makeFilter(1003))
    assert.equal(await ask(makeFilter(4)), true)
    await close()
  })

  test('counts are dropped when the node starts again', async () => {
    const { counts, model, asked, close } = await setUp('fill')
    await counts.of(makeFilter(3))
    model.load({
      seq: 9,
      state: model.state,
      trades: new Map(),
      candles: new Map(),
      priceMinutes: new Map(),
      settlements: new Map(),
      poolHours: new Map(),
    })
    await counts.of(makeFilter(3))
    assert.equal(asked(), 2)
    await close()
  })
})

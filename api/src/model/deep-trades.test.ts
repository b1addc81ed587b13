import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { Reader } from '@openvenue/store/store'
import { ScenarioFeed } from '../../test/channel-node.ts'
import { feedReader } from '../../test/feed-reader.ts'
import { emptySnapshot } from '../../test/scenario-node.ts'
import { Refusal } from '../http/refusals.ts'
import { DeepTrades } from './deep-trades.ts'
import { type LiveMarket, TRADES_KEPT_MAX } from './live-market.ts'
import { VenueModel } from './venue-model.ts'

const RICH = 10n ** 9n
const LIMIT = 1000
const NAMES = ['ETH-USDC', 'BTC-USDC'] as const

/** A node with two markets of `count` trades each, one per block, and its database. */
function traded(count: number) {
  const scenario = new Scenario()
  for (const name of NAMES) {
    scenario.list(name)
    for (const who of ['alice', 'bob'])
      for (const token of ['USDC', 'ETH', 'BTC'] as const) scenario.deposit(who, token, RICH)
  }
  for (let left = count; left > 0; left--) {
    for (const name of NAMES) trade(scenario.on(name), LISTINGS[name].startTick)
    scenario.next()
  }
  const feed = new ScenarioFeed()
  const model = new VenueModel()
  model.load(emptySnapshot())
  let blockCount = 0
  const follow = () => {
    for (const entry of feed.entries) if (entry.seq > model.seq) model.apply(entry)
  }
  const applyBlocks = () => {
    feed.applyBlocks(scenario.blocks().slice(blockCount))
    blockCount = scenario.blocks().length
    follow()
  }
  applyBlocks()
  const one = () => {
    trade(scenario.on(NAMES[0]), LISTINGS[NAMES[0]].startTick).next()
    applyBlocks()
  }
  const undo = () => {
    feed.undoBlock()
    follow()
  }
  const live = (name: string) => model.market(name) as LiveMarket
  return { model, live, one, undo, ...feedReader(feed.entries, model) }
}

const trade = (scenario: Scenario, tick: number) =>
  scenario.place('bob', 'sell', tick, 10n).place('alice', 'buy', tick, 10n)

describe('trades', () => {
  test('trades beyond those kept for every market are read on request, and follow the feed', async () => {
    const { model, live, one, undo, newestTrades } = traded(600)
    const market = live('ETH-USDC')
    assert.ok(market.trades.length < 2 * TRADES_KEPT_MAX && !market.hasAllTrades)
    const deep = new DeepTrades({ model, reader: { newestTrades }, onLeft: () => {} })
    const expected = async () =>
      (await newestTrades({ market: market.market.id, limit: 100_000 })).rows
    assert.equal(deep.has(market, LIMIT), false)
    await deep.read(market, LIMIT)
    assert.equal(deep.has(market, LIMIT), true)
    assert.deepEqual(market.trades, await expected())
    for (const act of [one, one, undo, one]) {
      act()
      assert.deepEqual(market.trades, await expected())
    }
  })

  test('trades that arrive while the database reads are neither missed nor served twice', async () => {
    const { model, live, one, newestTrades } = traded(600)
    const market = live('ETH-USDC')
    const answered = Promise.withResolvers<void>()
    const slow: Reader['newestTrades'] = async (query) => {
      const reading = await newestTrades(query)
      await answered.promise
      return reading
    }
    const deep = new DeepTrades({ model, reader: { newestTrades: slow }, onLeft: () => {} })
    const reading = deep.read(market, LIMIT)
    one()
    one()
    answered.resolve()
    await reading
    const { rows } = await newestTrades({ market: market.market.id, limit: 100_000 })
    assert.deepEqual(market.trades, rows)
  })

  test('trades are kept for at most the maximum number of markets', async () => {
    const { model, live, newestTrades } = traded(600)
    let left = 0
    const onLeft = () => {
      left += 1
    }
    const deep = new DeepTrades({ model, reader: { newestTrades }, onLeft, marketsMax: 1 })
    for (const name of NAMES) await deep.read(live(name), LIMIT)
    assert.deepEqual([deep.size, left], [1, 1])
    assert.deepEqual(
      NAMES.map((name) => deep.has(live(name), LIMIT)),
      [false, true],
    )
    assert.equal(live(NAMES[0]).trades.length, TRADES_KEPT_MAX)
  })

  test('trades are refused with 503 while the database does not answer', async () => {
    const { model, live } = traded(600)
    const newestTrades = () => Promise.reject(new Error('down'))
    const deep = new DeepTrades({ model, reader: { newestTrades }, onLeft: () => {} })
    await assert.rejects(
      deep.read(live('ETH-USDC'), LIMIT),
      (error) => error instanceof Refusal && error.status === 503,
    )
    await deep.read(live('ETH-USDC'), TRADES_KEPT_MAX)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { topLevels } from '@openvenue/core/book'
import type { VenueBlock } from '@openvenue/core/events'
import { PERP_ENGINE, SPOT_ENGINE } from '@openvenue/core/test/scenario/listing'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { replay } from '@openvenue/core/test/scenario/replay'
import { ACCOUNTS, contractBlocks, type FakeLog, ORACLE } from '../../test/event-logs.ts'
import { FakeChain } from '../../test/fake-chain.ts'
import { ChainView, type ChainViewOptions } from './chain-view.ts'
import { REORG_BLOCKS_MAX } from './folded-state.ts'
import { amountText, priceText } from './market-text.ts'
import { ChainError } from './rpc.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20261123)
const BLOCKS = 150
const scenario = contractBlocks(randomScenario(SEED, BLOCKS))
const contracts = {
  accounts: ACCOUNTS,
  spot: SPOT_ENGINE,
  perps: PERP_ENGINE,
  oracles: [ORACLE],
  fromBlock: 1,
}

const open = (rpc: FakeChain, options: Partial<ChainViewOptions> = {}) =>
  ChainView.open({ rpc, contracts, pollMs: 1, ...options })

/** Returns the complete view of all accounts and books of the scenario. */
function pictureOf(view: ChainView) {
  const accounts = wallets.map((wallet) => ({
    orders: view.orders(wallet),
    positions: view.positions(wallet),
    balances: view.balances(wallet),
  }))
  const { number, hash } = view.head
  return { number, hash, accounts, books: view.markets.map((name) => view.book(name)) }
}

const wallets = scenario.flatMap(({ events }) =>
  events.flatMap((event) => (event.type === 'AccountOpened' ? [event.wallet] : [])),
)

/** Returns blocks without events on top of `parent`, with hashes that no scenario uses. */
function emptyBlocks({ header }: VenueBlock, count: number): VenueBlock[] {
  const blocks: VenueBlock[] = []
  let parent = header
  for (let step = 0; step < count; step++) {
    const { number, seconds, hash } = parent
    const next = `0x${(number + 1).toString(16).padStart(64, 'e')}`
    parent = { number: number + 1, hash: next, parentHash: hash, seconds: seconds + 1 }
    blocks.push({ header: parent, events: [] })
  }
  return blocks
}

/** Follows the chain until the view is at the last of `blocks`. */
async function caughtUp(view: ChainView, blocks: readonly VenueBlock[]): Promise<void> {
  const hash = blocks.at(-1)?.header.hash
  if (view.head.hash === hash) return
  for await (const head of view.blocks()) if (head.hash === hash) return
}

describe(`a view of a chain of ${BLOCKS} random blocks, seed ${SEED}`, () => {
  test('a chain view has the same books and orders as a replay of the same events by core', async () => {
    const view = await open(new FakeChain(scenario))
    const { state } = replay(scenario)
    for (const market of state.records.market.values()) {
      const book = state.books.get(market.id)
      const level = (isBuy: boolean) =>
        book === undefined
          ? []
          : topLevels(book, isBuy, 1000).map(({ tick, lots, count }) => [
              priceText(market, tick),
              amountText(market, lots),
              String(count),
            ])
      assert.deepEqual(view.book(market.name), { bids: level(true), asks: level(false) })
      assert.deepEqual(view.book(market.id), view.book(market.name))
    }
    const orders = wallets.flatMap((wallet) => view.orders(wallet))
    assert.equal(orders.length, state.records.order.size)
    assert.ok(orders.length > 10, `${orders.length} resting orders`)
  })

  test('a chain view does not depend on the ranges of its log requests, even if some are refused', async () => {
    const rpc = new FakeChain(scenario)
    const whole = pictureOf(await open(rpc))
    assert.deepEqual(pictureOf(await open(rpc, { logRangeBlocks: 7 })), whole)
    rpc.rangeMax = 5
    assert.deepEqual(pictureOf(await open(rpc)), whole)
  })

  test('a chain view is the same whether blocks were read in ranges or one by one', async () => {
    const rpc = new FakeChain(scenario.slice(0, 3))
    const view = await open(rpc)
    rpc.blocks = scenario
    for await (const { number } of view.blocks()) if (number === BLOCKS) break
    assert.deepEqual(pictureOf(view), pictureOf(await open(rpc)))
  })

  test('a chain view undoes reorganised blocks up to its maximum depth', async () => {
    const rpc = new FakeChain(scenario)
    const view = await open(rpc)
    for (const depth of [1, 10, 63]) {
      rpc.blocks = scenario
      await caughtUp(view, scenario)
      const remaining = scenario.slice(0, BLOCKS - depth)
      rpc.blocks = [...remaining, ...emptyBlocks(remaining.at(-1) as VenueBlock, depth + 1)]
      for await (const { undone, number } of view.blocks()) {
        assert.deepEqual({ undone, number }, { undone: depth, number: BLOCKS + 1 })
        break
      }
      assert.deepEqual(pictureOf(view), pictureOf(await open(rpc)))
    }
  })

  test('a chain view yields nothing while its node is behind', async () => {
    const rpc = new FakeChain(scenario)
    const view = await open(rpc)
    const before = pictureOf(view)
    rpc.blocks = scenario.slice(0, -5)
    const stop = new AbortController()
    const looking = view.blocks(stop.signal).next()
    const askedBefore = rpc.methods.length
    while (rpc.methods.length < askedBefore + 3) await new Promise(setImmediate)
    stop.abort()
    assert.deepEqual(await looking, { done: true, value: undefined })
    assert.deepEqual(pictureOf(view), before)
  })

  test('a chain view retries a failing node five times, then throws', async () => {
    const rpc = new FakeChain(scenario.slice(0, -1))
    const view = await open(rpc)
    rpc.blocks = scenario
    rpc.failures = 5
    for await (const { number } of view.blocks()) {
      assert.equal(number, BLOCKS)
      break
    }
    rpc.failures = 6
    await assert.rejects(view.blocks().next(), ChainError)
  })

  test('a chain view throws if its node left out logs', async () => {
    const rpc = new FakeChain(scenario.slice(0, 2))
    const view = await open(rpc)
    const isPlacement = ({ topics }: FakeLog) => topics.length === 3
    rpc.hides = isPlacement
    rpc.blocks = scenario
    await assert.rejects(view.blocks().next(), /the logs that the node gave contradict each other/)
    await assert.rejects(open(rpc), ChainError)
  })

  test('a chain view refuses an unlisted market and has no data for an unknown wallet', async () => {
    const view = await open(new FakeChain(scenario))
    assert.throws(() => view.book('NO-SUCH'), /there is no market NO-SUCH/)
    const stranger = `0x${'77'.repeat(20)}`
    assert.deepEqual(view.orders(stranger), [])
    assert.deepEqual(view.positions(stranger), [])
    assert.equal(view.balances(stranger), undefined)
  })

  test('two readers share one chain view, and each gets every block', async () => {
    const rpc = new FakeChain(scenario.slice(0, -1))
    const view = await open(rpc)
    const readers = [view.blocks().next(), view.blocks().next()]
    rpc.blocks = scenario
    for (const { value } of await Promise.all(readers)) assert.equal(value?.number, BLOCKS)
  })
})

test(`a chain view must be reopened after a reorg of more than ${REORG_BLOCKS_MAX} blocks`, async () => {
  const first = scenario[0] as VenueBlock
  const long = [first, ...emptyBlocks(first, REORG_BLOCKS_MAX + 50)]
  const rpc = new FakeChain(scenario.slice(0, 1))
  const view = await open(rpc)
  rpc.blocks = long
  for await (const { number } of view.blocks()) if (number === long.length) break
  const other = { ...first, header: { ...first.header, hash: `0x${'0f'.repeat(32)}` } }
  const otherBlocks = emptyBlocks(other, long.length).map(({ header }, index) => ({
    header: {
      ...header,
      hash: header.hash.replace('0xee', '0xff'),
      parentHash: index === 0 ? other.header.hash : header.parentHash.replace('0xee', '0xff'),
    },
    events: [],
  }))
  rpc.blocks = [other, ...otherBlocks]
  const watching = async () => {
    for await (const { hash } of view.blocks()) if (hash.startsWith('0xff')) return
  }
  await assert.rejects(watching, /the chain undid more than 256 blocks: open a new view/)
})

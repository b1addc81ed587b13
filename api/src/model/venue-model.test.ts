import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { topLevels } from '@openvenue/core/book'
import { invertChanges } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import { E18 } from '@openvenue/core/integers'
import { emptyState } from '@openvenue/core/state'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { scenario } from '@openvenue/core/test/scenario/scenario'
import { applyBlock } from '@openvenue/core/venue'
import type { FeedEntry, Snapshot, Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import fc from 'fast-check'
import { PRICE_WINDOW_S, windowsAt } from './snapshot-windows.ts'
import { VenueModel } from './venue-model.ts'

const INDEX = 3_000n * E18

const empty = (): Snapshot => ({
  seq: 0,
  state: emptyState(),
  trades: new Map(),
  candles: new Map(),
  priceMinutes: new Map(),
  settlements: new Map(),
  poolHours: new Map(),
})

function makeEntries(blocks: readonly VenueBlock[]): FeedEntry[] {
  const state = emptyState()
  return blocks.map((block, i) => ({ seq: i + 1, kind: 'apply', ...applyBlock(state, block) }))
}

function makeModel(entries: readonly FeedEntry[]): VenueModel {
  const model = new VenueModel()
  model.load(empty())
  for (const entry of entries) model.apply(entry)
  return model
}

/** All data that answers use. Empty windows count as none. */
function shown(model: VenueModel, series: Iterable<string> = []) {
  return {
    seq: model.seq,
    head: model.head,
    markets: [...model.markets].map((live) => ({
      market: live.market,
      bids: topLevels(model.book(live.market.id), true, 1000),
      asks: topLevels(model.book(live.market.id), false, 1000),
      trades: live.trades,
      settlements: live.settlements,
      hours: live.hours.slice(-24),
      months: live.months,
      ticker: model.ticker(live.market.id),
      mark: model.mark(live.market.id),
      funding: model.funding(live.market.id),
    })),
    pools: [...model.pools]
      .map((pool) => ({ pool, hours: model.poolHours(pool.address) }))
      .sort((a, b) => (a.pool.address < b.pool.address ? -1 : 1)),
    poolTokens: [...model.poolTokens].sort((a, b) => (a.address < b.address ? -1 : 1)),
    prices: [...series].sort().map((name) => [name, model.priceMinutes(name)]),
  }
}

const listSeries = (model: VenueModel) =>
  [...model.markets].flatMap(({ market }) => [`mark:${market.id}`, `index:${market.asset}`])

describe('the model', () => {
  test('the model comes back exactly when blocks are undone, however many', () => {
    const tales = fc.record({ seed: fc.nat(), blocks: fc.integer({ min: 2, max: 60 }) })
    fc.assert(
      fc.property(tales, fc.integer({ min: 1, max: 20 }), ({ seed, blocks }, depth) => {
        const entries = makeEntries(randomScenario(seed, blocks))
        const kept = entries.slice(0, Math.max(1, entries.length - depth))
        const model = makeModel(entries)
        for (const entry of entries.slice(kept.length).reverse()) {
          const header = entries[entry.seq - 2]?.header ?? entry.header
          model.apply({
            seq: model.seq + 1,
            kind: 'undo',
            header,
            changes: invertChanges(entry.changes),
          })
        }
        const expected = makeModel(kept)
        const { seq: _, ...now } = shown(model, listSeries(expected))
        const { seq: __, ...then } = shown(expected, listSeries(expected))
        assert.deepEqual(now, then)
      }),
      { numRuns: 30 },
    )
  })

  test('the model has the mark of its head, in a block without changes and after its undo', () => {
    const tale = scenario().index('ETH', INDEX).list('ETH-PERP').deposit('alice', 'USDC', 1_000n)
    tale.deposit('bob', 'USDC', 1_000n).place('alice', 'buy', 30_050, 10n)
    tale.place('bob', 'sell', 30_070, 10n).next().poke().next().next()
    const entries = makeEntries(tale.blocks())
    const model = makeModel(entries.slice(0, -1))
    const { id } = LISTINGS['ETH-PERP']
    const [poked, silent] = entries.slice(-2) as [FeedEntry, FeedEntry]
    const versions = () => model.market(id)?.versions.facts ?? 0
    const seen = [[model.mark(id)?.price, versions()] as const]
    model.apply(silent)
    assert.deepEqual([silent.changes, model.turnedMarks], [[], [id]])
    seen.push([model.mark(id)?.price, versions()])
    model.apply({ ...silent, seq: silent.seq + 1, kind: 'undo', header: poked.header })
    assert.deepEqual(model.turnedMarks, [id])
    seen.push([model.mark(id)?.price, versions()])
    const moved = INDEX + INDEX / 2_000n
    assert.deepEqual(
      seen.map(([price]) => price),
      [INDEX, moved, INDEX],
    )
    const [first, second, third] = seen.map(([, version]) => version)
    assert.ok(first !== second && second !== third, 'bodies of the market are made anew')
  })

  test('the model passes each change once to the listeners of its kind, after all are applied', () => {
    const entries = makeEntries(randomScenario(3, 40))
    const model = new VenueModel()
    const heard: string[] = []
    model.on('trade', ({ after }) => {
      assert.equal(model.head?.number, after?.blockNumber)
      heard.push(after?.id ?? '')
    })
    model.load(empty())
    for (const entry of entries) model.apply(entry)
    const changed = entries.flatMap(({ changes }) =>
      changes.flatMap(({ what, after }) => (what === 'trade' && after ? [after.id] : [])),
    )
    assert.ok(changed.length > 0)
    assert.deepEqual(heard, changed)
  })

  test('the model raises the version of a market whose book or trades change, and of no other', () => {
    const entries = makeEntries(randomScenario(5, 80))
    const model = makeModel([])
    for (const entry of entries) {
      const before = new Map(
        [...model.markets].map((live) => [live.market.id, { ...live.versions }]),
      )
      model.apply(entry)
      for (const { market, versions } of model.markets) {
        const hasChange = (what: string) =>
          entry.changes.some(
            (change) =>
              change.what === what &&
              ((change.after ?? change.before) as { market?: string }).market === market.id,
          )
        const old = before.get(market.id)
        if (old === undefined) continue
        assert.equal(versions.book > old.book, hasChange('order'))
        assert.equal(versions.trades > old.trades, hasChange('trade'))
      }
    }
  })

  test('the model finds pools and their tokens by address, and keeps the hours of a day', () => {
    const entries = makeEntries(randomScenario(4, 400))
    const model = makeModel(entries)
    assert.equal([...model.pools].length, 4)
    for (const pool of model.pools) {
      assert.equal(model.pool(pool.address), pool)
      for (const address of [pool.token0, pool.token1])
        assert.equal(model.poolToken(address)?.address, address)
      const opens = model.poolHours(pool.address).map(({ openSeconds }) => openSeconds)
      const written = entries.flatMap(({ changes }) =>
        changes.flatMap(({ what, after }) =>
          what === 'poolHour' && after?.pool === pool.address ? [after.openSeconds] : [],
        ),
      )
      const all = [...new Set(written)]
      assert.ok(all.length > 0)
      assert.deepEqual(opens, all.slice(-opens.length))
      assert.ok(opens.length >= Math.min(all.length, PRICE_WINDOW_S / 3600))
    }
    assert.equal(model.pool('0x'), undefined)
    assert.equal(model.poolToken('0x'), undefined)
    assert.deepEqual(model.poolHours('0x'), [])
  })

  test('the model raises the versions of pools when they change, that of their list when one comes', () => {
    const model = makeModel([])
    for (const entry of makeEntries(randomScenario(6, 200))) {
      const { pools, poolListing } = model.versions
      const count = [...model.pools].length
      model.apply(entry)
      const kinds = entry.changes.map(({ what }) => what)
      const isPoolChanged = kinds.some((what) => what.startsWith('pool'))
      assert.equal(model.versions.pools > pools, isPoolChanged)
      assert.equal(model.versions.poolListing > poolListing, [...model.pools].length !== count)
    }
  })
})

describe('a snapshot at N and the feed after N', () => {
  let store: Store
  const blocks = randomScenario(11, 160)
  const { seconds = 0 } = blocks.at(-1)?.header ?? {}
  const cuts = [0, 1, 40, 90, 159, 160]
  const snapshots: Snapshot[] = []
  before(async () => {
    store = await openMemoryStore()
    const state = emptyState()
    const changes = blocks.map((block) => applyBlock(state, block))
    for (const [i, cut] of cuts.entries()) {
      const part = changes.slice(cuts[i - 1] ?? 0, cut)
      if (part.length > 0) await store.writer.commit(part, 0)
      snapshots.push(await store.reader.snapshot(windowsAt(seconds)))
    }
  })
  after(() => store.close())

  test('a snapshot at N and the feed after N are the model at the head, for every N', async () => {
    const [empty] = snapshots
    assert.ok(empty)
    const expected = new VenueModel()
    expected.load(empty)
    for (const entry of await store.reader.feedAfter(empty.seq, 1000)) expected.apply(entry)
    const series = listSeries(expected)
    for (const snapshot of snapshots) {
      const model = new VenueModel()
      model.load(snapshot)
      for (const entry of await store.reader.feedAfter(snapshot.seq, 1000)) model.apply(entry)
      assert.deepEqual(shown(model, series), shown(expected, series))
    }
  })
})

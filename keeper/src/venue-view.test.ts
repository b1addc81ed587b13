// Compares the keeper's view with the indexer's state through reorganisations and lost feeds.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fold } from '@openvenue/core/state'
import { until } from '@openvenue/core/test/until'
import { FeedGone, type Reader } from '@openvenue/store/store'
import { pino } from 'pino'
import { LiveVenue } from '../test/live-venue.ts'
import { VenueView } from './venue-view.ts'

const [SELLER, BUYER] = [1, 2] as const
const KEPT = ['market', 'order', 'unswept', 'position', 'collateral', 'mark', 'funding'] as const

describe('the view of a venue', () => {
  let live: LiveVenue
  const stopping: (() => Promise<void>)[] = []
  before(async () => {
    live = await LiveVenue.start()
  })
  after(async () => {
    for (const stop of stopping) await stop()
    await live.stop()
  })

  const start = (reader: Reader = live.store.reader) => {
    const view = new VenueView({ reader, clock: live.clock, log: pino({ level: 'silent' }) })
    const stop = new AbortController()
    const following = view.follow(stop.signal)
    stopping.push(async () => {
      stop.abort()
      await following
    })
    return view
  }
  const trade = () =>
    live.send([
      live.order(SELLER, { buy: false, tick: 30_000, lots: 300n }),
      live.order(BUYER, { buy: true, tick: 30_000, lots: 200n }),
    ])
  /** Waits until the view is at the chain's head, and compares it with the store. */
  const expectEqual = async (view: VenueView) => {
    const { hash } = await live.venue.head()
    await until('the view is at the head', () => view.state.head?.hash === hash)
    const stored = await live.store.writer.loadState()
    for (const kind of KEPT)
      assert.deepEqual(
        view.state.records[kind] as ReadonlyMap<string, unknown>,
        stored.records[kind],
        kind,
      )
  }

  for (const [what, isCarried, pollMs] of [
    ['every second while blocks may come without a notification', true, 1000],
    ['every ten seconds while notifications announce each block', false, 10_000],
  ] as const)
    test(`the venue view polls the feed ${what}`, async () => {
      const pauses: number[] = []
      const clock = {
        ...live.clock,
        delay: (ms: number, signal?: AbortSignal) => {
          pauses.push(ms)
          return live.clock.delay(ms, signal)
        },
      }
      const log = pino({ level: 'silent' })
      const { reader } = live.store
      const view = new VenueView({ reader, clock, log, isCarried })
      const stop = new AbortController()
      const following = view.follow(stop.signal)
      await until('it waits for the next block', () => pauses.length > 0)
      stop.abort()
      await following
      assert.equal(pauses[0], pollMs)
    })

  test('the venue view starts with a snapshot and follows the feed', async () => {
    await trade()
    const view = start()
    await expectEqual(view)
    let changes = 0
    const stop = view.onChange(() => {
      changes += 1
    })
    await trade()
    await expectEqual(view)
    assert.ok(changes > 0)
    stop()
    const countBefore = changes
    await trade()
    await expectEqual(view)
    assert.equal(changes, countBefore)
  })

  test('the venue view undoes what the chain undoes', async () => {
    const view = start()
    await trade()
    await trade()
    await expectEqual(view)
    const orders = view.state.records.order.size
    await live.venue.replace([[], []])
    await expectEqual(view)
    assert.ok(view.state.records.order.size < orders)
  })

  test('the venue view notifies followers of all changes to its state, including undone ones', async () => {
    const view = start()
    await trade()
    await expectEqual(view)
    const copy = structuredClone(view.state)
    const stop = view.onFold((changes) => fold(copy, changes))
    await trade()
    await expectEqual(view)
    await live.venue.replace([[], []])
    await expectEqual(view)
    assert.deepEqual(copy.records, view.state.records)
    stop()
    await trade()
    await expectEqual(view)
    assert.notDeepEqual(copy.records, view.state.records)
  })

  test('the venue view reloads a snapshot when the feed no longer holds the entries it lacks', async () => {
    const { reader } = live.store
    let [reads, snapshots] = [0, 0]
    const view = start({
      ...reader,
      snapshot: (windows) => {
        snapshots += 1
        return reader.snapshot(windows)
      },
      feedAfter: async (seq, limit) => {
        reads += 1
        if (reads > 1 && snapshots < 2) throw new FeedGone('pruned')
        return reader.feedAfter(seq, limit)
      },
    })
    await trade()
    await expectEqual(view)
    await until('that has happened', () => snapshots === 2)
    await expectEqual(view)
  })

  test('the venue view reloads a snapshot when a feed entry is not the child of its head', async () => {
    const { reader } = live.store
    let breaks = 0
    const lying: Reader = {
      ...reader,
      feedAfter: async (seq, limit) => {
        const entries = await reader.feedAfter(seq, limit)
        if (breaks > 0) return entries
        const lie = { parentHash: `0x${'ee'.repeat(32)}` }
        return entries.map((entry) => ({ ...entry, header: { ...entry.header, ...lie } }))
      },
    }
    const log = pino({ level: 'silent' })
    const onFeedBreak = () => {
      breaks += 1
    }
    const view = new VenueView({ reader: lying, clock: live.clock, log, onFeedBreak })
    const stop = new AbortController()
    const following = view.follow(stop.signal)
    await until('the view is loaded', () => view.seq >= 0)
    await trade()
    await until('the lie is seen', () => breaks === 1)
    await expectEqual(view)
    stop.abort()
    await following
  })

  test('the venue view continues when a failed database answers again', async () => {
    const { reader } = live.store
    let failures = 3
    const view = start({
      ...reader,
      snapshot: async (windows) => {
        if (failures-- > 0) throw new Error('away')
        return reader.snapshot(windows)
      },
    })
    await expectEqual(view)
  })

  test('the venue view keeps no record that no task reads', async () => {
    const view = start()
    await trade()
    await expectEqual(view)
    for (const [kind, slots] of Object.entries(view.state.records))
      if (![...KEPT, 'indexPrice'].includes(kind as never)) assert.equal(slots.size, 0, kind)
  })
})

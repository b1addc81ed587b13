import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { FeedEntry, Reader } from '@openvenue/store/store'
import { ScenarioFeed } from '../../test/channel-node.ts'
import { emptySnapshot } from '../../test/scenario-node.ts'
import { followModel, loadModel } from './follow.ts'
import { VenueModel } from './venue-model.ts'

const BLOCKS = 6

/** A feed of some blocks with one taken back, and a reader whose feed `lie` alters. */
function feedThat(lie: (entries: readonly FeedEntry[]) => readonly FeedEntry[]) {
  const scenario = new Scenario()
  const feed = new ScenarioFeed()
  for (let block = 0; block < BLOCKS; block++) scenario.next(1)
  feed.applyBlocks(scenario.blocks())
  feed.undoBlock()
  const counts = { snapshots: 0 }
  const truth = new VenueModel()
  truth.load(emptySnapshot())
  for (const entry of feed.entries) truth.apply(entry)
  const stopped = new AbortController()
  const reader = {
    // The first snapshot is empty; later ones are complete.
    snapshot: async () => {
      const isFirst = counts.snapshots++ === 0
      if (isFirst) return emptySnapshot()
      return { ...emptySnapshot(), seq: truth.seq, state: truth.state }
    },
    feedAfter: async (seq: number) => {
      const isFirst = counts.snapshots === 1
      return (isFirst ? lie(feed.entries) : feed.entries).filter((entry) => entry.seq > seq)
    },
    onSignal: () => () => {},
  } as unknown as Reader
  const model = new VenueModel()
  const log = { info: () => {}, warn: () => {} }
  const delay = async (_ms: number, signal: AbortSignal) => {
    // The test ends once the whole feed is read.
    if (model.seq === truth.seq || signal.aborted) stopped.abort()
  }
  const deps = { model, reader, nowMs: () => 0, delay, log }
  const follow = async () => {
    await loadModel(deps, stopped.signal)
    await followModel(deps, stopped.signal)
  }
  return { model, truth, counts, follow }
}

describe('entries of the feed', () => {
  test('entries of the feed that follow one another are applied, without a second snapshot', async () => {
    const { model, truth, counts, follow } = feedThat((entries) => entries)
    await follow()
    assert.deepEqual([model.head, counts.snapshots], [truth.head, 1])
    assert.equal(model.feedBreaks, 0)
  })

  const other = `0x${'ee'.repeat(32)}`
  const withHeader = (at: number, change: object) => (entries: readonly FeedEntry[]) =>
    entries.map((entry, index) =>
      index === at ? { ...entry, header: { ...entry.header, ...change } } : entry,
    )
  const lies: [string, Parameters<typeof feedThat>[0]][] = [
    ['a block of another parent', withHeader(3, { parentHash: other })],
    ['a block below the head', withHeader(3, { number: 1 })],
    ['an undo that leads elsewhere', withHeader(BLOCKS, { hash: other })],
    ['an undo of more than its block', withHeader(BLOCKS, { number: 2 })],
  ]
  for (const [what, lie] of lies) {
    test(`${what} is not applied: the follower reloads a snapshot, and it is counted`, async () => {
      const { model, truth, counts, follow } = feedThat(lie)
      await follow()
      assert.deepEqual([model.head, counts.snapshots], [truth.head, 2])
      assert.equal(model.feedBreaks, 1)
    })
  }
})

// Rebuilding a channel's messages for a returning client when it had no subscribers meanwhile.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Change } from '@openvenue/core/changes'
import type { FeedEntry } from '@openvenue/store/store'
import { readOf } from '../../../test/block-reads.ts'
import {
  channelNode,
  type Frame,
  type ScenarioFeed,
  scenarioNode,
  settled,
  walletOf,
} from '../../../test/channel-node.ts'
import { emptySnapshot } from '../../../test/scenario-node.ts'
import { VenueModel } from '../../model/venue-model.ts'
import { AHEAD_MS_MAX, PAST_ROWS_MAX, PastEntries } from './past-entries.ts'
import { type ReplayHandle, ReplayMemory } from './replay-memory.ts'

const NAMES = ['trades:ETH-USDC', 'trades-block:ETH', 'fills', 'orders'] as const

/** A node where alice and bob trade in every block that `trade` makes. */
function trading() {
  const all = scenarioNode('ETH-USDC')
  const { scenario, next } = all
  const trade = (lots: bigint) => {
    scenario.place('alice', 'sell', 300_000, lots).place('bob', 'buy', 300_000, lots)
    next()
  }
  return { ...all, trade, alice: walletOf(scenario, 'alice') }
}

/** Returns a node that starts at the feed's current entry, with a snapshot and no past. */
function restarted(
  feed: ScenarioFeed,
  { alice, account }: Readonly<{ alice: string; account: number }>,
) {
  const model = new VenueModel()
  model.load(emptySnapshot())
  for (const entry of feed.entries) model.apply(entry)
  const { state, seq } = model
  const later = new VenueModel()
  later.load({ ...emptySnapshot(), state, seq })
  const accountNumber = async (wallet: string) => readOf(wallet === alice ? account : undefined)
  return channelNode(feed, { model: later, history: { accountNumber } })
}

/** A frame without its time and the node that sent it. */
const said = ({ ts: _ts, prev_seq: _prev, ...frame }: Frame) => frame

describe('a channel without subscribers meanwhile', () => {
  for (const name of NAMES)
    test(`${name} gives a returning client the missed messages as they were published`, async () => {
      const { node, trade, alice, feed, scenario } = trading()
      const heard = node.open(name, alice)
      await heard.stream.ready?.()
      const from = node.model.seq
      trade(1n)
      trade(2n)
      await settled()
      const published = heard.take()
      assert.equal(published.length >= 2, true)
      heard.close()
      // The same node, where the channel has closed; and one that has just started.
      const account = scenario.accountOf('alice')
      for (const other of [node, restarted(feed, { alice, account })]) {
        const missed = await other.open(name, alice).replay(from)
        assert.deepEqual(missed?.map(said), published.map(said))
        assert.equal(missed?.[0]?.prev_seq, from)
      }
    })

  test('a channel without subscribers meanwhile continues where the rebuilt messages end, without a gap', async () => {
    const { node, trade, next, scenario } = trading()
    const from = node.model.seq
    trade(1n)
    scenario.place('alice', 'buy', 299_000, 1n)
    next()
    const back = node.open('trades:ETH-USDC')
    const missed = await back.replay(from)
    trade(2n)
    const [live] = back.take()
    assert.equal(live?.prev_seq, missed?.at(-1)?.seq)
  })

  test('a channel without subscribers meanwhile undoes trades that a reorganisation took back meanwhile', async () => {
    const { node, trade, feed } = trading()
    trade(1n)
    const from = node.model.seq
    feed.undoBlock()
    node.follow()
    const missed = await node.open('trades:ETH-USDC').replay(from)
    assert.deepEqual(
      missed?.map(({ type }) => type),
      ['undo'],
    )
  })

  test('a channel without subscribers meanwhile has a gap where the database has lost the entries', async () => {
    const { node, trade, feed, scenario, alice } = trading()
    const from = node.model.seq
    trade(1n)
    trade(2n)
    const after = restarted(feed, { alice, account: scenario.accountOf('alice') })
    feed.entries.splice(0, feed.entries.length - 1)
    const back = after.open('trades:ETH-USDC')
    assert.equal(await back.replay(from), undefined)
    assert.deepEqual(await back.replay(after.model.seq), [])
  })

  test('a channel without subscribers meanwhile rejects while the database does not answer, and reports no gap', async () => {
    const { node, trade } = trading()
    const { model } = node
    const from = model.seq
    trade(1n)
    const { state, seq } = model
    const later = new VenueModel()
    later.load({ ...emptySnapshot(), state, seq })
    const down = async () => Promise.reject(new Error('the database is down'))
    const cut = channelNode({ entries: [] }, { model: later, reader: { feedAfter: down } })
    await assert.rejects(async () => cut.open('trades:ETH-USDC').replay(from), /database is down/)
  })

  test('a node behind the client makes it wait, but not indefinitely', async () => {
    const { node, trade, feed } = trading()
    const behind = channelNode(feed)
    behind.follow(feed.entries.length)
    trade(1n)
    const ahead = node.model.seq
    trade(2n)
    const channel = behind.open('trades:ETH-USDC')
    const replayed = channel.replay(ahead)
    behind.follow()
    assert.deepEqual(
      (await replayed)?.map(({ data }) => data.amount),
      ['0.0002'],
    )
    const late = channel.replay(node.model.seq + 1)
    behind.pass(AHEAD_MS_MAX)
    assert.equal(await late, undefined)
    assert.equal(await channel.replay(node.model.seq + 1_000_000), undefined)
  })

  test(`a node holds at most ${PAST_ROWS_MAX} rows, whatever clients ask for`, async () => {
    const { feed, trade } = trading()
    trade(1n)
    const { header, changes } = feed.entries.at(-1) as FeedEntry
    const trades = changes.filter(({ what }) => what === 'trade')
    const ROWS = 1_000
    const many = Array.from({ length: ROWS }, () => trades[0] as Change)
    const stub = { seq: 0, head: header }
    const listeners: ((entry: FeedEntry) => void)[] = []
    const reads: number[] = []
    const past = new PastEntries({
      model: Object.assign(stub, {
        onEntry: (listener: (entry: FeedEntry) => void) => listeners.push(listener),
        onLoad: () => {},
      }) as unknown as VenueModel,
      reader: {
        feedAfter: async (seq) => {
          reads.push(seq)
          return []
        },
      },
      every: () => () => {},
      monotonicMs: () => 0,
    })
    const entries = PAST_ROWS_MAX / ROWS
    for (let seq = 1; seq <= entries + 10; seq++) {
      stub.seq = seq
      for (const listener of listeners) listener({ seq, kind: 'apply', header, changes: many })
    }
    assert.equal(past.after(10), undefined)
    assert.equal(past.after(11)?.entries.length, entries - 1)
    assert.equal(past.reach(10), undefined, 'what was dropped is not read again')
    assert.deepEqual(reads, [])
  })
})

describe('the memory of all channels', () => {
  test('the memory of all channels is bounded together: the oldest message of any of them goes first', () => {
    const memory = new ReplayMemory(10_000)
    const dropped: number[] = []
    const kept: ReplayHandle[] = []
    for (let index = 0; index < 30; index++)
      kept.push(
        memory.keep('x'.repeat(744), () => {
          dropped.push(index)
          kept[index]?.forget()
        }),
      )
    assert.equal(memory.bytes <= 10_000, true)
    assert.deepEqual(dropped.slice(0, 3), [0, 1, 2])
    for (const one of kept) one.forget()
    assert.equal(memory.bytes, 0)
  })
})

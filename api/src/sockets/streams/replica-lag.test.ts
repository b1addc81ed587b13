// Channels that begin with rows of a database that is behind or ahead of what the node has
// published.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { emptyState } from '@openvenue/core/state'
import { Chance } from '@openvenue/core/test/scenario/chance'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { applyBlock } from '@openvenue/core/venue'
import type { FeedEntry } from '@openvenue/store/store'
import { ChannelClient, foldRows, type Rows } from '../../../test/channel-client.ts'
import { type ChannelNode, channelNode, settled, walletOf } from '../../../test/channel-node.ts'
import { funded } from '../../../test/funded.ts'
import { LaggingReplica } from '../../../test/replica.ts'
import { emptySnapshot } from '../../../test/scenario-node.ts'
import { Wallets } from '../../account/wallets.ts'
import { FreshReads, NotFresh, REPLICA_PAUSES_MS } from '../../model/fresh-reads.ts'
import { windowsAt } from '../../model/snapshot-windows.ts'
import { VenueModel } from '../../model/venue-model.ts'
import { SNAPSHOT_ROWS } from '../channels/account-rows.ts'

const SEEDS = [1, Math.floor(Math.random() * 2 ** 31)]
const STEPS = 60

/** A venue whose chain continues from test to test, in a database and its replica. */
class Venue {
  readonly scenario: Scenario = funded('ETH-USDC')
  readonly replica: LaggingReplica
  readonly entries: FeedEntry[] = []
  readonly fills: string[] = []
  /** The feed's entry before the first block. */
  readonly startSeq: number
  readonly #state = emptyState()
  #count = 0

  constructor(replica: LaggingReplica, startSeq: number) {
    this.replica = replica
    this.startSeq = startSeq
  }

  /** Commits the blocks of the scenario. */
  async commit(): Promise<void> {
    const { replica, scenario } = this
    for (const block of scenario.blocks().slice(this.#count)) {
      const applied = applyBlock(this.#state, block)
      for (const { what, after } of applied.changes)
        if (what === 'fill' && after?.account === scenario.accountOf('alice'))
          this.fills.push(after.id)
      await replica.commit(applied)
    }
    this.#count = scenario.blocks().length
    const last = this.entries.at(-1)?.seq ?? this.startSeq
    this.entries.push(...(await replica.primary.reader.feedAfter(last, 1000)))
  }

  /** A block with a fill of alice. */
  async trade(): Promise<void> {
    this.scenario.place('alice', 'sell', 300_000, 1n).place('bob', 'buy', 300_000, 1n).next()
    await this.commit()
  }
}

describe('a lagging replica', () => {
  let venue: Venue
  before(async () => {
    const replica = await LaggingReplica.open()
    const { seq } = await replica.primary.reader.snapshot(windowsAt(0))
    venue = new Venue(replica, seq)
    await venue.commit()
  })
  after(() => venue.replica.close())

  /** A node that has received nothing yet. `delay` runs while it waits for the replica. */
  function makeNode(delay: () => Promise<void>, history = venue.replica.history): ChannelNode {
    const model = new VenueModel()
    model.load({ ...emptySnapshot(), seq: venue.startSeq })
    const fresh = new FreshReads({ model, monotonicMs: () => 0, delay: pausing(delay) })
    const wallets = new Wallets({ model, history, fresh })
    return channelNode(venue, { model, history, fresh, wallets })
  }

  /** Only the pause that waits for the feed ends early, with the awaited entry. */
  const pausing = (delay: () => Promise<void>) => (ms: number, signal: AbortSignal) =>
    REPLICA_PAUSES_MS.includes(ms)
      ? delay()
      : new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

  const makeClient = () =>
    new ChannelClient(
      'fills',
      walletOf(venue.scenario, 'alice'),
      foldRows('trade_id', 'fills', (data) => data.fill),
    )
  const parseIds = (client: ChannelClient) =>
    (client.state as Rows).rows.map(({ trade_id }) => String(trade_id)).sort()
  const expected = () => [...venue.fills].sort()

  test('a lagging replica loses no fill on a socket', async () => {
    for (let i = 0; i < 3; i++) await venue.trade()
    const node = makeNode(() => venue.replica.catchUp(2))
    node.follow()
    assert.ok(venue.replica.lag >= 3)
    const client = makeClient()
    const connecting = client.connect(node, false)
    await venue.trade()
    node.follow()
    await connecting
    await settled()
    assert.deepEqual(parseIds(client), expected())
    assert.ok(!venue.replica.asked.includes('primary'))
  })

  test('a lagging replica that does not catch up is skipped: the primary has the fills', async () => {
    await venue.replica.catchUp()
    await venue.trade()
    const node = makeNode(async () => {})
    node.follow()
    venue.replica.asked.length = 0
    const client = makeClient()
    await client.connect(node, false)
    assert.deepEqual(parseIds(client), expected())
    assert.equal(venue.replica.asked.filter((from) => from === 'primary').length, 1)
  })

  test('a lagging replica whose primary is behind as well is refused', async () => {
    await venue.replica.catchUp()
    await venue.trade()
    const { history } = venue.replica
    const behind = {
      ...history,
      rows: ((kind, query) => history.rows(kind, query)) as typeof history.rows,
    }
    const node = makeNode(async () => {}, behind)
    node.follow()
    await assert.rejects(makeClient().connect(node, false), NotFresh)
  })

  test('a lagging replica that is ahead of the node sends no fill twice', async () => {
    const node = makeNode(async () => {})
    node.follow()
    await venue.trade()
    await venue.replica.catchUp()
    const client = makeClient()
    const connecting = client.connect(node, false)
    await venue.replica.primary.reader.ping()
    node.follow()
    await connecting
    await settled()
    assert.deepEqual(parseIds(client), expected())
    assert.equal(client.log.length, 1, 'the snapshot has all there is')
    await venue.trade()
    node.follow()
    await settled()
    assert.equal(client.log.length, 2)
    assert.deepEqual(parseIds(client), expected())
  })

  /** Performs one random event. */
  async function step(chance: Chance, node: ChannelNode, connect: () => void): Promise<void> {
    const roll = chance.below(10)
    if (roll < 3) await venue.trade()
    else if (roll < 5) await venue.replica.catchUp(chance.below(4))
    else if (roll < 8) node.follow(chance.below(3))
    else connect()
    await settled()
  }

  for (const seed of SEEDS)
    test(`a replica with any lag loses no fill, whenever a client connects (seed ${seed})`, async () => {
      const chance = new Chance(seed)
      const node = makeNode(() => venue.replica.catchUp(chance.below(3)))
      const clients = Array.from({ length: 4 }, makeClient)
      const connecting = new Set<Promise<void>>()
      const connect = () => {
        const client = chance.pick(clients) as ChannelClient
        connecting.add(client.connect(node, chance.happens(50)))
      }
      for (let steps = 0; steps < STEPS; steps++) await step(chance, node, connect)
      node.follow()
      await Promise.all(connecting)
      for (const client of clients) await client.connect(node, true)
      await settled()
      // A late client gets only what a snapshot holds; from there on nothing may be missing.
      const newest = (ids: readonly string[]) => ids.slice(-SNAPSHOT_ROWS)
      for (const client of clients) assert.deepEqual(newest(parseIds(client)), newest(expected()))
    })
})

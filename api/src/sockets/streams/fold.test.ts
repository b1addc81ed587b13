// A snapshot plus updates equals GET at the same block, whatever a client goes through.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BlockChanges, invertChanges } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState, fold } from '@openvenue/core/state'
import { Chance } from '@openvenue/core/test/scenario/chance'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { applyBlock } from '@openvenue/core/venue'
import type { FeedEntry, Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { freshReads } from '../../../test/block-reads.ts'
import { ChannelClient } from '../../../test/channel-client.ts'
import { type ChannelNode, channelNode } from '../../../test/channel-node.ts'
import { channelSubjects, type Get, type Subject } from '../../../test/channel-subjects.ts'
import { feedReader } from '../../../test/feed-reader.ts'
import { type IssuedKey, issueKey } from '../../../test/keyed.ts'
import { BROKEN_ACCOUNTS, testHost } from '../../../test/scenario-node.ts'
import { Overviews } from '../../account/overview.ts'
import { OwnedReads } from '../../account/owned-reads.ts'
import { Wallets } from '../../account/wallets.ts'
import type { Host } from '../../http/host-type.ts'
import { windowsAt } from '../../model/snapshot-windows.ts'
import { VenueModel } from '../../model/venue-model.ts'

/**
 * 112: a snapshot showed changes that were never sent to all subscribers. 852700759: trades in the
 * first blocks. 1935794793: a client with the snapshot of one node resumes within an interval of
 * another. The last seed is new in each run.
 */
const SEEDS = [
  1,
  2,
  112,
  852_700_759,
  1_427_222_377,
  1_935_794_793,
  Math.floor(Math.random() * 2 ** 31),
]
const STEPS = 150
const BLOCKS = 60
const MARKETS = ['ETH-USDC', 'ETH-PERP'] as const
/** Account 3 of every scenario is its first trader. */
const WALLET = `0x${'3'.padStart(40, 'c')}`
/** Longer than the interval of any channel. */
const REST_MS = 1100
/** Keys are valid from before every scenario until long after. */
const KEY_LIFE_MS = 4_000_000_000_000

type Node = ChannelNode & Readonly<{ host: Host; get: Get; stop: () => Promise<void> }>
type Listener = Readonly<{ subject: Subject; client: ChannelClient }>

/** The chain, its database, two nodes that follow it, and a client of every channel. */
class Venue {
  readonly chance: Chance
  readonly entries: FeedEntry[] = []
  readonly nodes: Node[] = []
  readonly listeners: readonly Listener[]
  readonly compared = new Map<string, number>()
  readonly #store: Store
  readonly #key: IssuedKey
  readonly #blocks: readonly VenueBlock[]
  readonly #state = emptyState()
  readonly #applied: BlockChanges[] = []
  readonly #pending = new Set<Promise<void>>()
  readonly #errors: unknown[] = []

  constructor(store: Store, key: IssuedKey, seed: number) {
    this.#store = store
    this.#key = key
    this.chance = new Chance(seed)
    this.#blocks = randomScenario(seed, BLOCKS, { markets: MARKETS })
    this.listeners = channelSubjects(MARKETS).map((subject) => ({
      subject,
      client: new ChannelClient(subject.name, WALLET, subject.fold),
    }))
  }

  async start(): Promise<void> {
    await this.#store.writer.wipeChain()
    const { seq } = await this.#store.reader.snapshot(windowsAt(0))
    await this.grow(2)
    // The nodes load from these entries, which the database has too.
    this.entries.push(...(await this.#store.reader.feedAfter(seq, 1000)))
    for (let i = 0; i < 2; i++) this.nodes.push(await this.#node())
  }

  async stop(): Promise<void> {
    for (const { client } of this.listeners) client.disconnect()
    for (const node of this.nodes) {
      assert.equal(node.timers(), 0, 'no timer runs once nobody listens')
      await node.stop()
    }
  }

  async #node(): Promise<Node> {
    const { history, notifications, reader } = this.#store
    const model = new VenueModel()
    const nowSeconds = this.#state.head?.seconds ?? 0
    model.load(await reader.snapshot(windowsAt(nowSeconds)))
    const wallets = new Wallets({ model, history, fresh: freshReads(model) })
    const clock = { monotonicMs: () => node.monotonicMs() }
    const reads = { ...reader, ...feedReader(this.entries, model) }
    const owned = new OwnedReads({ model, reader: reads })
    const overviews = new Overviews({
      model,
      settings: BROKEN_ACCOUNTS.settings,
      wallets,
      owned,
      clock,
    })
    const node: ChannelNode = channelNode(this, {
      model,
      history,
      notifications,
      wallets,
      owned,
      overviews,
      nowSeconds,
    })
    const host = await testHost(model, this.#store, node.nowMs, { reader: reads })
    const get = async (url: string) => {
      const answer = await host.inject({ url, headers: this.#key.headers })
      assert.equal(answer.statusCode, 200, `${url} ${answer.body}`)
      return answer.json() as unknown
    }
    return { ...node, host, get, stop: () => host.close() }
  }

  /** Commits the next blocks. */
  async grow(count: number): Promise<void> {
    const next = this.#blocks.slice(this.#applied.length, this.#applied.length + count)
    if (next.length === 0) return
    const applied = next.map((block) => applyBlock(this.#state, block))
    this.#applied.push(...applied)
    await this.#store.writer.commit(applied, 0)
    await this.#read()
  }

  /** Takes the last blocks back; they are committed again later. */
  async shrink(count: number): Promise<void> {
    const kept = Math.max(2, this.#applied.length - count)
    for (const { changes } of this.#applied.splice(kept).reverse())
      fold(this.#state, invertChanges(changes))
    this.#state.head = this.#applied.at(-1)?.header
    await this.#store.writer.undoTo(this.#state.head?.number ?? 0)
    await this.#read()
  }

  async #read(): Promise<void> {
    const last = this.entries.at(-1)?.seq ?? this.nodes[0]?.model.seq
    if (last !== undefined) this.entries.push(...(await this.#store.reader.feedAfter(last, 1000)))
  }

  /** Lets a node follow the feed, and moves its clock along. */
  follow(node: Node, count?: number): void {
    node.follow(count)
    this.#rise(node)
  }

  #rise(node: Node): void {
    const headMs = (node.model.head?.seconds ?? 0) * 1000
    node.pass(Math.max(1, headMs - node.nowMs()))
  }

  /** Reloads a node that lost the feed from the database. */
  async reload(node: Node): Promise<void> {
    const nowSeconds = Math.floor(node.nowMs() / 1000)
    node.model.load(await this.#store.reader.snapshot(windowsAt(nowSeconds)))
    this.#rise(node)
  }

  /** Starts a client's action, which may have to wait for the database. */
  readonly run = (act: Promise<void>): void => {
    const work = act
      .catch((error: unknown) => {
        this.#errors.push(error)
      })
      .finally(() => this.#pending.delete(work))
    this.#pending.add(work)
  }

  /** A snapshot that the database gave ahead of the feed waits until its node has caught up. */
  async #arrive(): Promise<void> {
    for (let turn = 0; turn < 3 && this.#pending.size > 0; turn++) {
      await this.#store.reader.ping()
      await new Promise(setImmediate)
    }
    if (this.#pending.size > 0) for (const node of this.nodes) this.follow(node)
    await Promise.all(this.#pending)
  }

  /** Waits until all nodes and clients are up to date, then compares. */
  async compare(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      for (const node of this.nodes) node.pass(REST_MS)
      await this.#arrive()
      await this.#store.reader.ping()
      await new Promise(setImmediate)
    }
    for (const error of this.#errors) throw error
    for (const { subject, client } of this.listeners) {
      const node = this.nodes.find(({ model }) => model === client.node?.model)
      if (node === undefined || client.state === undefined) continue
      if (subject.isAtHead === true && node.model.seq !== this.entries.at(-1)?.seq) continue
      await subject.compare(node.get, client.state)
      this.compared.set(subject.name, (this.compared.get(subject.name) ?? 0) + 1)
    }
  }
}

/** Performs one random event of a hundred. */
async function step(venue: Venue): Promise<void> {
  const { chance, nodes } = venue
  const node = chance.pick(nodes) as Node
  const roll = chance.below(100)
  if (roll < 25) await venue.grow(chance.below(3) + 1)
  else if (roll < 30) await venue.shrink(chance.below(3) + 1)
  else if (roll < 60) venue.follow(node, chance.happens(70) ? chance.below(4) : undefined)
  else if (roll < 65) node.pass(chance.below(400))
  else if (roll < 92) listen(venue, node)
  else if (roll < 94) await venue.reload(node)
  else {
    if (chance.happens(60)) for (const each of nodes) venue.follow(each)
    await venue.compare()
  }
}

/** Makes one client connect, ask for a snapshot or leave. */
function listen({ chance, listeners, run }: Venue, node: Node): void {
  const { client } = chance.pick(listeners) as Listener
  const roll = chance.below(10)
  if (roll < 7) run(client.connect(node, chance.happens(60)))
  else if (roll < 9) run(client.resync())
  else client.disconnect()
}

describe('snapshot plus updates', () => {
  let store: Store
  let key: IssuedKey
  before(async () => {
    store = await openMemoryStore()
    key = await issueKey(store, WALLET, 0, KEY_LIFE_MS)
  })
  after(() => store.close())

  for (const seed of SEEDS)
    test(`a snapshot plus updates is the answer of GET at the same block (seed ${seed})`, async () => {
      const venue = new Venue(store, key, seed)
      await venue.start()
      for (const { client } of venue.listeners)
        venue.run(client.connect(venue.chance.pick(venue.nodes) as Node, false))
      for (let i = 0; i < STEPS; i++) await step(venue)
      await venue.grow(BLOCKS)
      for (const node of venue.nodes) venue.follow(node)
      for (const { client } of venue.listeners)
        venue.run(client.connect(venue.chance.pick(venue.nodes) as Node, true))
      await venue.compare()
      await venue.stop()
      for (const { subject } of venue.listeners)
        assert.ok(venue.compared.has(subject.name), `${subject.name} was compared`)
    })
})

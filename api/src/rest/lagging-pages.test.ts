// Pages of history from a lagging replica, while blocks come, go and are replaced: each equals the
// rows that a naive reader of the chain finds at the block that the page names.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { VenueBlock } from '@openvenue/core/events'
import type { Market, RecordOf } from '@openvenue/core/records'
import { Chance } from '@openvenue/core/test/scenario/chance'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { replay, writtenRecords } from '@openvenue/core/test/scenario/replay'
import type { OrderTerms, Scenario } from '@openvenue/core/test/scenario/scenario'
import { isOver } from '@openvenue/core/test/scenario/scenario-market'
import {
  type CursorPosition,
  cursorPosition,
  type HistoryKind,
  type WrittenRow,
} from '@openvenue/store/history/account-history'
import type { FeedEntry } from '@openvenue/store/store'
import { encodeFill } from '@openvenue/wire/fills'
import { encodeOrder } from '@openvenue/wire/orders'
import type { Pagination } from '@openvenue/wire/pagination'
import { encodeClosedCycle } from '@openvenue/wire/position-history'
import { encodeTransfer } from '@openvenue/wire/transactions'
import { settled, walletOf } from '../../test/channel-node.ts'
import { feedReader } from '../../test/feed-reader.ts'
import { funded } from '../../test/funded.ts'
import { type IssuedKey, issueKey } from '../../test/keyed.ts'
import { LaggingReplica } from '../../test/replica.ts'
import {
  BROKEN_ACCOUNTS,
  BROKEN_READER,
  emptySnapshot,
  testHost,
} from '../../test/scenario-node.ts'
import type { Host } from '../http/host-type.ts'
import { comparePositions } from '../http/page.ts'
import { REPLICA_PAUSES_MS } from '../model/fresh-reads.ts'
import { windowsAt } from '../model/snapshot-windows.ts'
import { VenueModel } from '../model/venue-model.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'

const SEEDS = [1, Math.floor(Math.random() * 2 ** 31)]
const STEPS = 300
/** Blocks before the first request. */
const BLOCKS = 10
/** Concurrent requests: more than may be read from the primary. */
const ASKED_MAX = 5
const MARKETS = ['ETH-USDC', 'ETH-PERP'] as const
const TRADERS = ['alice', 'bob'] as const
/** Consecutive pages of one list. */
const PAGES_MAX = 4
/** Keys are valid from before every scenario until long after. */
const KEY_LIFE_MS = 4_000_000_000_000

type Item = Readonly<Record<string, unknown>>
/** A row of a list, with its position. */
type Fact = Readonly<{ position: CursorPosition; item: Item }>

/** A branching chain, in a database and its replica. */
class Chain {
  readonly replica: LaggingReplica
  readonly entries: FeedEntry[] = []
  /** The blocks up to each block that ever existed, by its hash. */
  readonly upTo = new Map<string, readonly VenueBlock[]>()
  readonly startSeq: number
  scenario: Scenario = funded(...MARKETS)
  #blocks: readonly VenueBlock[] = []
  #branches = 0

  constructor(replica: LaggingReplica, startSeq: number) {
    this.replica = replica
    this.startSeq = startSeq
  }

  /** Commits what the scenario published since. */
  async grow(): Promise<void> {
    const blocks = this.scenario.blocks()
    const { all } = replay(blocks)
    for (let count = this.#blocks.length + 1; count <= blocks.length; count++) {
      const applied = all[count - 1]
      if (applied === undefined) throw new Error('a block was not applied')
      this.upTo.set(applied.header.hash, blocks.slice(0, count))
      await this.replica.commit(applied)
    }
    this.#blocks = blocks
    await this.#read()
  }

  /** Undoes the last blocks, but not the first two, and replaces them with others. */
  async fork(depth: number): Promise<void> {
    const kept = Math.max(2, this.#blocks.length - depth)
    if (kept >= this.#blocks.length) return
    await this.replica.undoTo(this.#blocks[kept - 1]?.header.number ?? 0)
    this.#branches += 1
    this.scenario = this.scenario.fork(kept, `f${this.#branches}f`)
    this.#blocks = this.#blocks.slice(0, kept)
    await this.#read()
  }

  async #read(): Promise<void> {
    const last = this.entries.at(-1)?.seq ?? this.startSeq
    this.entries.push(...(await this.replica.primary.reader.feedAfter(last, 1000)))
  }
}

/** Performs a random action in the scenario. */
function act(scenario: Scenario, chance: Chance): void {
  const name = chance.pick(MARKETS) ?? 'ETH-PERP'
  scenario.on(name)
  const who = chance.pick(TRADERS) ?? 'alice'
  const other = who === 'alice' ? 'bob' : 'alice'
  const roll = chance.below(10)
  if (roll < 6) {
    const side = chance.happens(50) ? 'buy' : 'sell'
    const tick = LISTINGS[name].startTick + chance.below(5) - 2
    const order: OrderTerms = { who, side, tick, lots: BigInt(chance.below(3) + 1) }
    if (scenario.market.refusal(scenario.makeWish(order), scenario.seconds) === undefined)
      scenario.order(order)
  } else if (roll < 8) {
    const order = chance.pick(scenario.market.orders)
    if (order === undefined) return
    scenario.cancel(order.number, isOver(order, scenario.seconds) ? 'EXPIRED' : 'USER')
  } else if (roll < 9) scenario.deposit(who, 'USDC', BigInt(chance.below(99) + 1))
  else scenario.transfer(who, other, { symbol: 'USDC', whole: BigInt(chance.below(99) + 1) })
}

/** Returns the rows of the account of `who` in each list after `blocks`, oldest first. */
function listFacts(blocks: readonly VenueBlock[], scenario: Scenario, who: string) {
  const { all, state } = replay(blocks)
  const [account, wallet] = [scenario.accountOf(who), walletOf(scenario, who)]
  const findMarket = (id: string) => state.records.market.get(id) as Market
  const inOrder = <K extends HistoryKind>(
    kind: K,
    rows: readonly RecordOf<K>[],
    encode: (market: Market, row: RecordOf<K>) => object,
  ): readonly Fact[] =>
    rows
      .filter((row) => row.account === account)
      .map((row) => ({
        position: cursorPosition(kind, row as RecordOf<HistoryKind> as WrittenRow[K]),
        item: asSent(encode(findMarket(String(row.market)), row)),
      }))
      .sort((one, two) => comparePositions(one.position, two.position))
  const orders = new Map(
    writtenRecords(all, 'order').map((order) => [`${order.market}|${order.number}`, order]),
  )
  const past = [...orders.values()].filter(({ status }) => status !== 'open')
  const transfers = writtenRecords(all, 'transfer').filter((one) => one.account === account)
  const wallets = new Map(
    TRADERS.map((name) => [scenario.accountOf(name), walletOf(scenario, name)]),
  )
  const { chainId } = ACCOUNT_SETTINGS
  return {
    'trade-history': inOrder('fill', writtenRecords(all, 'fill'), (market, row) =>
      encodeFill(market, row, wallet),
    ),
    'order-history': inOrder('order', past, (market, row) =>
      encodeOrder(market, row, { account: wallet, leverage: 0 }),
    ),
    'position-history': inOrder('closedCycle', writtenRecords(all, 'closedCycle'), (market, row) =>
      encodeClosedCycle(market, row, wallet),
    ),
    'transaction-history': transfers.map((row) => {
      const token = state.records.token.get(row.token)
      const counterparty = wallets.get(row.counterparty ?? 0) ?? null
      if (token === undefined) throw new Error('a transfer of no token')
      const item = asSent(encodeTransfer(token, row, { account: wallet, counterparty, chainId }))
      return { position: { seconds: row.seconds, id: '' }, item }
    }),
  } satisfies Record<string, readonly Fact[]>
}

type List = keyof ReturnType<typeof listFacts>
const LISTS = [
  'trade-history',
  'order-history',
  'position-history',
  'transaction-history',
] as const satisfies readonly List[]

/** A row as JSON, without the leverage, because an order shows the account's current leverage. */
function asSent(item: object): Item {
  const { leverage: _, ...rest } = JSON.parse(JSON.stringify(item)) as Item
  return rest
}

type PageRequest = Readonly<{
  list: List
  who: string
  limit: number
  isAscending: boolean
  /** Only for transactions; other lists have cursors. */
  offset: number
}>
type Answer = Readonly<{ hash: string; rows: readonly Item[]; pagination: Pagination | undefined }>

/** A node that follows at its own pace, and its clients. */
class Node {
  readonly model = new VenueModel()
  readonly chain: Chain
  readonly chance: Chance
  readonly #keys: ReadonlyMap<string, IssuedKey>
  #host: Host | undefined
  #passedMs = 0
  readonly counts = { rows: 0, pages: 0, refused: 0 }

  constructor(chain: Chain, chance: Chance, keys: ReadonlyMap<string, IssuedKey>) {
    this.chain = chain
    this.chance = chance
    this.#keys = keys
    this.model.load({ ...emptySnapshot(), seq: chain.startSeq })
  }

  async start(): Promise<void> {
    const { replica, entries } = this.chain
    const nowMs = () => (this.model.head?.seconds ?? 0) * 1000
    this.#host = await testHost(this.model, undefined, nowMs, {
      reader: { ...BROKEN_READER, ...feedReader(entries, this.model) },
      accounts: {
        ...BROKEN_ACCOUNTS,
        identity: replica.primary.identity,
        history: replica.history,
      },
      clock: { nowMs, monotonicMs: () => this.#passedMs, delay: (...args) => this.#pause(...args) },
    })
  }

  stop = () => this.#host?.close()

  pass(ms: number): void {
    this.#passedMs += ms
  }

  follow(count = this.chain.entries.length): void {
    const next = this.chain.entries.filter(({ seq }) => seq > this.model.seq)
    for (const entry of next.slice(0, count)) this.model.apply(entry)
  }

  /** The replica may catch up while a request waits for it; no other code waits for time. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (!REPLICA_PAUSES_MS.includes(ms))
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    this.pass(ms)
    if (this.chance.happens(40)) await this.chain.replica.catchUp(this.chance.below(3))
  }

  /** Requests a page and some after it, and checks each. */
  async read(): Promise<void> {
    const chance = this.chance
    const list = chance.pick(LISTS) ?? 'trade-history'
    const asked: PageRequest = {
      list,
      who: chance.pick(TRADERS) ?? 'alice',
      limit: chance.below(6) + 1,
      isAscending: chance.happens(50),
      offset: list === 'transaction-history' ? chance.below(4) : 0,
    }
    let cursor: string | null = ''
    let after: CursorPosition | undefined
    for (let pages = 0; pages < PAGES_MAX && cursor !== null; pages++) {
      const answer: Answer | undefined = await this.#ask(asked, cursor)
      if (answer === undefined) return
      after = this.#look(asked, answer, after) ?? after
      cursor = answer.pagination?.next_cursor ?? null
    }
  }

  /**
   * Requests a page and checks that its block is one that the node had published, or a later one;
   * undefined when refused.
   */
  async #ask({ list, who, limit, isAscending, offset }: PageRequest, cursor: string) {
    const seqBefore = this.model.seq
    const parameters = new URLSearchParams({ limit: String(limit) })
    if (list === 'transaction-history') {
      parameters.set('sort_order', isAscending ? 'ASC' : 'DESC')
      parameters.set('offset', String(offset))
    } else parameters.set('sort_order', isAscending ? 'asc' : 'desc')
    if (cursor !== '') parameters.set('cursor', cursor)
    const headers = { ...this.#keys.get(who)?.headers }
    const answer = await this.#host?.inject({ url: `/${list}?${parameters}`, headers })
    assert.ok(answer !== undefined)
    const body = answer.json()
    if (answer.statusCode === 503) {
      assert.equal(body.error, 'HISTORY_UNAVAILABLE')
      this.counts.refused += 1
      return undefined
    }
    assert.equal(answer.statusCode, 200, answer.body)
    const hash = String(answer.headers['x-block-hash'])
    assert.equal(
      answer.headers['x-block-number'],
      String(this.chain.upTo.get(hash)?.at(-1)?.header.number),
    )
    this.#isNotOlder(hash, seqBefore)
    const { pagination, ...rest } = body
    const [rows = []] = Object.values(rest).filter(Array.isArray) as object[][]
    return { hash, rows: rows.map(asSent), pagination }
  }

  /** Checks that block `hash` became the head at entry `seqBefore` or later. */
  #isNotOlder(hash: string, seqBefore: number): void {
    const isHead = ({ seq, header }: FeedEntry) => header.hash === hash && seq >= seqBefore
    assert.ok(this.chain.entries.some(isHead), `${hash} was the head before ${seqBefore} alone`)
  }

  /** Compares a page with the chain at its block. Returns the position of its last row. */
  #look(asked: PageRequest, { hash, rows, pagination }: Answer, after: CursorPosition | undefined) {
    const { list, who, limit, isAscending, offset } = asked
    const facts = listFacts(this.chain.upTo.get(hash) ?? [], this.chain.scenario, who)[list]
    const all = isAscending ? facts : facts.toReversed()
    const sign = isAscending ? 1 : -1
    const isBeyond = ({ position }: Fact) =>
      after === undefined || sign * comparePositions(position, after) > 0
    const beyond = all.filter(isBeyond).slice(offset)
    const shown = beyond.slice(0, limit)
    assert.deepEqual(
      rows,
      shown.map(({ item }) => item),
      `${list} of ${who} at ${hash}`,
    )
    this.counts.rows += rows.length
    this.counts.pages += 1
    if (pagination !== undefined) {
      assert.equal(pagination.has_next, beyond.length > limit)
      if (rows.length > 0) assert.equal(pagination.has_prev, beyond.length < all.length)
    }
    return shown.at(-1)?.position
  }
}

describe('a replica that lags, of a chain that branches', () => {
  let replica: LaggingReplica
  const keys = new Map<string, IssuedKey>()
  before(async () => {
    replica = await LaggingReplica.open()
    const scenario = funded(...MARKETS)
    for (const who of TRADERS)
      keys.set(who, await issueKey(replica.primary, walletOf(scenario, who), 0, KEY_LIFE_MS))
  })
  after(() => replica.close())

  /** Begins again, with some blocks. */
  async function begin(chance: Chance): Promise<Chain> {
    await replica.wipe()
    const { seq } = await replica.primary.reader.snapshot(windowsAt(0))
    const chain = new Chain(replica, seq)
    for (let blocks = 0; blocks < BLOCKS; blocks++) await grow(chain, chance)
    await chain.replica.catchUp()
    return chain
  }

  /** Makes a block with up to four random actions. */
  async function grow(chain: Chain, chance: Chance): Promise<void> {
    for (let count = chance.below(4); count >= 0; count--) act(chain.scenario, chance)
    await chain.grow()
  }

  /** Performs one random step; a request runs while others do. */
  async function step(node: Node, asking: Set<Promise<void>>): Promise<void> {
    const { chain, chance } = node
    const roll = chance.below(100)
    node.pass(chance.below(300))
    if (roll < 25) await grow(chain, chance)
    else if (roll < 33) await chain.fork(chance.below(3) + 1)
    else if (roll < 45) await chain.replica.catchUp(chance.below(4))
    else if (roll < 65) node.follow(chance.happens(50) ? 1 : undefined)
    else if (asking.size < ASKED_MAX) {
      const read = node.read().finally(() => asking.delete(read))
      asking.add(read)
    }
    await settled()
  }

  for (const seed of SEEDS)
    test(`a page names the block its rows are of (seed ${seed})`, async () => {
      const chance = new Chance(seed)
      const node = new Node(await begin(chance), chance, keys)
      await node.start()
      node.follow()
      const asking = new Set<Promise<void>>()
      try {
        for (let steps = 0; steps < STEPS; steps++) await step(node, asking)
        await Promise.all(asking)
      } finally {
        await Promise.allSettled(asking)
        await node.stop()
      }
      const { pages, rows } = node.counts
      const asked = new Set(replica.asked)
      assert.equal(asked.size, 2, 'the replica was asked, and the primary')
      assert.ok(Math.min(pages, rows) > STEPS / 10, JSON.stringify(node.counts))
    })
})

// A node's channels over a scenario, without transports: for tests. Time is frozen unless the test
// moves it.
import { type BlockChanges, invertChanges } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState, fold } from '@openvenue/core/state'
import type { MarketName } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { applyBlock } from '@openvenue/core/venue'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { FeedEntry } from '@openvenue/store/store'
import { OwnedReads } from '../src/account/owned-reads.ts'
import { Wallets } from '../src/account/wallets.ts'
import type { Caller } from '../src/identity/caller.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import { type ChannelDeps, createChannels } from '../src/sockets/channels/catalogue.ts'
import type { Channels, Stream, StreamMessage } from '../src/sockets/streams/stream.ts'
import { freshReads, readOf } from './block-reads.ts'
import { feedAfterOf, ownedOfFeed } from './feed-reader.ts'
import { funded } from './funded.ts'
import { BROKEN_ACCOUNTS, emptySnapshot } from './scenario-node.ts'

export type Frame = Readonly<{
  channel: string
  type: string
  seq: number
  prev_seq: number | null
  block_number: number
  ts: number
  part?: number
  parts?: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read the data of any channel
  data: any
}>

/** A feed that several nodes can follow at their own pace. */
export class ScenarioFeed {
  readonly entries: FeedEntry[] = []
  readonly #state = emptyState()
  readonly #applied: BlockChanges[] = []

  applyBlocks(blocks: readonly VenueBlock[]): void {
    for (const block of blocks) {
      const applied = applyBlock(this.#state, block)
      this.#applied.push(applied)
      this.#push('apply', applied)
    }
  }

  /** Takes the last block back. */
  undoBlock(): void {
    const last = this.#applied.pop()
    const header = this.#applied.at(-1)?.header
    if (last === undefined || header === undefined) throw new Error('no block to take back')
    const changes = invertChanges(last.changes)
    fold(this.#state, changes)
    this.#state.head = header
    this.#push('undo', { header, changes })
  }

  #push(kind: FeedEntry['kind'], { header, changes }: BlockChanges): void {
    this.entries.push({ seq: this.entries.length + 1, kind, header, changes })
  }
}

export type OpenChannel = Readonly<{
  stream: Stream
  /** Returns the frames that were published since it was last called. */
  take: () => Frame[]
  snapshot: () => Promise<Frame>
  replay: (seq: number) => Promise<Frame[] | undefined>
  close: () => void
}>

export type ChannelNode = Readonly<{
  model: VenueModel
  channels: Channels
  nowMs: () => number
  monotonicMs: () => number
  /** Follows `count` more entries of the feed, all by default. */
  follow: (count?: number) => void
  /** Moves the clock, and fires timers. */
  pass: (ms: number) => void
  /** Steps the wall clock forward or back, while no time passes. */
  step: (ms: number) => void
  /** Number of running timers. */
  timers: () => number
  open: (name: string, wallet?: string) => OpenChannel
}>

export const parseFrame = ({ text }: StreamMessage): Frame => JSON.parse(text) as Frame

type NodeOptions = Readonly<{ history?: Partial<AccountHistory>; nowSeconds?: number }> &
  Partial<Omit<ChannelDeps, 'history' | 'clock'>>

/** Returns a node that has followed nothing yet. */
export function channelNode(
  feed: Pick<ScenarioFeed, 'entries'>,
  options: NodeOptions = {},
): ChannelNode {
  const { history: reads, nowSeconds = 0, model = new VenueModel(), ...others } = options
  const history = { ...BROKEN_ACCOUNTS.history, ...reads }
  const timers = new Set<() => void>()
  let now = nowSeconds * 1000
  let passedMs = 0
  if (model.seq < 0) model.load(emptySnapshot())
  const fresh = freshReads(model)
  const channels = createChannels({
    model,
    reader: { feedAfter: feedAfterOf(feed.entries) },
    wallets: new Wallets({ model, history, fresh }),
    owned: new OwnedReads({ model, reader: { owned: ownedOfFeed(feed.entries, model) } }),
    history,
    fresh,
    clock: {
      nowMs: () => now,
      monotonicMs: () => passedMs,
      every: (_, act) => {
        timers.add(act)
        return () => timers.delete(act)
      },
    },
    notifications: NO_NOTIFICATIONS,
    overviews: { of: () => Promise.reject(new Error('no account is read')) },
    chainId: 5042002,
    trading: 'live',
    ...others,
  })
  return {
    model,
    channels,
    nowMs: () => now,
    monotonicMs: () => passedMs,
    follow: (count = feed.entries.length) => {
      const next = feed.entries.filter(({ seq }) => seq > model.seq)
      for (const entry of next.slice(0, count)) model.apply(entry)
    },
    pass: (ms) => {
      now += ms
      passedMs += ms
      for (const act of [...timers]) act()
    },
    step: (ms) => {
      now += ms
    },
    timers: () => timers.size,
    open: (name, wallet) => opened(channels, name, wallet),
  }
}

/**
 * Returns a node that has followed a scenario that lists `names`, with rich traders. `reads`, the
 * database's answers, may precede the names.
 */
export function scenarioNode(...args: readonly (MarketName | Partial<AccountHistory>)[]) {
  const names = args.filter((arg) => typeof arg === 'string')
  const reads = args.find((arg) => typeof arg === 'object')
  const scenario = funded(...names)
  const feed = new ScenarioFeed()
  const accountNumber = async (wallet: string) =>
    readOf([...scenario.accounts.values()].find((account) => accountWallet(account) === wallet))
  const node = channelNode(feed, {
    nowSeconds: scenario.seconds,
    history: { accountNumber, ...reads },
  })
  let count = 0
  /** Ends a block with content, and lets the node follow. */
  const next = () => {
    const blocks = scenario.blocks()
    feed.applyBlocks(blocks.slice(count))
    count = blocks.length
    node.follow()
  }
  next()
  return { scenario, feed, node, next }
}

/** Returns the wallet of an account in a scenario, lower case. */
export const walletOf = (scenario: Scenario, who: string) => accountWallet(scenario.accountOf(who))

const accountWallet = (account: number) => `0x${account.toString(16).padStart(40, 'c')}`

/** Waits for everything that needs no database. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A store without notifications. */
const NO_NOTIFICATIONS: ChannelDeps['notifications'] = {
  page: async () => [],
  ofBlock: async () => [],
  byIds: async () => [],
  onAdded: () => () => {},
}

function opened(channels: Channels, name: string, wallet: string | undefined): OpenChannel {
  const messages: StreamMessage[] = []
  const kind = channels.find(name)
  if (kind === undefined) throw new Error(`no channel ${name}`)
  const publish = (message: StreamMessage) => {
    messages.push(message)
  }
  const stream = kind.isPrivate ? kind.open(requireCaller(wallet), publish) : kind.open(publish)
  return {
    stream,
    take: () => messages.splice(0).map(parseFrame),
    snapshot: async () => {
      const [message, ...others] = await stream.snapshot()
      if (message === undefined || others.length > 0) throw new Error('a snapshot is one message')
      return parseFrame(message)
    },
    replay: async (seq) => {
      await stream.reach?.(seq)
      return (await stream.replay(seq))?.map(parseFrame)
    },
    close: () => stream.close(),
  }
}

const requireCaller = (account = '') => ({ account }) as Caller

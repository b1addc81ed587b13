// Processes of a venue in one, for drills of its database.
import { setTimeout as sleep } from 'node:timers/promises'
import { IntentBook } from '@openvenue/api/orders/relay/intent-book'
import { scenarioNode } from '@openvenue/api/test/scenario-node'
import type { Header } from '@openvenue/core/events'
import { IntentQueue } from '@openvenue/keeper/relayer/intent-queue'
import { WatchedIntents } from '@openvenue/keeper/watcher/watched-intents'
import { Outage } from '@openvenue/runtime/outage'
import { followFeed, loadSnapshot } from '@openvenue/store/feed/follow-feed'
import { openStore } from '@openvenue/store/open'
import type { FeedEntry, Store } from '@openvenue/store/store'

const WINDOWS = { trades: 0, candles: {}, settlements: 0, priceSeconds: 0, poolHoursFrom: 0 }

const delay = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {})
const clock = { nowMs: () => 0, delay }
const log = { warn: () => {}, info: () => {} }
const outage = new Outage({ log, down: '', up: '' })

/** Returns empty blocks after `head`, of a branch of the chain. */
export function blocksAfter(head: Header | undefined, count: number, branch = 'a') {
  let last = head ?? { number: 0, hash: '0x0', parentHash: '0x', seconds: 1_700_000_000 }
  return Array.from({ length: count }, () => {
    const number = last.number + 1
    last = {
      number,
      hash: `0x${branch}${number}`,
      parentHash: last.hash,
      seconds: last.seconds + 1,
    }
    return { header: last, changes: [] }
  })
}

/** Processes of a venue, each with its own connections: what they know of its orders and blocks. */
export class Followers {
  readonly #stores: Store[] = []
  readonly #stopping = new AbortController()
  readonly #running: Promise<unknown>[] = []
  readonly #seq = { feed: -1, head: undefined as Header | undefined }
  readonly views = new Map<string, () => readonly string[]>()

  async start(url: string): Promise<void> {
    const { signal } = this.#stopping
    const open = async () => {
      const store = await openStore({ databaseUrl: url })
      this.#stores.push(store)
      return store
    }
    const [api, relayer, watcher] = [await open(), await open(), await open()]
    const { model, close } = await scenarioNode([])
    signal.addEventListener('abort', () => void close(), { once: true })
    const book = new IntentBook({
      ...{ intents: api.intents, model, delay },
      outages: { intents: outage, status: outage },
    })
    const queue = new IntentQueue({ intents: relayer.intents, orderLanes: 1, clock, outage })
    const watched = new WatchedIntents({
      ...{ intents: watcher.intents, clock, outage },
      ...{ onLoad: () => {}, onStep: () => {}, onRead: () => {} },
    })
    for (const follower of [book, queue, watched]) {
      await follower.load(signal)
      this.#running.push(follower.follow(signal))
    }
    this.views.set('API node', () => [...book.of(3).keys()].sort())
    this.views.set('relayer', () => [...queue.all()].map(({ intent: { id } }) => id).sort())
    this.views.set('watcher', () => [...watched.all()].map(({ id }) => id).sort())
    await this.#followBlocks(api)
  }

  async #followBlocks({ reader }: Store): Promise<void> {
    const { signal } = this.#stopping
    const own = this.#seq
    const apply = ({ seq, header }: Pick<FeedEntry, 'seq'> & { header: Header | undefined }) => {
      own.feed = seq
      own.head = header
    }
    const follower = {
      ...{ seq: () => own.feed, head: () => own.head, windows: () => WINDOWS, apply },
      load: (snapshot: { seq: number; state: { head: Header | undefined } }) =>
        apply({ seq: snapshot.seq, header: snapshot.state.head }),
    }
    const source = { reader, delay, log }
    await loadSnapshot(source, follower, signal)
    this.#running.push(followFeed(source, follower, signal))
    this.views.set('blocks', () => [`${own.head?.number} ${own.head?.hash}`])
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running)
    for (const store of this.#stores) await store.close()
  }
}

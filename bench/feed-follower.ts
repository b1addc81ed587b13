// A follower of the feed in a process of its own, which folds blocks as an API node does.
import { setTimeout as delay } from 'node:timers/promises'
import { emptyState, fold } from '@openvenue/core/state'
import { until } from '@openvenue/core/test/until'
import { NO_LOG } from '@openvenue/runtime/outage'
import { openNats } from '@openvenue/store/broadcast/nats'
import { type FeedFollower, followFeed, loadSnapshot } from '@openvenue/store/feed/follow-feed'
import { openDatabase, openOn } from '@openvenue/store/open'

/** Arrivals as block number and time, and the number of reads of the table. */
export type FollowerReport = Readonly<{
  arrived: readonly (readonly [number: number, ms: number])[]
  reads: number
}>

const options = JSON.parse(process.argv[2] ?? '{}')
const WINDOWS = { trades: 0, candles: {}, settlements: 0, priceSeconds: 0, poolHoursFrom: 0 }
let stop: (last: number) => Promise<FollowerReport>

async function start(feedUrl: string | undefined): Promise<void> {
  const stopping = new AbortController()
  const db = await openDatabase(options)
  let reads = 0
  const query: typeof db.feed.query = (text, params) => {
    reads++
    return db.feed.query(text, params)
  }
  const store = await openOn(
    { ...db, feed: { query } },
    {
      broadcast: feedUrl === undefined ? undefined : openNats(feedUrl),
    },
  )
  const arrived: [number, number][] = []
  const state = emptyState()
  let seq = -1
  const follower: FeedFollower = {
    seq: () => seq,
    head: () => state.head,
    windows: () => WINDOWS,
    load: (snapshot) => {
      Object.assign(state, snapshot.state)
      seq = snapshot.seq
    },
    apply: (entry) => {
      fold(state, entry.changes)
      state.head = entry.header
      seq = entry.seq
      arrived.push([entry.header.number, performance.timeOrigin + performance.now()])
    },
  }
  const pause = (ms: number, signal: AbortSignal) =>
    delay(ms, undefined, { signal }).catch(() => {})
  const source = { reader: store.reader, delay: pause, log: NO_LOG }
  await loadSnapshot(source, follower, stopping.signal)
  const ended = followFeed(source, follower, stopping.signal)
  stop = async (last) => {
    await until(`block ${last} arrives`, () => (state.head?.number ?? 0) >= last)
    stopping.abort()
    await ended
    await store.close()
    return { arrived, reads }
  }
}

process.on('message', async (message: { start?: { feedUrl?: string }; stop?: number }) => {
  if (message.start) await start(message.start.feedUrl)
  process.send?.(message.stop === undefined ? {} : await stop(message.stop))
})
process.send?.({})

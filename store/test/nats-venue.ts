// Processes of a venue on one PostgreSQL that send each other entries over NATS.
import { setTimeout as delay } from 'node:timers/promises'
import { emptyState, fold, type VenueState } from '@openvenue/core/state'
import { until } from '@openvenue/core/test/until'
import { NO_LOG } from '@openvenue/runtime/outage'
import type { Broadcast } from '../src/broadcast/broadcast.ts'
import { openNats } from '../src/broadcast/nats.ts'
import type { Db } from '../src/db/db.ts'
import { followFeed, loadSnapshot } from '../src/feed/follow-feed.ts'
import { READS } from '../src/feed/reader.ts'
import type { FeedWriter } from '../src/feed/writer.ts'
import { INTENT_SQL } from '../src/intents/intent-sql.ts'
import { openDatabase, openOn } from '../src/open.ts'
import type { FeedEntry, Store } from '../src/store.ts'
import type { Engine, TestDatabase } from './engines.ts'
import { NatsServer } from './nats-server.ts'

const WINDOWS = { trades: 0, candles: {}, settlements: 0, priceSeconds: 0, poolHoursFrom: 0 }

/** `isDeaf`: without LISTEN. `isMute`: without NATS. `natsUrl`: through a proxy. */
type OpenOptions = Readonly<{ isDeaf?: boolean; isMute?: boolean; natsUrl?: string }>

/** A store as a process of its own has it, and its reads of the feed and of the intents' log. */
export type VenueProcess = Store &
  Readonly<{ writer: FeedWriter; reads: { feed: number; log: number } }>

export class NatsVenue {
  readonly nats: NatsServer
  readonly database: TestDatabase
  readonly #closing: (() => Promise<void>)[] = []

  private constructor(nats: NatsServer, database: TestDatabase) {
    this.nats = nats
    this.database = database
  }

  static async start(program: string | undefined, engine: Engine | undefined): Promise<NatsVenue> {
    if (program === undefined || engine === undefined) throw new Error('no NATS or no PostgreSQL')
    return new NatsVenue(await NatsServer.start(program), await engine.createDatabase())
  }

  async open(options: OpenOptions = {}): Promise<VenueProcess> {
    const { isDeaf = false, isMute = false, natsUrl = this.nats.url } = options
    const reads = { feed: 0, log: 0 }
    const db = countReads(await openDatabase(this.database.options), reads)
    const store = await openOn(isDeaf ? { ...db, listen: () => () => {} } : db, {
      broadcast: isMute ? undefined : openNats(natsUrl),
    })
    let closed: Promise<void> | undefined
    const close = () => {
      closed ??= store.close()
      return closed
    }
    this.#closing.push(close)
    return { ...store, close, reads, writer: store.writer as FeedWriter }
  }

  /** Opens a store that follows the feed, once it receives messages. */
  async follow(options: OpenOptions = {}): Promise<Follower> {
    const follower = new Follower(await this.open(options))
    this.#closing.unshift(() => follower.stop())
    await follower.start()
    return follower
  }

  async close(): Promise<void> {
    this.nats.thaw()
    for (const close of this.#closing) await close()
    await this.database.remove()
    await this.nats.close()
  }
}

/** Folds the feed as an API node does. */
export class Follower {
  readonly process: VenueProcess
  readonly entries: FeedEntry[] = []
  state: VenueState = emptyState()
  seq = -1
  breaks = 0
  readonly #stopping = new AbortController()
  #ended: Promise<void> | undefined

  constructor(process: VenueProcess) {
    this.process = process
  }

  get counts(): ReturnType<Broadcast['counts']> {
    return (this.process.broadcast as Broadcast).counts('feed')
  }

  async start(): Promise<void> {
    const { signal } = this.#stopping
    const source = {
      reader: this.process.reader,
      delay: (ms: number, quiet: AbortSignal) =>
        delay(ms, undefined, { signal: quiet }).catch(() => {}),
      log: NO_LOG,
    }
    const follower = {
      seq: () => this.seq,
      head: () => this.state.head,
      windows: () => WINDOWS,
      load: ({ seq, state }: Readonly<{ seq: number; state: VenueState }>) => {
        this.seq = seq
        this.state = state
      },
      apply: (entry: FeedEntry) => this.#apply(entry),
      onBreak: () => void this.breaks++,
    }
    await loadSnapshot(source, follower, signal)
    this.#ended = followFeed(source, follower, signal)
    const { broadcast, reads } = this.process
    await until('it has read the table', () => reads.feed > 0)
    if (broadcast !== undefined) await until('it receives', () => broadcast.isConnected())
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#ended
  }

  /** Resolves when the follower has block `number`; returns the milliseconds that took. */
  async reaches(number: number): Promise<number> {
    const startedMs = performance.now()
    await until(
      () => `block ${number} arrives, not ${this.state.head?.number}`,
      () => this.state.head?.number === number,
    )
    return performance.now() - startedMs
  }

  #apply(entry: FeedEntry): void {
    fold(this.state, entry.changes)
    this.state.head = entry.header
    this.seq = entry.seq
    this.entries.push(entry)
  }
}

const countReads = (db: Db, reads: { feed: number; log: number }): Db => ({
  ...db,
  feed: {
    query: (text, params) => {
      if (text === READS.feed) reads.feed++
      return db.feed.query(text, params)
    },
  },
  primary: {
    query: (text, params) => {
      if (text === INTENT_SQL.logAfter) reads.log++
      return db.primary.query(text, params)
    },
  },
})

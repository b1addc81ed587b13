// Holds the newest feed entries that arrived as messages, in processes that do not write the feed.
import type { Header } from '@openvenue/core/events'
import type { Broadcast } from '../broadcast/broadcast.ts'
import type { Message } from '../broadcast/message.ts'
import { MessageFollower } from '../broadcast/message-follower.ts'
import { LISTEN_FALLBACK_MS } from '../db/db.ts'
import type { FeedEntry } from '../store.ts'
import { decodeEntry, encodeEntry } from './feed-messages.ts'
import { goesOnFrom } from './feed-order.ts'

/** Maximum number of entries that followers have not fetched yet. */
const ENTRIES_MAX = 256
/** Maximum number of entries of a commit that are sent one by one; of more, only numbers are. */
const SENT_ENTRIES_MAX = 16

type MirrorActions = Readonly<{
  /** Called when `after` may have more, with the newest number that it has. */
  grown: (seq: number) => void
  /** Signals other processes by PostgreSQL that the feed has reached `seq`. */
  signal: (seq: number) => void
}>

export class FeedMirror {
  readonly #broadcast: Broadcast
  readonly #messages: MessageFollower
  readonly #actions: MirrorActions
  /** The entry before `#entries`, with its block if known; undefined before the first read. */
  #base: Readonly<{ seq: number; head: Header | undefined }> | undefined
  /** Without a gap in `seq`. */
  #entries: FeedEntry[] = []
  /** Number of reasons to read the table, in total and when the last complete read began. */
  #due = 0
  #readDue = 0
  #readMs = Number.NEGATIVE_INFINITY

  constructor(broadcast: Broadcast, actions: MirrorActions) {
    this.#broadcast = broadcast
    this.#actions = actions
    this.#messages = new MessageFollower(broadcast, 'feed', {
      last: () => this.#last?.seq,
      take: (message, body) => this.#take(message, body),
      readTable: () => this.readTable(),
    })
  }

  start(): void {
    this.#messages.start()
  }

  stop(): void {
    this.#messages.stop()
  }

  /** Returns whether `entries` can be expected to reach other processes as messages. */
  carries(entries: readonly FeedEntry[]): boolean {
    return entries.length <= SENT_ENTRIES_MAX && this.#broadcast.isReliable('feed')
  }

  /** Sends entries that were committed. `isCarried`: the commit has sent no signal. */
  send(entries: readonly FeedEntry[], isCarried: boolean): void {
    const [first, last] = [entries[0], entries.at(-1)]
    if (first === undefined || last === undefined) return
    if (entries.length > SENT_ENTRIES_MAX)
      void this.#broadcast.publish(rangeOf(first, last), () => undefined)
    else for (const entry of entries) void this.#sendOne(entry, isCarried)
  }

  async #sendOne(entry: FeedEntry, isCarried: boolean): Promise<void> {
    const isSent = await this.#broadcast.publish(rangeOf(entry), () => encodeEntry(entry))
    if (isCarried && !isSent) this.#actions.signal(entry.seq)
  }

  /** Called with PostgreSQL's notification: the feed's last number; 0 when it is unknown. */
  heard(seq: number): void {
    this.#messages.heard(seq)
  }

  /** Makes the next call of `after` at the end of the entries lead to the table. */
  readTable(): void {
    this.#due++
    this.#actions.grown(this.#last?.seq ?? 0)
  }

  /** Returns entries after `seq`, or undefined when the table must be read. */
  after(seq: number, limit: number): readonly FeedEntry[] | undefined {
    const start = seq - (this.#base?.seq ?? Number.POSITIVE_INFINITY)
    if (start < 0 || start > this.#entries.length) return undefined
    const entries = this.#entries.slice(start, start + limit)
    return entries.length > 0 || this.#isFresh() ? entries : undefined
  }

  /** Called before the table is read. Returns the function that takes the entries after `seq`. */
  reading(): (seq: number, entries: readonly FeedEntry[], isComplete: boolean) => void {
    const [due, startedMs] = [this.#due, performance.now()]
    return (seq, entries, isComplete) => {
      this.#merge(seq, entries)
      if (!isComplete) return
      this.#readDue = Math.max(this.#readDue, due)
      this.#readMs = startedMs
    }
  }

  /** Drops everything: the feed does not continue from here. */
  reset(): void {
    this.#base = undefined
    this.#entries = []
  }

  get #last() {
    const entry = this.#entries.at(-1)
    return entry === undefined ? this.#base : { seq: entry.seq, head: entry.header }
  }

  #isFresh(): boolean {
    if (!this.#messages.isTrusted || this.#due > this.#readDue) return false
    return performance.now() - this.#readMs < LISTEN_FALLBACK_MS
  }

  #take({ first, last }: Message, body: string): boolean {
    const entry = decodeEntry(first, body)
    const head = this.#last?.head
    const isNext = head === undefined || (entry !== undefined && goesOnFrom(head, entry))
    if (entry === undefined || first !== last || !isNext) return false
    this.#add([entry])
    this.#actions.grown(first)
    return true
  }

  /** Adds what was read after `seq`; entries that do not continue here replace all. */
  #merge(seq: number, entries: readonly FeedEntry[]): void {
    const last = this.#last?.seq ?? -1
    if ((entries.at(-1)?.seq ?? seq) <= last) return
    if (seq > last) {
      this.#base = { seq, head: undefined }
      this.#entries = []
    }
    this.#add(entries.filter((entry) => entry.seq > last))
  }

  #add(entries: readonly FeedEntry[]): void {
    this.#entries = this.#entries.concat(entries)
    if (this.#entries.length <= ENTRIES_MAX) return
    // In bulk, so that not every entry moves the whole list.
    const dropped = this.#entries.splice(0, this.#entries.length - ENTRIES_MAX / 2).at(-1)
    if (dropped) this.#base = { seq: dropped.seq, head: dropped.header }
  }
}

const rangeOf = (first: FeedEntry, last = first) =>
  ({ stream: 'feed', first: first.seq, last: last.seq }) as const

// Puts received messages in order for a cache of entries, and decides when to read the table
// instead: after a fault, or when a number that PostgreSQL has signalled does not arrive.
import type { Broadcast, MessageOutcome } from './broadcast.ts'
import type { Message, StreamName } from './message.ts'

/** Time that a message may take after PostgreSQL's notification before the table is read. */
const GRACE_MS = 100
/** Maximum number of messages that wait for an earlier one. */
const HELD_MAX = 64

/** The cache that messages are for. */
type EntryCache = Readonly<{
  /** The number of the last known entry; undefined before the first read. */
  last: () => number | undefined
  /** Adds the entries after `last` of a message; returns whether its body fits. */
  take: (message: Message, body: string) => boolean
  /** Makes followers read the table. */
  readTable: () => void
}>

export class MessageFollower {
  readonly #broadcast: Broadcast
  readonly #stream: StreamName
  readonly #cache: EntryCache
  readonly #held = new Map<number, Message>()
  #heardSeq = 0
  #timer: NodeJS.Timeout | undefined
  /** The last awaited message did not come in time. */
  #isLate = false
  #unsubscribe: (() => void) | undefined

  constructor(broadcast: Broadcast, stream: StreamName, cache: EntryCache) {
    this.#broadcast = broadcast
    this.#stream = stream
    this.#cache = cache
  }

  start(): void {
    this.#unsubscribe ??= this.#broadcast.subscribe(this.#stream, (message) => this.#take(message))
  }

  stop(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#held.clear()
  }

  /** Returns whether new entries can be expected to arrive as messages. */
  get isTrusted(): boolean {
    return this.#unsubscribe !== undefined && this.#broadcast.isConnected() && !this.#isLate
  }

  /** Called with PostgreSQL's notification; its number is 0 when entries may have been missed. */
  heard(seq: number): void {
    const last = this.#cache.last()
    if (seq !== 0 && seq <= (last ?? -1)) return
    this.#heardSeq = Math.max(this.#heardSeq, seq)
    if (seq === 0 || last === undefined || !this.isTrusted) this.#cache.readTable()
    else this.#await()
  }

  #await(): void {
    const seq = this.#heardSeq
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const last = this.#cache.last() ?? -1
      if (last < seq) {
        this.#isLate = true
        this.#broadcast.count(this.#stream, 'missed')
        this.#cache.readTable()
      } else if (last < this.#heardSeq) this.#await()
    }, GRACE_MS)
  }

  #take(message: Message | 'wrong' | 'foreign'): MessageOutcome {
    if (typeof message === 'string') return this.#read(message)
    const last = this.#cache.last()
    if (last === undefined) return 'early'
    if (message.last >= this.#heardSeq) this.#isLate = false
    if (message.last <= last) return 'known'
    if (message.body === undefined) return this.#read('number')
    if (message.first > last + 1) return this.#hold(message)
    if (!this.#cache.take(message, message.body)) return this.#read('wrong')
    this.#takeHeld()
    return 'applied'
  }

  #read<T extends MessageOutcome>(outcome: T): T {
    this.#cache.readTable()
    return outcome
  }

  /** Several processes write the log, and their messages may overtake each other. */
  #hold(message: Message): MessageOutcome {
    if (this.#held.size >= HELD_MAX) this.#held.clear()
    this.#held.set(message.first, message)
    this.heard(message.last)
    return 'held'
  }

  #takeHeld(): void {
    for (;;) {
      const next = (this.#cache.last() ?? 0) + 1
      for (const [first, { last }] of this.#held) if (last < next) this.#held.delete(first)
      const message = this.#held.get(next)
      this.#held.delete(next)
      if (message?.body === undefined) return
      if (!this.#cache.take(message, message.body)) return void this.#read('wrong')
    }
  }
}

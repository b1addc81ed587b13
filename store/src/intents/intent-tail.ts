// Caches the newest entries of the intents' log for followers in this process, so that its own
// commits cost them no query, and those of others a single one, or none if they arrive as messages.
import type { Broadcast } from '../broadcast/broadcast.ts'
import type { Message } from '../broadcast/message.ts'
import { MessageFollower } from '../broadcast/message-follower.ts'
import { type Db, LISTEN_FALLBACK_MS } from '../db/db.ts'
import { FeedGone } from '../store.ts'
import { decodeLog, encodeLog } from './intent-messages.ts'
import { INTENTS_CHANNEL, type IntentLogEntry, type Intents } from './intents.ts'

/** Maximum number of entries, and of their text size: a first entry has its payload. */
const TAIL_ENTRIES_MAX = 8192
const TAIL_BYTES_MAX = 16 * 1024 * 1024
const ENTRY_BYTES = 400
/** Maximum number of entries of other processes per read. */
const READ_MAX = 1000

/** The relayer's status, and the time at which it was written. */
type Status = Readonly<{ status: string; updatedMs: number }>

type ReadLog = (seq: number, limit: number) => Promise<readonly IntentLogEntry[]>

/**
 * Returns the log entries after `seq`, or that the log does not continue from there: entries were
 * deleted, or the database lost its newest commits. The follower must reload.
 */
export async function entriesAfter(
  intents: Pick<Intents, 'logAfter'>,
  seq: number,
  limit: number,
): Promise<readonly IntentLogEntry[] | 'gone'> {
  try {
    const entries = await intents.logAfter(seq, limit)
    return entries[0] === undefined || entries[0].seq === seq + 1 ? entries : 'gone'
  } catch (error) {
    if (error instanceof FeedGone) return 'gone'
    throw error
  }
}

export class IntentTail {
  readonly #db: Db
  readonly #readLog: ReadLog
  readonly #seen: { log: number }
  readonly #broadcast: Broadcast | undefined
  /** Entries of other processes; undefined without a message server. */
  readonly #messages: MessageFollower | undefined
  readonly #listeners = new Set<() => void>()
  /** Without a gap in `seq`. */
  #entries: readonly IntentLogEntry[] = []
  #bytes = 0
  /** Entry up to which the log is known; undefined: nothing was read or committed yet. */
  #last: number | undefined
  #heardSeq = 0
  #checkedMs = Number.NEGATIVE_INFINITY
  #commits = 0
  #relayStatus: Readonly<{ status: Status | undefined; readMs: number }> | undefined
  #reading: Promise<void> | undefined
  #stopListening: (() => void) | undefined

  /** `seen` has the newest number that this process wrote or read. */
  constructor(db: Db, readLog: ReadLog, seen = { log: 0 }, broadcast?: Broadcast) {
    this.#db = db
    this.#seen = seen
    this.#readLog = readLog
    this.#broadcast = broadcast
    this.#messages =
      broadcast &&
      new MessageFollower(broadcast, 'intents', {
        last: () => this.#last,
        take: (message, body) => this.#takeMessage(message, body),
        readTable: () => this.#readTable(),
      })
  }

  /** Runs a commit of entries, caches them, and signals followers once. */
  async commit<T>(work: () => Promise<{ answer: T; entries: readonly IntentLogEntry[] }>) {
    this.#commits++
    try {
      const { answer, entries } = await work()
      this.#take(entries)
      this.#send(entries)
      return answer
    } finally {
      this.#commits--
      this.signal()
    }
  }

  /** Returns entries after `seq`, from memory if it has them. */
  async after(seq: number, limit: number): Promise<readonly IntentLogEntry[]> {
    let isAnswered = false
    for (;;) {
      const entries = this.#cachedEntries(seq, limit)
      if (entries === undefined) break
      if (entries.length === limit || isAnswered || this.#isFresh()) return entries
      // A read already in progress may not have the entries that the caller was notified of.
      isAnswered = this.#reading === undefined
      this.#reading ??= this.#readOthers().finally(() => {
        this.#reading = undefined
      })
      await this.#reading
    }
    const entries = await this.#readLog(seq, limit)
    if (this.#last === undefined && entries.length < limit) this.#begin(seq, entries)
    return entries
  }

  /** Calls `signal` when the log may have grown. Returns the function that stops it. */
  onSignal(signal: () => void): () => void {
    const listener = () => signal()
    this.#listeners.add(listener)
    this.#stopListening ??= this.#listen()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stopListening?.()
      this.#stopListening = undefined
    }
  }

  /** Records that the log has reached `seq`. */
  see(seq: number): void {
    this.#seen.log = Math.max(this.#seen.log, seq)
  }

  /** Stores the status of this process's relayer. */
  setRelayStatus(status: Status): void {
    this.#relayStatus = { status, readMs: performance.now() }
    this.signal()
  }

  /** Returns the relayer's last status; reads it when it may have changed. */
  async relayStatus(read: () => Promise<Status | undefined>): Promise<Status | undefined> {
    const nowMs = performance.now()
    if (this.#relayStatus !== undefined && nowMs - this.#relayStatus.readMs < LISTEN_FALLBACK_MS)
      return this.#relayStatus.status
    const status = await read()
    this.#relayStatus = status && { status, readMs: nowMs }
    return status
  }

  #listen(): () => void {
    const onMessage = (payload: string | undefined) => this.#onMessage(payload)
    if (this.#messages === undefined)
      return this.#db.listen(INTENTS_CHANNEL, onMessage, () => this.#onMessage(undefined))
    this.#messages.start()
    const stop = this.#db.listen(INTENTS_CHANNEL, onMessage, () => this.#readTable())
    return () => {
      stop()
      this.#messages?.stop()
    }
  }

  signal(): void {
    for (const signal of this.#listeners) signal()
  }

  #cachedEntries(seq: number, limit: number): readonly IntentLogEntry[] | undefined {
    if (this.#last === undefined) return undefined
    const start = seq - (this.#last - this.#entries.length)
    if (start < 0 || start > this.#entries.length) return undefined
    return this.#entries.slice(start, start + limit)
  }

  /** Returns whether no other process can have added entries. PGlite has no other process. */
  #isFresh(): boolean {
    if (this.#db.engine === 'pglite') return true
    if (this.#stopListening === undefined || this.#heardSeq > (this.#last ?? 0)) return false
    return performance.now() - this.#checkedMs < LISTEN_FALLBACK_MS
  }

  /** The text is the newest entry's `seq`; it is empty for a status. */
  #onMessage(payload: string | undefined): void {
    if (payload === undefined) this.#checkedMs = Number.NEGATIVE_INFINITY
    if (!payload) this.#relayStatus = undefined
    const seq = Number(payload ?? 0)
    if (this.#messages !== undefined && seq > 0) {
      this.#messages.heard(seq)
      return
    }
    this.#heardSeq = Math.max(this.#heardSeq, seq)
    const isKnown = seq > 0 && seq <= (this.#last ?? 0)
    // A commit in progress in this process signals at its end.
    if (!isKnown && (seq === 0 || this.#commits === 0)) this.signal()
  }

  /** Makes followers read the log. */
  #readTable(): void {
    this.#checkedMs = Number.NEGATIVE_INFINITY
    // A commit in progress in this process signals at its end.
    if (this.#commits === 0) this.signal()
  }

  #takeMessage(message: Message, body: string): boolean {
    const entries = decodeLog(message, body)
    if (entries === undefined) return false
    this.#take(entries)
    if (this.#commits === 0) this.signal()
    return true
  }

  /** Sends what this process has committed. */
  #send(entries: readonly IntentLogEntry[]): void {
    const [first, last] = [entries[0]?.seq, entries.at(-1)?.seq]
    if (first === undefined || last === undefined) return
    void this.#broadcast?.publish({ stream: 'intents', first, last }, () => encodeLog(entries))
  }

  async #readOthers(): Promise<void> {
    const startedMs = performance.now()
    const seq = this.#last ?? 0
    const heardSeq = this.#heardSeq
    this.#checkedMs = startedMs
    try {
      const entries = await this.#readLog(seq, READ_MAX)
      this.#take(entries)
      // Notifications during the read are for the next one; earlier missing entries were deleted.
      if (entries.length < READ_MAX && this.#heardSeq === heardSeq)
        this.#heardSeq = Math.min(heardSeq, this.#last ?? 0)
    } catch (error) {
      this.#checkedMs = Number.NEGATIVE_INFINITY
      if (error instanceof FeedGone) this.#reset()
      throw error
    }
  }

  /** Drops everything: the database lost entries that are here. */
  #reset(): void {
    this.#entries = []
    this.#bytes = this.#heardSeq = 0
    this.#last = undefined
  }

  #begin(seq: number, entries: readonly IntentLogEntry[]): void {
    this.#last = seq
    this.#take(entries)
  }

  #take(entries: readonly IntentLogEntry[]): void {
    this.see(entries.at(-1)?.seq ?? 0)
    const fresh = entries.filter(({ seq }) => seq > (this.#last ?? 0))
    const [first] = fresh
    if (first === undefined) return
    const goesOn = first.seq === (this.#last ?? -1) + 1
    this.#entries = goesOn ? this.#entries.concat(fresh) : fresh
    this.#bytes = (goesOn ? this.#bytes : 0) + sizeOf(fresh)
    this.#last = fresh.at(-1)?.seq
    if (this.#entries.length <= TAIL_ENTRIES_MAX && this.#bytes <= TAIL_BYTES_MAX) return
    // In bulk, so that not every commit moves the whole list.
    this.#entries = this.#entries.slice(Math.ceil(this.#entries.length / 4))
    this.#bytes = sizeOf(this.#entries)
  }
}

const sizeOf = (entries: readonly IntentLogEntry[]) =>
  entries.reduce((sum, { intent }) => sum + ENTRY_BYTES + payloadSize(intent?.payload), 0)

const payloadSize = (payload: object | undefined) =>
  payload === undefined ? 0 : ENTRY_BYTES + JSON.stringify(payload).length

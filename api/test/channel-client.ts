// A client of channels that follows the rules of the frames, and applies its messages: for tests.
import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { checksumText } from '@openvenue/wire/book-frames'
import type { ReplayResult, Stream, StreamMessage } from '../src/sockets/streams/stream.ts'
import { type ChannelNode, type Frame, parseFrame } from './channel-node.ts'
import { assertShape } from './channel-shape.ts'

// biome-ignore lint/suspicious/noExplicitAny: the state of whatever channel
type State = any

/** Puts a message into a state; a snapshot begins it. */
export type Fold = (state: State, frame: Frame) => State

/** One subscription, which may move from node to node. */
export class ChannelClient {
  readonly name: string
  readonly #wallet: string
  readonly #fold: Fold
  #node: ChannelNode | undefined
  #stream: Stream | undefined
  /** Messages that arrived while a snapshot is read. */
  #held: StreamMessage[] | undefined
  /** True while the node has yet to catch up with the client. */
  #isReaching = false
  #generation = 0
  /** Distinguishes the awaited snapshot from earlier ones. */
  #attempt = 0
  #state: State
  seq = -1
  /** Messages in their order, for the report of a failure. */
  readonly log: string[] = []

  constructor(name: string, wallet: string, fold: Fold) {
    this.name = name
    this.#wallet = wallet
    this.#fold = fold
  }

  get node(): ChannelNode | undefined {
    return this.#node
  }

  /** The client's state; undefined before the first snapshot. */
  get state(): State {
    return this.#held === undefined ? this.#state : undefined
  }

  /** Connects to a node, resuming if `isResuming`. */
  async connect(node: ChannelNode, isResuming: boolean): Promise<void> {
    this.disconnect()
    const kind = node.channels.find(this.name)
    if (kind === undefined) return
    const generation = ++this.#generation
    const publish = (message: StreamMessage) => {
      if (generation !== this.#generation || this.#isReaching) return
      if (this.#held === undefined) this.#take(message)
      else this.#held.push(message)
    }
    this.#node = node
    this.#stream = kind.isPrivate
      ? kind.open({ account: this.#wallet } as Parameters<typeof kind.open>[0], publish)
      : kind.open(publish)
    await (isResuming && this.seq >= 0 ? this.#resume(this.#stream) : this.resync())
  }

  /** Receives the missed messages, or a snapshot when they are unavailable. */
  async #resume(stream: Stream): Promise<void> {
    const attempt = this.#attempt
    const reached = stream.reach?.(this.seq)
    if (reached !== undefined) {
      this.#isReaching = true
      await reached
      if (attempt !== this.#attempt) return
      this.#isReaching = false
    }
    const replayed = stream.replay(this.seq)
    this.#held = []
    const missed: ReplayResult = await replayed
    if (attempt !== this.#attempt) return
    const newest = Math.max(-1, ...(missed ?? []).map(({ seq }) => seq))
    const isLate = replayed instanceof Promise
    const held = this.#held.filter(({ seq }) => !isLate || seq > newest)
    this.#held = undefined
    // At once, because messages published in between would have no predecessor.
    if (missed === undefined) return this.resync()
    for (const message of [...missed, ...held]) this.#take(message)
  }

  /** Takes a fresh snapshot. */
  async resync(): Promise<void> {
    const attempt = ++this.#attempt
    const first = this.#stream?.snapshot()
    if (first === undefined) return
    if (!(first instanceof Promise)) {
      for (const message of first) this.#take(message)
      return
    }
    this.#held = []
    const messages = await first
    if (attempt !== this.#attempt) return
    const newest = Math.max(-1, ...messages.map(({ seq }) => seq))
    const held = this.#held.filter(({ seq }) => seq > newest)
    this.#held = undefined
    for (const message of [...messages, ...held]) this.#take(message)
  }

  disconnect(): void {
    this.#generation += 1
    this.#attempt += 1
    this.#stream?.close()
    this.#stream = undefined
    this.#node = undefined
    this.#held = undefined
    this.#isReaching = false
  }

  #take(message: StreamMessage): void {
    const frame = parseFrame(message)
    this.log.push(message.text)
    assert.equal(frame.channel, this.name)
    assertShape(frame)
    assert.equal(frame.seq, message.seq)
    if (frame.type === 'snapshot') assert.equal(frame.prev_seq, null)
    else {
      const { prev_seq: before, seq } = frame
      assert.ok(before !== null && before <= this.seq, `no gap: ${this.name} ${message.text}`)
      const isContinuing = before === seq && seq === this.seq
      if (seq <= this.seq && !isContinuing) return
    }
    this.seq = frame.seq
    this.#state = this.#fold(this.#state, frame)
  }
}

/** Levels by price, best first. */
export const foldBook: Fold = (state, { type, data }) => {
  const book = type === 'snapshot' ? { bids: [], asks: [] } : state
  for (const side of ['bids', 'asks'] as const) {
    const levels = new Map<string, string[]>(
      book[side].map((level: string[]) => [level[0] as string, level] as const),
    )
    for (const level of data[side]) {
      if (level[1] === '0') levels.delete(level[0])
      else levels.set(level[0], level)
    }
    const sign = side === 'bids' ? -1 : 1
    book[side] = [...levels.values()].sort((a, b) => sign * (Number(a[0]) - Number(b[0])))
  }
  const pairs = (levels: string[][]) => levels.map(([price, amount]) => `${price}:${amount}`)
  assert.equal(data.checksum, String(crc32(checksumText(pairs(book.bids), pairs(book.asks)))))
  return book
}

/** The newest object. */
export const foldObject: Fold = (_, { data }) => data

/**
 * Items by `key`, from `member` of the data or the data itself; those that `isGone` are removed.
 */
export const foldItems =
  (key: string, member?: string, isGone: (item: State) => boolean = () => false): Fold =>
  (state, { type, data }) => {
    const items: Map<string, State> = type === 'snapshot' ? new Map() : state
    for (const id of data.removed ?? []) items.delete(id)
    for (const item of member === undefined ? data : data[member]) {
      if (isGone(item)) items.delete(item[key])
      else items.set(item[key], item)
    }
    return items
  }

/** Rows, newest first. After an undo they may be fewer than a snapshot would have. */
export type Rows = Readonly<{ rows: readonly State[]; isCut: boolean }>

/** A snapshot has rows in `member` or is one of them; an update has one more, or several. */
export const foldRows =
  (key: string, member?: string, pick: (data: State) => State = (data) => data): Fold =>
  (state: Rows, { type, data }): Rows => {
    if (type === 'snapshot')
      return { rows: toList(member === undefined ? data : data[member]), isCut: false }
    if (type === 'undo') return { rows: without(state.rows, key, data.ids), isCut: true }
    const items = toList(pick(data))
    const ids = items.map((row) => row[key])
    return { ...state, rows: [...items, ...without(state.rows, key, ids)] }
  }

const toList = (data: State): readonly State[] =>
  Array.isArray(data) ? data : data === null ? [] : [data]

function without(rows: readonly State[], key: string, ids: readonly string[]): readonly State[] {
  const gone = new Set(ids)
  return rows.filter((row) => !gone.has(row[key]))
}

/** Candles by time; `undo` names the newest one left. */
export const foldCandles: Fold = (state, { type, data }) => {
  const candles: Map<number, State> = type === 'snapshot' ? new Map() : state
  const newest = data?.time ?? Number.NEGATIVE_INFINITY
  if (type === 'undo')
    for (const time of [...candles.keys()]) if (time > newest) candles.delete(time)
  if (data !== null) candles.set(data.time, data)
  return candles
}

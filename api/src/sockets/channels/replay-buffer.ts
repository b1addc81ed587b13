// The messages of one channel: numbered by the feed, written once, and kept for those who come back.
import type { FrameType } from '@openvenue/wire/channels'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Message, Publish } from '../channel.ts'

/** What a channel keeps for those who come back: a minute of a busy one. */
export const HISTORY_MESSAGES_MAX = 512
export const HISTORY_BYTES_MAX = 256 * 1024

export type ReplayBufferDeps = Readonly<{ model: VenueModel; nowMs: () => number }>

/** Where a message stands: the entry it tells, and the last one told before. */
export type FramePosition = Readonly<{ seq: number; prevSeq: number | null; blockNumber: number }>

export type FeedPosition = Omit<FramePosition, 'prevSeq'>

/** What a message says. `data` is JSON; a function gets the place that the message takes. */
export type Telling = Readonly<{
  type: FrameType
  data: string | ((position: FramePosition) => string)
  /** Which of how many messages about one entry. */
  part?: readonly [part: number, parts: number]
}>

type Kept = Readonly<{ message: Message; isContinuing: boolean }>

export class ReplayBuffer {
  readonly #channel: string
  readonly #deps: ReplayBufferDeps
  readonly #publish: Publish
  /** The last entry that was told, or that the channel began with. */
  #prevSeq: number
  /** Every message after this entry is in the history. */
  #historySeq: number
  #history: Kept[] = []
  #historyBytes = 0
  /** The last snapshot. */
  #last: Message | undefined

  constructor(channel: string, deps: ReplayBufferDeps, publish: Publish) {
    this.#channel = JSON.stringify(channel)
    this.#deps = deps
    this.#publish = publish
    this.#prevSeq = deps.model.seq
    this.#historySeq = deps.model.seq
  }

  /** Forgets what was said: the next message is a snapshot of where the model stands. */
  restart(seq = this.#deps.model.seq): void {
    this.#prevSeq = seq
    this.#historySeq = seq
    this.#history = []
    this.#historyBytes = 0
    this.#last = undefined
  }

  /** A snapshot stands at `seq`: the first message follows on it. */
  begin(seq: number): void {
    if (this.#history.length > 0 || seq >= this.#prevSeq) return
    this.#prevSeq = seq
    this.#historySeq = seq
  }

  /** Tells everybody, by default at the entry where the model stands. */
  send(telling: Telling, at: FeedPosition = this.now): void {
    const prevSeq = this.#prevSeq
    const position = { ...at, prevSeq: telling.type === 'snapshot' ? null : prevSeq }
    const message = this.written(telling, position)
    this.#prevSeq = position.seq
    this.#last = undefined
    const isContinuing = prevSeq === position.seq && telling.part === undefined
    this.#keep({ message, isContinuing })
    this.#publish(message)
  }

  /** Tells everybody each of `datas` in a message of its own. */
  sendEach(type: FrameType, datas: readonly string[], at: FeedPosition = this.now): void {
    for (const [index, data] of datas.entries()) {
      const part = [index + 1, datas.length] as const
      this.send({ type, data, ...(datas.length === 1 ? {} : { part }) }, at)
    }
  }

  /**
   * Returns a snapshot of where the model stands, or stood at `at`. That of one entry is written
   * once, unless something was told since.
   */
  snapshot(data: (position: FramePosition) => string, at: FeedPosition = this.now): Message {
    if (this.#last?.seq === at.seq) return this.#last
    this.#last = this.written({ type: 'snapshot', data }, { ...at, prevSeq: null })
    return this.#last
  }

  /** Where the model stands. */
  get now(): FeedPosition {
    const { model } = this.#deps
    return { seq: model.seq, blockNumber: model.head?.number ?? 0 }
  }

  /**
   * Returns the messages after `seq`, or undefined when some of them are not held, or when this node
   * has not come so far. What the passing of time alone made known at `seq` comes again: whether it
   * was read nobody knows, and it does no harm. Of several parts that tell one entry none is after
   * it: who lacks some asks from the entry before.
   */
  replay(seq: number): readonly Message[] | undefined {
    if (seq < this.#historySeq || seq > this.#deps.model.seq) return undefined
    const first = this.#history.findIndex(
      ({ message, isContinuing }) => message.seq > seq || (message.seq === seq && isContinuing),
    )
    return first === -1 ? [] : this.#history.slice(first).map(({ message }) => message)
  }

  /** Returns a message as it goes out. */
  written({ type, data, part }: Telling, position: FramePosition): Message {
    const { seq, prevSeq, blockNumber } = position
    const text =
      `{"channel":${this.#channel},"type":"${type}","seq":${seq},"prev_seq":${prevSeq}` +
      `,"block_number":${blockNumber},"ts":${this.#deps.nowMs()}` +
      `${part === undefined ? '' : `,"part":${part[0]},"parts":${part[1]}`}` +
      `,"data":${typeof data === 'string' ? data : data(position)}}`
    return { seq, text }
  }

  #keep(kept: Kept): void {
    this.#history.push(kept)
    this.#historyBytes += kept.message.text.length
    let dropped = 0
    while (
      this.#history.length - dropped > HISTORY_MESSAGES_MAX ||
      (this.#historyBytes > HISTORY_BYTES_MAX && this.#history.length > dropped)
    ) {
      const { message } = this.#history[dropped] as Kept
      this.#historyBytes -= message.text.length
      this.#historySeq = message.seq
      dropped += 1
    }
    if (dropped > 0) this.#history.splice(0, dropped)
  }
}

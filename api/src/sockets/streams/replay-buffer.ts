// Numbers the frames of one channel by the feed, writes each once, and keeps the newest for
// listeners that come back.
import type { VenueModel } from '../../model/venue-model.ts'
import type { FeedPosition, Frame, FramePosition } from './channel.ts'
import type { KeptMessage, ReplayMemory } from './replay-memory.ts'
import type { Message } from './stream.ts'

/** Messages that a channel keeps for those who come back: a minute of a busy one. */
export const HISTORY_MESSAGES_MAX = 512
export const HISTORY_BYTES_MAX = 256 * 1024
/** Messages that are rebuilt for one client, and their bytes: half of what it may have unread. */
export const REBUILT_MESSAGES_MAX = 4_096
export const REBUILT_BYTES_MAX = 2 * 1024 * 1024

type Kept = Readonly<{ message: Message; isContinuing: boolean; counted: KeptMessage }>

type BufferDeps = Readonly<{ model: VenueModel; memory: ReplayMemory; nowMs: () => number }>

export class ReplayBuffer {
  readonly #channel: string
  readonly #deps: BufferDeps
  /** The entry of the last frame, or the one that the channel began with. */
  #prevSeq: number
  /** Every message after this entry is in the history. */
  #historySeq: number
  #history: Kept[] = []
  #historyBytes = 0
  /** The last snapshot. */
  #last: Message | undefined

  constructor(channel: string, deps: BufferDeps) {
    this.#channel = JSON.stringify(channel)
    this.#deps = deps
    this.#prevSeq = deps.model.seq
    this.#historySeq = deps.model.seq
  }

  /** The entry that the next frame follows on. */
  get seq(): number {
    return this.#prevSeq
  }

  /** Forgets the history: the next frame is a snapshot of where the model stands. */
  restart(seq = this.#deps.model.seq): void {
    this.#prevSeq = seq
    this.#historySeq = seq
    this.clear()
    this.#last = undefined
  }

  /** Gives back the memory of the history. */
  clear(): void {
    for (const { counted } of this.#history) counted.forget()
    this.#history = []
    this.#historyBytes = 0
  }

  /**
   * Writes frames of past entries, which follow on `seq` and lead to where the model stands; the
   * next frame of the channel follows on them.
   */
  rebuild(seq: number, frames: readonly Frame[]): readonly Message[] | undefined {
    if (frames.length > REBUILT_MESSAGES_MAX) return undefined
    const messages: Message[] = []
    let prevSeq = seq
    let bytes = 0
    for (const frame of frames) {
      const { seq: at, blockNumber } = frame.at ?? this.now
      messages.push(this.#write(frame, { seq: at, blockNumber, prevSeq }))
      bytes += messages.at(-1)?.text.length ?? 0
      if (bytes > REBUILT_BYTES_MAX) return undefined
      prevSeq = at
    }
    this.begin(prevSeq)
    return messages
  }

  /** A snapshot stands at `seq`: the first frame follows on it. */
  begin(seq: number): void {
    if (this.#history.length > 0 || seq >= this.#prevSeq) return
    this.#prevSeq = seq
    this.#historySeq = seq
  }

  /** Numbers, writes and keeps a frame, by default one of the entry where the model stands. */
  add(frame: Frame, now: FeedPosition = this.now): Message {
    const prevSeq = this.#prevSeq
    const { seq, blockNumber } = frame.at ?? now
    const position = { seq, blockNumber, prevSeq: frame.type === 'snapshot' ? null : prevSeq }
    const message = this.#write(frame, position)
    this.#prevSeq = seq
    this.#last = undefined
    const isContinuing = prevSeq === seq && frame.part === undefined
    this.#keep(message, isContinuing)
    return message
  }

  /**
   * Returns a snapshot of where the model stands. That of one entry is written once, unless a frame
   * came since.
   */
  snapshot(data: Frame['data']): Message {
    const { now } = this
    if (this.#last?.seq === now.seq) return this.#last
    this.#last = this.snapshotAt(data, now)
    return this.#last
  }

  /** Returns a snapshot that stands at `position`. */
  snapshotAt(data: Frame['data'], { seq, blockNumber }: FeedPosition): Message {
    return this.#write({ type: 'snapshot', data }, { seq, blockNumber, prevSeq: null })
  }

  /** Where the model stands. */
  get now(): FeedPosition {
    const { model } = this.#deps
    return { seq: model.seq, blockNumber: model.head?.number ?? 0 }
  }

  /**
   * Returns the messages after `seq`, or undefined when some of them are not held, or when this
   * node has not come so far. What the passing of time alone made known at `seq` comes again:
   * whether it was read nobody knows, and it does no harm. Of several parts of one entry none is
   * after it: who lacks some asks from the entry before.
   */
  replay(seq: number): readonly Message[] | undefined {
    if (seq < this.#historySeq || seq > this.#deps.model.seq) return undefined
    const first = this.#history.findIndex(
      ({ message, isContinuing }) => message.seq > seq || (message.seq === seq && isContinuing),
    )
    return first === -1 ? [] : this.#history.slice(first).map(({ message }) => message)
  }

  #write({ type, data, part }: Frame, position: FramePosition): Message {
    const { seq, prevSeq, blockNumber } = position
    const text =
      `{"channel":${this.#channel},"type":"${type}","seq":${seq},"prev_seq":${prevSeq}` +
      `,"block_number":${blockNumber},"ts":${this.#deps.nowMs()}` +
      `${part === undefined ? '' : `,"part":${part[0]},"parts":${part[1]}`}` +
      `,"data":${typeof data === 'string' ? data : data(position)}}`
    return { seq, text, isSnapshot: type === 'snapshot' }
  }

  #keep(message: Message, isContinuing: boolean): void {
    const counted = this.#deps.memory.keep(message.text, () => this.#drop(1))
    this.#history.push({ message, isContinuing, counted })
    this.#historyBytes += message.text.length
    let [bytes, dropped] = [this.#historyBytes, 0]
    while (
      this.#history.length - dropped > HISTORY_MESSAGES_MAX ||
      (bytes > HISTORY_BYTES_MAX && this.#history.length > dropped)
    ) {
      bytes -= this.#history[dropped]?.message.text.length ?? 0
      dropped += 1
    }
    if (dropped > 0) this.#drop(dropped)
  }

  /** Forgets the oldest messages. */
  #drop(count: number): void {
    for (const { message, counted } of this.#history.splice(0, count)) {
      this.#historyBytes -= message.text.length
      this.#historySeq = message.seq
      counted.forget()
    }
  }
}

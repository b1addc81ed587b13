// Numbers the frames of one channel by the feed, encodes each once, and keeps the newest for
// resuming clients.
import type { VenueModel } from '../../model/venue-model.ts'
import type { FeedPosition, Frame, FramePosition } from './channel.ts'
import type { ReplayHandle, ReplayMemory } from './replay-memory.ts'
import type { StreamMessage } from './stream.ts'

/** Messages kept for resuming clients: a minute of a busy channel. */
export const HISTORY_MESSAGES_MAX = 512
export const HISTORY_BYTES_MAX = 256 * 1024
/** Messages that are rebuilt for one client, and their bytes: half of its unread bound. */
const REBUILT_MESSAGES_MAX = 4_096
const REBUILT_BYTES_MAX = 2 * 1024 * 1024

type BufferedMessage = Readonly<{
  message: StreamMessage
  isContinuing: boolean
  counted: ReplayHandle
}>

type BufferDeps = Readonly<{ model: VenueModel; memory: ReplayMemory; nowMs: () => number }>

export class ReplayBuffer {
  readonly #channel: string
  readonly #deps: BufferDeps
  /** The entry of the last frame, or the one at which the channel opened. */
  #prevSeq: number
  /** Every message after this entry is in the history. */
  #historySeq: number
  #history: BufferedMessage[] = []
  #historyBytes = 0
  /** The last snapshot. */
  #last: StreamMessage | undefined

  constructor(channel: string, deps: BufferDeps) {
    this.#channel = JSON.stringify(channel)
    this.#deps = deps
    this.#prevSeq = deps.model.seq
    this.#historySeq = deps.model.seq
  }

  /** The entry that the next frame follows. */
  get seq(): number {
    return this.#prevSeq
  }

  /** Drops the history: the next frame is a snapshot of the model's current state. */
  restart(seq = this.#deps.model.seq): void {
    this.#prevSeq = seq
    this.#historySeq = seq
    this.clear()
    this.#last = undefined
  }

  /** Frees the memory of the history. */
  clear(): void {
    for (const { counted } of this.#history) counted.forget()
    this.#history = []
    this.#historyBytes = 0
  }

  /**
   * Encodes frames of past entries, which follow `seq` and lead to the model's current entry; the
   * next frame of the channel follows them.
   */
  rebuild(seq: number, frames: readonly Frame[]): readonly StreamMessage[] | undefined {
    if (frames.length > REBUILT_MESSAGES_MAX) return undefined
    const messages: StreamMessage[] = []
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

  /** Records a snapshot at `seq`: the first frame follows it. */
  begin(seq: number): void {
    if (this.#history.length > 0 || seq >= this.#prevSeq) return
    this.#prevSeq = seq
    this.#historySeq = seq
  }

  /** Numbers, encodes and keeps a frame, by default as one of the model's current entry. */
  add(frame: Frame, now: FeedPosition = this.now): StreamMessage {
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
   * Returns a snapshot of the model's current state, encoded once per entry unless a frame came
   * since.
   */
  snapshot(data: Frame['data']): StreamMessage {
    const { now } = this
    if (this.#last?.seq === now.seq) return this.#last
    this.#last = this.snapshotAt(data, now)
    return this.#last
  }

  /** Returns a snapshot at `position`. */
  snapshotAt(data: Frame['data'], { seq, blockNumber }: FeedPosition): StreamMessage {
    return this.#write({ type: 'snapshot', data }, { seq, blockNumber, prevSeq: null })
  }

  /** The model's current position. */
  get now(): FeedPosition {
    const { model } = this.#deps
    return { seq: model.seq, blockNumber: model.head?.number ?? 0 }
  }

  /**
   * Returns the messages after `seq`, or undefined when some of them are not kept, or when this
   * node has not reached it. Messages that time caused at `seq` are repeated: the client may have
   * missed them, and repeats are harmless. No part of an entry counts as after it: a client that
   * lacks some asks from the entry before.
   */
  replay(seq: number): readonly StreamMessage[] | undefined {
    if (seq < this.#historySeq || seq > this.#deps.model.seq) return undefined
    const first = this.#history.findIndex(
      ({ message, isContinuing }) => message.seq > seq || (message.seq === seq && isContinuing),
    )
    return first === -1 ? [] : this.#history.slice(first).map(({ message }) => message)
  }

  #write({ type, data, part }: Frame, position: FramePosition): StreamMessage {
    const { seq, prevSeq, blockNumber } = position
    const text =
      `{"channel":${this.#channel},"type":"${type}","seq":${seq},"prev_seq":${prevSeq}` +
      `,"block_number":${blockNumber},"ts":${this.#deps.nowMs()}` +
      `${part === undefined ? '' : `,"part":${part[0]},"parts":${part[1]}`}` +
      `,"data":${typeof data === 'string' ? data : data(position)}}`
    return { seq, text, isSnapshot: type === 'snapshot' }
  }

  #keep(message: StreamMessage, isContinuing: boolean): void {
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

  /** Drops the oldest messages. */
  #drop(count: number): void {
    for (const { message, counted } of this.#history.splice(0, count)) {
      this.#historyBytes -= message.text.length
      this.#historySeq = message.seq
      counted.forget()
    }
  }
}

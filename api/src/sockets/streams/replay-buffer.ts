// Numbers the frames of one channel by the feed, writes each once, and keeps the newest for
// listeners that come back.
import type { VenueModel } from '../../model/venue-model.ts'
import type { FeedPosition, Frame, FramePosition } from './channel.ts'
import type { Message } from './stream.ts'

/** Messages that a channel keeps for those who come back: a minute of a busy one. */
export const HISTORY_MESSAGES_MAX = 512
export const HISTORY_BYTES_MAX = 256 * 1024

type Kept = Readonly<{ message: Message; isContinuing: boolean }>

export class ReplayBuffer {
  readonly #channel: string
  readonly #deps: Readonly<{ model: VenueModel; nowMs: () => number }>
  /** The entry of the last frame, or the one that the channel began with. */
  #prevSeq: number
  /** Every message after this entry is in the history. */
  #historySeq: number
  #history: Kept[] = []
  #historyBytes = 0
  /** The last snapshot. */
  #last: Message | undefined

  constructor(channel: string, deps: Readonly<{ model: VenueModel; nowMs: () => number }>) {
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
    this.#history = []
    this.#historyBytes = 0
    this.#last = undefined
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
    this.#keep({ message, isContinuing })
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

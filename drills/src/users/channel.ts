// Tracks one channel like a client, by the rules of docs/SOCKETS.md: gaps, duplicates, and where to
// resume after a reconnection.

export type ChannelFrame = Readonly<{
  channel: string
  type: 'snapshot' | 'update' | 'undo'
  seq: number
  prev_seq: number | null
  part?: number
  parts?: number
  block_number: number
  // biome-ignore lint/suspicious/noExplicitAny: the data of any channel
  data: any
}>

/** Processes the frames of a channel. */
export type Fold = Readonly<{
  /** Receives a snapshot of the whole, or of its newest rows. */
  snapshot(frame: ChannelFrame): void
  update(frame: ChannelFrame): void
  undo(frame: ChannelFrame): void
}>

type MessagePart = Readonly<{ seq: number; prevSeq: number; part: number; parts: number }>

export class Channel {
  readonly name: string
  readonly #fold: Fold
  #seq: number | undefined
  /** The last message, if it was one of several about its entry. */
  #part: MessagePart | undefined
  /** Part up to which a resent message was already applied. */
  #resentPart: MessagePart | undefined
  block = 0
  counted: { snapshots: number; gaps: number } = { snapshots: 0, gaps: 0 }

  constructor(name: string, fold: Fold) {
    this.name = name
    this.#fold = fold
  }

  /** Resets the counters. */
  recount(): void {
    this.counted = { snapshots: 0, gaps: 0 }
  }

  /** Returns the subscription: from the last position, if any; after a gap, with a snapshot. */
  resume(): Readonly<{ channel: string; from_seq?: number; snapshot: true }> {
    if (this.#seq === undefined) return { channel: this.name, snapshot: true }
    const part = this.#part
    const isPartial = part !== undefined && part.part < part.parts
    if (isPartial) {
      this.#resentPart = part
      this.#seq = part.prevSeq
    }
    return { channel: this.name, from_seq: this.#seq, snapshot: true }
  }

  /** Processes a message; returns whether to request a snapshot. */
  take(frame: ChannelFrame): 'applied' | 'skipped' | 'gap' {
    if (frame.type !== 'snapshot') return this.#takeNext(frame)
    this.counted.snapshots += 1
    this.#fold.snapshot(frame)
    this.#advance(frame)
    return 'applied'
  }

  #takeNext(frame: ChannelFrame): 'applied' | 'skipped' | 'gap' {
    const { seq, prev_seq: before } = frame
    // A requested snapshot is pending.
    if (this.#seq === undefined || before === null) return 'skipped'
    const isContinuing = before === seq && seq === this.#seq
    if (seq <= this.#seq && !isContinuing) return 'skipped'
    if (before > this.#seq) {
      this.counted.gaps += 1
      this.#seq = undefined
      return 'gap'
    }
    const last = this.#resentPart
    const isSkipped = last?.seq === seq && (frame.part ?? 1) <= last.part
    if (!isSkipped) this.#fold[frame.type === 'undo' ? 'undo' : 'update'](frame)
    this.#advance(frame)
    return isSkipped ? 'skipped' : 'applied'
  }

  #advance({ seq, prev_seq, part, parts, block_number }: ChannelFrame): void {
    const first = this.#part?.seq === seq ? this.#part.prevSeq : (prev_seq ?? seq)
    this.#part =
      part === undefined || parts === undefined ? undefined : { seq, prevSeq: first, part, parts }
    this.#seq = seq
    this.block = block_number
  }
}

// Follows the sequence of one channel and classifies messages as new, known or after a gap.

/** A message of a channel as it arrives. */
export type Message<Data = unknown> = Readonly<{
  channel: string
  type: 'snapshot' | 'update' | 'undo'
  /** Sequence number in the feed, the same on every node. */
  seq: number
  /** Sequence number of the previous message on this node; null in a snapshot. */
  prev_seq: number | null
  block_number: number
  /** Time at which the node created the message. Milliseconds. */
  ts: number
  /** Index, from 1, and number of messages if an entry is split. */
  part?: number
  parts?: number
  data: Data
}>

/** Classification of a message relative to those before it. */
type SequenceState = 'new' | 'known' | 'gap'

type SequencePosition = Readonly<{ seq: number; prevSeq: number; part: number; parts: number }>

export class Cursor {
  #position: SequencePosition | undefined

  /** Starts after entry `seq`. */
  begin(seq: number): void {
    this.#position = { seq, prevSeq: seq, part: 1, parts: 1 }
  }

  /** Forgets the position: only a snapshot is new. */
  lose(): void {
    this.#position = undefined
  }

  /**
   * Sequence number to resume after: the last entry, or the one before it if parts of the last are
   * missing. Undefined before the first entry.
   */
  get fromSeq(): number | undefined {
    const position = this.#position
    if (position === undefined) return undefined
    return position.part < position.parts ? position.prevSeq : position.seq
  }

  /** Classifies a message and advances if it is new. */
  take({ type, seq, prev_seq, part = 1, parts = 1 }: Message): SequenceState {
    const position = this.#position
    const prevSeq = prev_seq ?? seq
    if (type === 'snapshot') {
      this.#position = { seq, prevSeq, part, parts }
      return 'new'
    }
    // Sent before the requested snapshot.
    if (position === undefined) return 'known'
    const verdict = judge(position, { seq, prevSeq, part, parts })
    if (verdict === 'new')
      this.#position = { seq, prevSeq: part > 1 ? position.prevSeq : prevSeq, part, parts }
    return verdict
  }
}

function judge(last: SequencePosition, next: SequencePosition): SequenceState {
  if (next.seq < last.seq) return 'known'
  if (next.seq === last.seq) {
    if (next.parts > 1) return judgePart(last, next)
    // A continuation with the same number: the clock changed the state.
    return next.prevSeq === last.seq ? 'new' : 'known'
  }
  const isWhole = last.part === last.parts && next.part === 1
  return isWhole && next.prevSeq <= last.seq ? 'new' : 'gap'
}

function judgePart(last: SequencePosition, next: SequencePosition): SequenceState {
  if (last.parts === 1 || next.part <= last.part) return 'known'
  return next.part === last.part + 1 ? 'new' : 'gap'
}

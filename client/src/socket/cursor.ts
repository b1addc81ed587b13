// Follows the sequence of one channel: what is new, what is known already, what is missing.

/** A message of a channel, as it comes. */
export type Message<Data = unknown> = Readonly<{
  channel: string
  type: 'snapshot' | 'update' | 'undo'
  /** The entry of the feed, the same on every node. */
  seq: number
  /** Of the message before it on this node; null in a snapshot. */
  prev_seq: number | null
  block_number: number
  /** When the node made it. Milliseconds. */
  ts: number
  /** Where several messages are of one entry: which of how many it is. */
  part?: number
  parts?: number
  data: Data
}>

/** What a message is to someone who has read those before it. */
export type Verdict = 'new' | 'known' | 'gap'

type Place = Readonly<{ seq: number; prevSeq: number; part: number; parts: number }>

export class Cursor {
  #place: Place | undefined

  /** What follows on entry `seq` is new. */
  begin(seq: number): void {
    this.#place = { seq, prevSeq: seq, part: 1, parts: 1 }
  }

  /** Nothing is known any more: only a snapshot is new. */
  lose(): void {
    this.#place = undefined
  }

  /**
   * The entry to go on from: the last one, or where parts of it are missing, the one before it.
   * Undefined before there was one.
   */
  get fromSeq(): number | undefined {
    const place = this.#place
    if (place === undefined) return undefined
    return place.part < place.parts ? place.prevSeq : place.seq
  }

  /** Judges a message, and stands at it if it is new. */
  take({ type, seq, prev_seq, part = 1, parts = 1 }: Message): Verdict {
    const place = this.#place
    const prevSeq = prev_seq ?? seq
    if (type === 'snapshot') {
      this.#place = { seq, prevSeq, part, parts }
      return 'new'
    }
    // Before the snapshot that was asked for.
    if (place === undefined) return 'known'
    const verdict = judge(place, { seq, prevSeq, part, parts })
    if (verdict === 'new')
      this.#place = { seq, prevSeq: part > 1 ? place.prevSeq : prevSeq, part, parts }
    return verdict
  }
}

function judge(last: Place, next: Place): Verdict {
  if (next.seq < last.seq) return 'known'
  if (next.seq === last.seq) {
    if (next.parts > 1) return judgePart(last, next)
    // It continues the message before: the clock made something known.
    return next.prevSeq === last.seq ? 'new' : 'known'
  }
  const isWhole = last.part === last.parts && next.part === 1
  return isWhole && next.prevSeq <= last.seq ? 'new' : 'gap'
}

function judgePart(last: Place, next: Place): Verdict {
  if (last.parts === 1 || next.part <= last.part) return 'known'
  return next.part === last.part + 1 ? 'new' : 'gap'
}

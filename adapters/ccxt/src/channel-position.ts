// Classifies messages of a channel as new, known or after a gap.

/** A message of a channel. */
export type ChannelMessage = Readonly<{
  channel: string
  type: 'snapshot' | 'update' | 'undo'
  seq: number
  prev_seq: number | null
  /** Index, from 1, and number of messages if an entry of the feed is split. */
  part?: number
  parts?: number
  block_number: number
  ts: number
  data: unknown
}>

type SequenceState = 'new' | 'known' | 'gap'

/** Position of a reader in a channel; event channels may start without a snapshot. */
export class ChannelPosition {
  #last: ChannelMessage | undefined
  /** Sequence number before the last entry, including all of its parts. */
  #beforeSeq: number | undefined
  /** Sequence number at which the venue started the channel; undefined if it sent none. */
  #beginSeq: number | undefined
  #isOpen: boolean

  constructor(beginsWithSnapshot: boolean) {
    this.#isOpen = !beginsWithSnapshot
  }

  /** Starts after entry `seq`. */
  begin(seq: number): void {
    this.#last = undefined
    this.#beginSeq = seq
    this.#isOpen = true
  }

  /** Forgets the position: only a snapshot is new. */
  lose(): void {
    this.#last = undefined
    this.#beginSeq = undefined
    this.#isOpen = false
  }

  /** Sequence number to resume after: the last entry, or the one before it if parts are missing. */
  get fromSeq(): number | undefined {
    const last = this.#last
    if (last === undefined) return this.#beginSeq
    return isPartial(last) ? this.#beforeSeq : last.seq
  }

  take(message: ChannelMessage): SequenceState {
    const verdict = this.#judge(message)
    if (verdict === 'new') {
      // Later parts have the entry itself as their predecessor.
      if ((message.part ?? 1) === 1) this.#beforeSeq = message.prev_seq ?? undefined
      this.#last = message
      this.#isOpen = true
    }
    return verdict
  }

  #judge(message: ChannelMessage): SequenceState {
    const { type, seq, prev_seq, part = 1 } = message
    if (type === 'snapshot') return 'new'
    if (this.#last !== undefined) return judgeAfter(this.#last, message)
    const beginSeq = this.#beginSeq
    if (beginSeq === undefined) return this.#isOpen ? 'new' : 'known'
    if (seq < beginSeq) return 'known'
    return (prev_seq ?? 0) > beginSeq || part > 1 ? 'gap' : 'new'
  }
}

function judgeAfter(last: ChannelMessage, next: ChannelMessage): SequenceState {
  const { seq, prev_seq, part = 1, parts = 1 } = next
  if (seq < last.seq) return 'known'
  if (seq > last.seq)
    return (prev_seq ?? 0) > last.seq || isPartial(last) || part > 1 ? 'gap' : 'new'
  if (parts === 1) return prev_seq === last.seq ? 'new' : 'known'
  const lastPart = last.part ?? 1
  if (part <= lastPart || !isPartial(last)) return 'known'
  return part === lastPart + 1 ? 'new' : 'gap'
}

const isPartial = ({ part = 1, parts = 1 }: ChannelMessage): boolean => part < parts

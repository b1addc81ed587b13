// Says of a message of a channel whether it is new, known, or shows that some are missing.

/** A message of a channel. */
export type ChannelMessage = Readonly<{
  channel: string
  type: 'snapshot' | 'update' | 'undo'
  seq: number
  prev_seq: number | null
  /** Where several messages are of one entry of the feed: which of how many. */
  part?: number
  parts?: number
  block_number: number
  ts: number
  data: unknown
}>

export type Verdict = 'new' | 'known' | 'gap'

/** Where a reader of a channel is; a channel of events may begin without a snapshot. */
export class ChannelPlace {
  #last: ChannelMessage | undefined
  /** The entry before the last message, of all its parts. */
  #beforeSeq: number | undefined
  /** What the venue said where the channel begins; undefined: it did not. */
  #beginSeq: number | undefined
  #isOpen: boolean

  constructor(beginsWithSnapshot: boolean) {
    this.#isOpen = !beginsWithSnapshot
  }

  /** What follows on entry `seq` is new. */
  begin(seq: number): void {
    this.#last = undefined
    this.#beginSeq = seq
    this.#isOpen = true
  }

  /** Only a snapshot is new now. */
  lose(): void {
    this.#last = undefined
    this.#beginSeq = undefined
    this.#isOpen = false
  }

  /** The entry to go on from: where parts of the last one are missing, the one before it. */
  get fromSeq(): number | undefined {
    const last = this.#last
    if (last === undefined) return this.#beginSeq
    return isPartial(last) ? this.#beforeSeq : last.seq
  }

  take(message: ChannelMessage): Verdict {
    const verdict = this.#judge(message)
    if (verdict === 'new') {
      // Later parts have the entry itself as the one before.
      if ((message.part ?? 1) === 1) this.#beforeSeq = message.prev_seq ?? undefined
      this.#last = message
      this.#isOpen = true
    }
    return verdict
  }

  #judge(message: ChannelMessage): Verdict {
    const { type, seq, prev_seq, part = 1 } = message
    if (type === 'snapshot') return 'new'
    if (this.#last !== undefined) return judgeAfter(this.#last, message)
    const beginSeq = this.#beginSeq
    if (beginSeq === undefined) return this.#isOpen ? 'new' : 'known'
    if (seq < beginSeq) return 'known'
    return (prev_seq ?? 0) > beginSeq || part > 1 ? 'gap' : 'new'
  }
}

function judgeAfter(last: ChannelMessage, next: ChannelMessage): Verdict {
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

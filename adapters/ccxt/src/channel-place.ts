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
  #isOpen: boolean

  constructor(beginsWithSnapshot: boolean) {
    this.#isOpen = !beginsWithSnapshot
  }

  /** Only a snapshot is new now. */
  lose(): void {
    this.#last = undefined
    this.#isOpen = false
  }

  /** The entry to go on from: where parts of the last one are missing, the one before it. */
  get fromSeq(): number | undefined {
    const last = this.#last
    if (last === undefined) return undefined
    return (last.part ?? 1) < (last.parts ?? 1) ? (last.prev_seq ?? undefined) : last.seq
  }

  take(message: ChannelMessage): Verdict {
    const verdict = this.#judge(message)
    if (verdict === 'new') {
      this.#last = message
      this.#isOpen = true
    }
    return verdict
  }

  #judge({ type, seq, prev_seq, part = 1, parts = 1 }: ChannelMessage): Verdict {
    const last = this.#last
    if (type === 'snapshot') return 'new'
    if (last === undefined) return this.#isOpen ? 'new' : 'known'
    if (seq < last.seq) return 'known'
    if (seq > last.seq) return (prev_seq ?? 0) > last.seq ? 'gap' : 'new'
    if (parts > 1) return part > (last.part ?? 1) ? 'new' : 'known'
    return prev_seq === last.seq ? 'new' : 'known'
  }
}

// Skips a subject after a send or a refusal, until the state can show the result.
import type { Header } from '@openvenue/core/events'

/** A subject is skipped while the head is below the block, or chain time below the second. */
type Wait = Readonly<{ blockNumber: number; seconds: number }>

export class Backoff {
  readonly #waits = new Map<string, Wait>()

  /** Skips `subject` until the state holds that block. */
  untilBlock(subject: string, blockNumber: number): void {
    this.#waits.set(subject, { blockNumber, seconds: 0 })
  }

  /** Skips `subject` until chain time reaches `seconds`. */
  untilSeconds(subject: string, seconds: number): void {
    this.#waits.set(subject, { blockNumber: 0, seconds })
  }

  isBackedOff(subject: string): boolean {
    return this.#waits.has(subject)
  }

  /** Returns whether the subject waits for a block, not for a time. */
  isForBlock(subject: string): boolean {
    return (this.#waits.get(subject)?.blockNumber ?? 0) > 0
  }

  /** Removes the waits that are over at `head`. */
  expire(head: Pick<Header, 'number' | 'seconds'>): void {
    for (const [subject, { blockNumber, seconds }] of this.#waits)
      if (head.number >= blockNumber && head.seconds >= seconds) this.#waits.delete(subject)
  }
}

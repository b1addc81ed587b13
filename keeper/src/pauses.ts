// What was just sent or refused is left alone until the state can tell what came of it.
import type { Header } from '@openvenue/core/events'

/** A subject is left alone while the head is below the block, or its time below the second. */
type Pause = Readonly<{ blockNumber: number; seconds: number }>

export class Pauses {
  readonly #pauses = new Map<string, Pause>()

  /** Leaves `subject` alone until the state holds that block. */
  untilBlock(subject: string, blockNumber: number): void {
    this.#pauses.set(subject, { blockNumber, seconds: 0 })
  }

  /** Leaves `subject` alone until the chain's time is `seconds`. */
  untilSeconds(subject: string, seconds: number): void {
    this.#pauses.set(subject, { blockNumber: 0, seconds })
  }

  isPaused(subject: string): boolean {
    return this.#pauses.has(subject)
  }

  /** Whether it is left alone until a block, not a time. */
  isForBlock(subject: string): boolean {
    return (this.#pauses.get(subject)?.blockNumber ?? 0) > 0
  }

  /** Ends the pauses that are over at `head`. */
  expire(head: Pick<Header, 'number' | 'seconds'>): void {
    for (const [subject, { blockNumber, seconds }] of this.#pauses)
      if (head.number >= blockNumber && head.seconds >= seconds) this.#pauses.delete(subject)
  }
}

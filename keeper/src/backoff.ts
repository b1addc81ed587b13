// Leaves alone what was just sent or refused, until the state can show what came of it.
import type { Header } from '@openvenue/core/events'

/** A subject is left alone while the head is below the block, or its time below the second. */
type Wait = Readonly<{ blockNumber: number; seconds: number }>

export class Backoff {
  readonly #waits = new Map<string, Wait>()

  /** Leaves `subject` alone until the state holds that block. */
  untilBlock(subject: string, blockNumber: number): void {
    this.#waits.set(subject, { blockNumber, seconds: 0 })
  }

  /** Leaves `subject` alone until the chain's time is `seconds`. */
  untilSeconds(subject: string, seconds: number): void {
    this.#waits.set(subject, { blockNumber: 0, seconds })
  }

  isBackedOff(subject: string): boolean {
    return this.#waits.has(subject)
  }

  /** Whether it is left alone until a block, not a time. */
  isForBlock(subject: string): boolean {
    return (this.#waits.get(subject)?.blockNumber ?? 0) > 0
  }

  /** Ends the waits that are over at `head`. */
  expire(head: Pick<Header, 'number' | 'seconds'>): void {
    for (const [subject, { blockNumber, seconds }] of this.#waits)
      if (head.number >= blockNumber && head.seconds >= seconds) this.#waits.delete(subject)
  }
}

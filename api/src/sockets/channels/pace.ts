// Limits how often a channel speaks: at once after a rest, and at most once in an interval.
import type { Frame } from '../streams/channel.ts'

export class Pace {
  readonly #intervalMs: number
  readonly #monotonicMs: () => number
  readonly #changes: () => readonly Frame[]
  #sentMs = Number.NEGATIVE_INFINITY
  #isDue = false

  /** `changes` returns the frames of what changed since it was last called. 0 is no limit. */
  constructor(intervalMs: number, monotonicMs: () => number, changes: () => readonly Frame[]) {
    this.#intervalMs = intervalMs
    this.#monotonicMs = monotonicMs
    this.#changes = changes
  }

  /** Something changed. Returns what is to go out now. */
  changed(): readonly Frame[] {
    this.#isDue = true
    return this.tick()
  }

  /** Time has passed. Returns what is to go out now. */
  tick(): readonly Frame[] {
    const nowMs = this.#monotonicMs()
    if (!this.#isDue || nowMs - this.#sentMs < this.#intervalMs) return []
    this.#isDue = false
    const frames = this.#changes()
    if (frames.length > 0) this.#sentMs = nowMs
    return frames
  }

  /** Nothing is left to send. */
  rest(): void {
    this.#isDue = false
  }
}

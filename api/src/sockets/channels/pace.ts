// Limits the rate of a channel: sends at once after a pause, else at most once per interval.
import type { Frame } from '../streams/channel.ts'

export class Pace {
  readonly #intervalMs: number
  readonly #monotonicMs: () => number
  readonly #changes: () => readonly Frame[]
  #sentMs = Number.NEGATIVE_INFINITY
  #isDue = false

  /** `changes` returns the frames of the changes since its last call. Interval 0: no limit. */
  constructor(intervalMs: number, monotonicMs: () => number, changes: () => readonly Frame[]) {
    this.#intervalMs = intervalMs
    this.#monotonicMs = monotonicMs
    this.#changes = changes
  }

  /** Records a change. Returns the frames to send now. */
  changed(): readonly Frame[] {
    this.#isDue = true
    return this.tick()
  }

  /** Advances time. Returns the frames to send now. */
  tick(): readonly Frame[] {
    const nowMs = this.#monotonicMs()
    if (!this.#isDue || nowMs - this.#sentMs < this.#intervalMs) return []
    this.#isDue = false
    const frames = this.#changes()
    if (frames.length > 0) this.#sentMs = nowMs
    return frames
  }

  /** Marks everything as sent. */
  rest(): void {
    this.#isDue = false
  }
}

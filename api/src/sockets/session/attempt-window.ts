// Counts the attempts of one client in a window of time that moves with it.
import type { Rate } from '../../http/limits.ts'

/** Allows at most `points` attempts in any `seconds`, wherever they begin. */
export class AttemptWindow {
  readonly #rate: Rate
  #timesMs: number[] = []

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /**
   * Takes `weight` attempts, at most all there are, and returns 0; or takes none and returns how
   * many milliseconds remain until it could.
   */
  take(nowMs: number, weight = 1): number {
    const { points, seconds } = this.#rate
    const startMs = nowMs - seconds * 1000
    this.#timesMs = this.#timesMs.filter((timeMs) => timeMs > startMs)
    const wanted = Math.min(weight, points)
    const over = this.#timesMs.length + wanted - points
    if (over > 0) return (this.#timesMs[over - 1] ?? nowMs) - startMs
    for (let taken = 0; taken < wanted; taken++) this.#timesMs.push(nowMs)
    return 0
  }
}

// How much one client may ask of the sockets.
import type { Rate } from '../http/limits.ts'

/** A subscribe of a thousand channels with a `from_seq` each fits. */
export const MESSAGE_BYTES_MAX = 128 * 1024
/** No operation is nested deeper than 4. */
export const NESTING_MAX = 16
/** Longer than the name of any channel. */
export const CHANNEL_LENGTH_MAX = 128
/** Longer than any API key or secret that was ever issued. */
export const CREDENTIAL_LENGTH_MAX = 256
/** Text that a client may have echoed as `id`. */
export const ID_LENGTH_MAX = 64
/** So many channels in one message count as one operation, so that snapshots are limited too. */
export const CHANNELS_PER_OPERATION = 50
/** Messages that wait while an operation before them asks the database. */
export const QUEUE_MAX = 64
/** Messages of one channel that wait while its snapshot is read from the database. */
export const WAITING_MAX = 1000

/** Counts attempts: at most `points` in any `seconds`, wherever they begin. */
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

/** Counts open connections by client address. */
export class AddressCounts {
  readonly #max: number
  readonly #counts = new Map<string, number>()
  /** Of all addresses. */
  total = 0

  constructor(max: number) {
    this.#max = max
  }

  isFull(address: string): boolean {
    return (this.#counts.get(address) ?? 0) >= this.#max
  }

  add(address: string): void {
    this.total += 1
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1)
  }

  remove(address: string): void {
    this.total -= 1
    const left = (this.#counts.get(address) ?? 0) - 1
    if (left > 0) this.#counts.set(address, left)
    else this.#counts.delete(address)
  }
}

/** Tells whether arrays and objects stand in each other more than `max` times; does not recurse. */
export function isNestedDeeper(value: unknown, max: number): boolean {
  let level = containersOf([value])
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > max) return true
    level = containersOf(level.flatMap((container) => Object.values(container)))
  }
  return false
}

const containersOf = (values: readonly unknown[]): readonly object[] =>
  values.filter((value) => typeof value === 'object' && value !== null)

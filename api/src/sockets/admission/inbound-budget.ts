// Counts the messages of clients before they are parsed, by connection and by address. A client
// over its budget is closed and its address refused for a moment.
import { LRUCache } from 'lru-cache'
import { upTo } from '../../http/cached-body.ts'
import type { Rate } from '../../http/limits.ts'

/** Bytes that count as one further unit: longer messages take longer to parse. */
const BYTES_PER_UNIT = 4096
/** Time for which the address of a closed sender is refused, ms. */
export const REFUSED_MS = 5_000
/** Maximum error of counting in fractions, ms. */
const ROUNDING_MS = 1e-6
/** Addresses kept; the least recently added one is dropped. */
const ADDRESSES_MAX = 10_000

/** Returns the units of a message of `bytes` bytes. */
export const countUnits = (bytes: number): number => 1 + Math.floor(bytes / BYTES_PER_UNIT)

type InboundRates = Readonly<{
  /** Undefined: no limit. */
  perConnection: Rate | undefined
  perAddress: Rate | undefined
  monotonicMs: () => number
}>

/** Units refilled one at a time: `points` in `seconds`, with at most `burst` more at once. */
export class TokenBucket {
  readonly #max: number
  readonly #perMs: number
  #left: number
  #atMs: number

  constructor({ points, seconds, burst = 0 }: Rate, nowMs: number) {
    this.#max = points + burst
    this.#perMs = points / (seconds * 1000)
    this.#left = this.#max
    this.#atMs = nowMs
  }

  /**
   * Takes `units`, capped at the size of the bucket, and returns 0; or takes none and returns the
   * milliseconds until it could, rounded up.
   */
  take(nowMs: number, units: number): number {
    const bounded = Math.min(units, this.#max)
    const missing = bounded - this.#refill(nowMs)
    if (missing > 0) return Math.ceil(missing / this.#perMs - ROUNDING_MS)
    this.#left -= bounded
    return 0
  }

  isFull(nowMs: number): boolean {
    return this.#refill(nowMs) === this.#max
  }

  #refill(nowMs: number): number {
    this.#left = Math.min(this.#max, this.#left + (nowMs - this.#atMs) * this.#perMs)
    this.#atMs = nowMs
    return this.#left
  }
}

type AddressBudget = { readonly bucket: TokenBucket | undefined; refusedUntilMs: number }

/** Takes units of a connection, and of its address. */
export type InboundBudget = Readonly<{
  /** Returns 0, or the time to wait, ms: then the connection is over and its address refused. */
  take: (units: number) => number
}>

export class InboundBudgets {
  readonly #rates: InboundRates
  readonly #addresses = new LRUCache<string, AddressBudget>(upTo(ADDRESSES_MAX))

  constructor(rates: InboundRates) {
    this.#rates = rates
  }

  /** Addresses kept. */
  get size(): number {
    return this.#addresses.size
  }

  /** Returns the budget of a new connection. */
  open(address: string): InboundBudget {
    const { perConnection, monotonicMs } = this.#rates
    const bucket = perConnection && new TokenBucket(perConnection, monotonicMs())
    return {
      take: (units) => {
        const nowMs = monotonicMs()
        const waitMs = bucket?.take(nowMs, units) || this.takeRequest(address, units)
        if (waitMs > 0) this.#address(address).refusedUntilMs = nowMs + REFUSED_MS
        return waitMs
      },
    }
  }

  /** Counts a request of an address; returns 0, or the time to wait, ms. */
  takeRequest(address: string, units: number): number {
    return this.#address(address).bucket?.take(this.#rates.monotonicMs(), units) ?? 0
  }

  /** Returns for how long an address may not open connections, ms; 0 when it may. */
  refusedMs(address: string): number {
    const { refusedUntilMs = 0 } = this.#addresses.get(address) ?? {}
    return Math.max(0, refusedUntilMs - this.#rates.monotonicMs())
  }

  /** Drops the state of addresses whose budgets are full again. */
  sweep(): void {
    const nowMs = this.#rates.monotonicMs()
    for (const [name, { bucket, refusedUntilMs }] of [...this.#addresses.entries()])
      if (refusedUntilMs <= nowMs && bucket?.isFull(nowMs) !== false) this.#addresses.delete(name)
  }

  #address(name: string): AddressBudget {
    const budget = this.#addresses.get(name)
    if (budget !== undefined) return budget
    const { perAddress, monotonicMs } = this.#rates
    const bucket = perAddress && new TokenBucket(perAddress, monotonicMs())
    const made = { bucket, refusedUntilMs: Number.NEGATIVE_INFINITY }
    this.#addresses.set(name, made)
    return made
  }
}

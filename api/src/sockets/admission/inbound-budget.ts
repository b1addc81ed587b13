// Counts what clients send over sockets, before any of it is parsed: by connection and by address.
// Who sends more is closed, and its address is refused for a moment.
import { LRUCache } from 'lru-cache'
import { upTo } from '../../http/cached-body.ts'
import type { Rate } from '../../http/limits.ts'

/** So many bytes count as one unit more: what is longer takes longer to parse. */
const BYTES_PER_UNIT = 4096
/** How long an address is refused that sent too much. */
export const REFUSED_MS = 5_000
/** The error of counting in fractions, at most. */
const ROUNDING_MS = 1e-6
/** Addresses remembered; the one that came longest ago is forgotten. */
const ADDRESSES_MAX = 10_000

/** Returns what a message of so many bytes counts for. */
export const countUnits = (bytes: number): number => 1 + Math.floor(bytes / BYTES_PER_UNIT)

type InboundRates = Readonly<{
  /** Undefined: no limit. */
  perConnection: Rate | undefined
  perAddress: Rate | undefined
  monotonicMs: () => number
}>

/** Units that come back one by one: `points` in `seconds`, and at most `burst` more at once. */
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
   * Takes so many units, at most all there can be, and returns 0; or takes none and returns how
   * many milliseconds remain until it could, rounded up.
   */
  take(nowMs: number, units: number): number {
    const wanted = Math.min(units, this.#max)
    const missing = wanted - this.#refill(nowMs)
    if (missing > 0) return Math.ceil(missing / this.#perMs - ROUNDING_MS)
    this.#left -= wanted
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

type Address = { readonly bucket: TokenBucket | undefined; refusedUntilMs: number }

/** Takes units of a connection, and of its address. */
export type InboundBudget = Readonly<{
  /** Returns 0, or how long to wait: then the connection is over, and its address refused. */
  take: (units: number) => number
}>

export class InboundBudgets {
  readonly #rates: InboundRates
  readonly #addresses = new LRUCache<string, Address>(upTo(ADDRESSES_MAX))

  constructor(rates: InboundRates) {
    this.#rates = rates
  }

  /** Addresses remembered. */
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

  /** Counts a request of an address; returns 0, or how long it must wait. */
  takeRequest(address: string, units: number): number {
    return this.#address(address).bucket?.take(this.#rates.monotonicMs(), units) ?? 0
  }

  /** Returns how long an address may not open connections, in milliseconds; 0: it may. */
  refusedMs(address: string): number {
    const { refusedUntilMs = 0 } = this.#addresses.get(address) ?? {}
    return Math.max(0, refusedUntilMs - this.#rates.monotonicMs())
  }

  /** Forgets addresses that are as good as new. */
  sweep(): void {
    const nowMs = this.#rates.monotonicMs()
    for (const [name, { bucket, refusedUntilMs }] of [...this.#addresses.entries()])
      if (refusedUntilMs <= nowMs && bucket?.isFull(nowMs) !== false) this.#addresses.delete(name)
  }

  #address(name: string): Address {
    const known = this.#addresses.get(name)
    if (known !== undefined) return known
    const { perAddress, monotonicMs } = this.#rates
    const bucket = perAddress && new TokenBucket(perAddress, monotonicMs())
    const made = { bucket, refusedUntilMs: Number.NEGATIVE_INFINITY }
    this.#addresses.set(name, made)
    return made
  }
}

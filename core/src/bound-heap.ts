// A heap of bounds: finds those that a value has reached without visiting the others.

/** Minimum capacity of a heap. */
const SPACE_MIN = 8

/**
 * Bounds of accounts on a value that is passed to each query; a bound is reached when the value is
 * at or below it. Bounds are never removed directly: a bound becomes stale when the stamp of its
 * account changes, and is dropped when it is reached or when the heap runs out of space. A heap
 * therefore holds at most twice the number of live bounds, at 20 bytes each.
 */
export class BoundHeap {
  #bounds = new Float64Array(SPACE_MIN)
  #accounts = new Float64Array(SPACE_MIN)
  #stamps = new Uint32Array(SPACE_MIN)
  #size = 0
  /** The stamp of the live bounds of each account. */
  readonly #counting: ReadonlyMap<number, number>

  constructor(counting: ReadonlyMap<number, number>) {
    this.#counting = counting
  }

  /** Number of bounds held, live or stale. */
  get size(): number {
    return this.#size
  }

  /** Adds a bound for `account` under its current stamp. Infinity counts as reached immediately. */
  add(bound: number, account: number): void {
    if (this.#size === this.#bounds.length) this.#renew()
    const stamp = this.#counting.get(account) ?? 0
    this.#raise(this.#size++, { bound, account, stamp })
  }

  /** Removes the bounds that `value` reaches, highest first, and collects the live accounts. */
  reached(value: number, accounts: Set<number>): void {
    while (this.#size > 0 && at(this.#bounds, 0) >= value) {
      const account = at(this.#accounts, 0)
      if (this.#counts(0)) accounts.add(account)
      this.#size--
      if (this.#size > 0) this.#sink(0, this.#entry(this.#size))
    }
  }

  #counts(index: number): boolean {
    return this.#counting.get(at(this.#accounts, index)) === at(this.#stamps, index)
  }

  /** Drops stale bounds and sets the capacity to twice the number of live ones. */
  #renew(): void {
    let size = 0
    for (let index = 0; index < this.#size; index++)
      if (this.#counts(index)) this.#put(size++, this.#entry(index))
    this.#size = size
    const space = Math.max(SPACE_MIN, size * 2)
    this.#bounds = resized(this.#bounds, new Float64Array(space), size)
    this.#accounts = resized(this.#accounts, new Float64Array(space), size)
    this.#stamps = resized(this.#stamps, new Uint32Array(space), size)
    for (let index = (size >> 1) - 1; index >= 0; index--) this.#sink(index, this.#entry(index))
  }

  #entry(index: number): BoundEntry {
    return {
      bound: at(this.#bounds, index),
      account: at(this.#accounts, index),
      stamp: at(this.#stamps, index),
    }
  }

  #put(index: number, { bound, account, stamp }: BoundEntry): void {
    this.#bounds[index] = bound
    this.#accounts[index] = account
    this.#stamps[index] = stamp
  }

  #raise(from: number, entry: BoundEntry): void {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (at(this.#bounds, parent) >= entry.bound) break
      this.#put(index, this.#entry(parent))
      index = parent
    }
    this.#put(index, entry)
  }

  #sink(from: number, entry: BoundEntry): void {
    let index = from
    for (;;) {
      let child = index * 2 + 1
      if (child >= this.#size) break
      const isRight =
        child + 1 < this.#size && at(this.#bounds, child + 1) > at(this.#bounds, child)
      if (isRight) child++
      if (entry.bound >= at(this.#bounds, child)) break
      this.#put(index, this.#entry(child))
      index = child
    }
    this.#put(index, entry)
  }
}

type BoundEntry = Readonly<{ bound: number; account: number; stamp: number }>
type Numbers = Float64Array | Uint32Array

/** Callers ensure that `index` is below the size. */
const at = (numbers: Numbers, index: number): number => numbers[index] as number

function resized<N extends Numbers>(from: N, to: N, count: number): N {
  to.set(from.subarray(0, count))
  return to
}

// A heap of ids by key, lowest first; equal keys keep the order of insertion. Removed entries are
// dropped when they reach the top, or all together once they are the majority.

type HeapEntry = Readonly<{ key: bigint; came: number; id: string }>

const isBefore = (entry: HeapEntry, other: HeapEntry) =>
  entry.key < other.key || (entry.key === other.key && entry.came < other.came)

/** Size below which removed entries are not purged. */
const CLEARED_FROM = 64

export class LazyHeap {
  #entries: HeapEntry[] = []
  /** Entries that are not removed. */
  readonly #counting = new Map<string, HeapEntry>()
  #came = 0

  /** Number of entries. */
  get size(): number {
    return this.#counting.size
  }

  /** Inserts `id` under `key`, replacing its previous key. */
  set(id: string, key: bigint): void {
    if (this.#counting.get(id)?.key === key) return
    const entry = { key, came: ++this.#came, id }
    this.#counting.set(id, entry)
    this.#raise(entry)
    if (this.#entries.length > CLEARED_FROM && this.#entries.length > 2 * this.size) this.#clear()
  }

  delete(id: string): void {
    this.#counting.delete(id)
  }

  /** The lowest key; undefined when empty. */
  lowest(): bigint | undefined {
    return this.#top()?.key
  }

  /** Removes and returns the ids with a key up to `bound`, in order. */
  takeUpTo(bound: bigint): string[] {
    const taken: string[] = []
    for (let top = this.#top(); top !== undefined && top.key <= bound; top = this.#top()) {
      taken.push(top.id)
      this.#counting.delete(top.id)
    }
    return taken
  }

  /** Returns the first entry that is not removed, and drops those before it. */
  #top(): HeapEntry | undefined {
    for (;;) {
      const [first] = this.#entries
      if (first === undefined || this.#counting.get(first.id) === first) return first
      this.#drop()
    }
  }

  #drop(): void {
    const last = this.#entries.pop()
    if (last !== undefined && this.#entries.length > 0) this.#sink(0, last)
  }

  #raise(entry: HeapEntry): void {
    let index = this.#entries.length
    this.#entries.push(entry)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = this.#entries[parent] as HeapEntry
      if (isBefore(above, entry)) break
      this.#entries[index] = above
      index = parent
    }
    this.#entries[index] = entry
  }

  #sink(from: number, entry: HeapEntry): void {
    const entries = this.#entries
    let index = from
    for (;;) {
      let child = index * 2 + 1
      const [left, right] = [entries[child], entries[child + 1]]
      if (left === undefined) break
      if (right !== undefined && isBefore(right, left)) child++
      const below = entries[child] as HeapEntry
      if (isBefore(entry, below)) break
      entries[index] = below
      index = child
    }
    entries[index] = entry
  }

  #clear(): void {
    this.#entries = [...this.#counting.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1))
  }
}

// Orders ids by a number that each has, lowest first, and among equal ones who came first. Whoever
// is gone is not looked for: it leaves when it comes to the top, or with all others of its kind
// once they are the most.

type Entry = Readonly<{ key: bigint; came: number; id: string }>

const isBefore = (one: Entry, other: Entry) =>
  one.key < other.key || (one.key === other.key && one.came < other.came)

/** A heap this small is not worth clearing of those who are gone. */
const CLEARED_FROM = 64

export class LazyHeap {
  #entries: Entry[] = []
  /** Those that count. */
  readonly #counting = new Map<string, Entry>()
  #came = 0

  /** How many are in it. */
  get size(): number {
    return this.#counting.size
  }

  /** Puts `id` in, under `key` and no other. */
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

  /** The lowest key; undefined: it is empty. */
  lowest(): bigint | undefined {
    return this.#top()?.key
  }

  /** Takes out those whose key is at most `bound`, in their order, and returns them. */
  takeUpTo(bound: bigint): string[] {
    const taken: string[] = []
    for (let top = this.#top(); top !== undefined && top.key <= bound; top = this.#top()) {
      taken.push(top.id)
      this.#counting.delete(top.id)
    }
    return taken
  }

  /** Returns the first that counts, and drops those before it that do not. */
  #top(): Entry | undefined {
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

  #raise(entry: Entry): void {
    let index = this.#entries.length
    this.#entries.push(entry)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = this.#entries[parent] as Entry
      if (isBefore(above, entry)) break
      this.#entries[index] = above
      index = parent
    }
    this.#entries[index] = entry
  }

  #sink(from: number, entry: Entry): void {
    const entries = this.#entries
    let index = from
    for (;;) {
      let child = index * 2 + 1
      const [left, right] = [entries[child], entries[child + 1]]
      if (left === undefined) break
      if (right !== undefined && isBefore(right, left)) child++
      const below = entries[child] as Entry
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

// Orders ids by a number that each has, lowest first. Whoever is gone is not looked for: it leaves
// when it comes to the top, or with all others of its kind once they are the most.

type Entry = Readonly<{ key: bigint; id: string }>

/** A heap this small is not worth clearing of those who are gone. */
const CLEARED_FROM = 64

export class LazyHeap {
  #entries: Entry[] = []
  readonly #keys = new Map<string, bigint>()

  /** How many are in it. */
  get size(): number {
    return this.#keys.size
  }

  /** Puts `id` in, under `key` and no other. */
  set(id: string, key: bigint): void {
    if (this.#keys.get(id) === key) return
    this.#keys.set(id, key)
    this.#raise({ key, id })
    if (this.#entries.length > CLEARED_FROM && this.#entries.length > 2 * this.#keys.size)
      this.#clear()
  }

  delete(id: string): void {
    this.#keys.delete(id)
  }

  /** The lowest key; undefined: it is empty. */
  lowest(): bigint | undefined {
    return this.#top()?.key
  }

  /** Takes out those whose key is at most `bound`, the lowest first, and returns them. */
  takeUpTo(bound: bigint): string[] {
    const taken: string[] = []
    for (let top = this.#top(); top !== undefined && top.key <= bound; top = this.#top()) {
      taken.push(top.id)
      this.#keys.delete(top.id)
    }
    return taken
  }

  /** Returns the first that counts, and drops those before it that do not. */
  #top(): Entry | undefined {
    for (;;) {
      const [first] = this.#entries
      if (first === undefined || this.#keys.get(first.id) === first.key) return first
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
      if (above.key <= entry.key) break
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
      if (right !== undefined && right.key < left.key) child++
      const below = entries[child] as Entry
      if (entry.key <= below.key) break
      entries[index] = below
      index = child
    }
    entries[index] = entry
  }

  #clear(): void {
    const counting = [...this.#keys].map(([id, key]) => ({ key, id }))
    this.#entries = counting.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  }
}

// Keeps the newest rows of a channel, each once, and says to each reader which it has not seen.

type Key = string | number

export class RecentRows<Row> {
  readonly #rows = new Map<Key, Row>()
  /** By reader: the keys that it has not seen. One who has not asked yet has seen none. */
  readonly #unseen = new Map<string, Set<Key>>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** Takes a row, in place of one of its key if there is one. */
  put(key: Key, row: Row): void {
    this.#rows.delete(key)
    this.#rows.set(key, row)
    for (const keys of this.#unseen.values()) keys.add(key)
    const [oldest] = this.#rows.keys()
    if (this.#rows.size > this.#max && oldest !== undefined) this.drop(oldest)
  }

  /** Takes a row of what happens once. */
  add(key: Key, row: Row): void {
    if (!this.#rows.has(key)) this.put(key, row)
  }

  drop(key: Key): void {
    this.#rows.delete(key)
    for (const keys of this.#unseen.values()) keys.delete(key)
  }

  /** All of them, in the order in which they came. */
  all(): Row[] {
    return [...this.#rows.values()]
  }

  /** Returns the rows that `reader` has not seen, and counts them as seen. */
  takeNew(reader: string, isWanted: (row: Row) => boolean): Row[] {
    const keys = this.#unseen.get(reader) ?? new Set(this.#rows.keys())
    this.#unseen.set(reader, new Set())
    return [...this.#rows]
      .filter(([key, row]) => keys.has(key) && isWanted(row))
      .map(([, row]) => row)
  }
}

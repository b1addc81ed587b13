// Keeps the newest rows of a channel and tracks which of them each reader has seen.

type Key = string | number

export class RecentRows<Row> {
  readonly #rows = new Map<Key, Row>()
  /** Keys that a reader has not seen, by reader. A new reader has seen none. */
  readonly #unseen = new Map<string, Set<Key>>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** Adds a row or replaces the one with its key. */
  put(key: Key, row: Row): void {
    this.#rows.delete(key)
    this.#rows.set(key, row)
    for (const keys of this.#unseen.values()) keys.add(key)
    const [oldest] = this.#rows.keys()
    if (this.#rows.size > this.#max && oldest !== undefined) this.drop(oldest)
  }

  /** Adds a row of a one-time event, unless its key is known. */
  add(key: Key, row: Row): void {
    if (!this.#rows.has(key)) this.put(key, row)
  }

  drop(key: Key): void {
    this.#rows.delete(key)
    for (const keys of this.#unseen.values()) keys.delete(key)
  }

  /** Returns all rows in order of arrival. */
  all(): Row[] {
    return [...this.#rows.values()]
  }

  /** Returns the rows that `reader` has not seen, and marks them as seen. */
  takeNew(reader: string, isWanted: (row: Row) => boolean): Row[] {
    const keys = this.#unseen.get(reader) ?? new Set(this.#rows.keys())
    this.#unseen.set(reader, new Set())
    return [...this.#rows]
      .filter(([key, row]) => keys.has(key) && isWanted(row))
      .map(([, row]) => row)
  }
}

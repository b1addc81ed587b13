// Indexes resting orders by good-til time: a block in which no order expires costs one comparison.
import type { Seconds } from './record-schema.ts'
import type { Order } from './records.ts'
import { insertSorted, removeSorted } from './sorted.ts'

/** Keys of the resting good-til orders by the last second they are valid; `seconds` ascending. */
export type Deadlines = Readonly<{ seconds: Seconds[]; orders: Map<number, Set<string>> }>

/** Returns an empty index. */
export const emptyDeadlines = (): Deadlines => ({ seconds: [], orders: new Map() })

/** Adds or removes the deadline of the order at `key`, depending on whether it rests. */
export function deadlineChange(deadlines: Deadlines, key: string, order: Order): void {
  const { goodTilSeconds, restingLots } = order
  if (goodTilSeconds === 0) return
  const keys = deadlines.orders.get(goodTilSeconds)
  if (restingLots > 0n) {
    if (keys !== undefined) keys.add(key)
    else {
      deadlines.orders.set(goodTilSeconds, new Set([key]))
      insertSorted(deadlines.seconds, goodTilSeconds)
    }
  } else if (keys !== undefined) dropDeadline(deadlines, key, goodTilSeconds)
}

/** Removes the deadline of the order at `key`. */
export function dropDeadline(deadlines: Deadlines, key: string, goodTilSeconds: number): void {
  const keys = deadlines.orders.get(goodTilSeconds)
  if (keys === undefined || !keys.delete(key) || keys.size > 0) return
  deadlines.orders.delete(goodTilSeconds)
  removeSorted(deadlines.seconds, goodTilSeconds)
}

/**
 * Returns the keys of the orders that expire at a block time of `seconds`, by deadline, then by
 * key. An order is valid up to and including its good-til second.
 */
export function endedBy(deadlines: Deadlines, seconds: Seconds): string[] {
  const keys: string[] = []
  for (const goodTil of deadlines.seconds) {
    if (goodTil >= seconds) break
    for (const key of [...(deadlines.orders.get(goodTil) ?? [])].sort()) keys.push(key)
  }
  return keys
}

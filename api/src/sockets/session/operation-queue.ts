// Queues a client's operations, and tracks those that run concurrently: orders, cancels and
// previews, a bounded number of each, so that a slow order delays nothing else.
import { UNDER_WAY_MAX } from './socket-limits.ts'

export type Lane = keyof typeof UNDER_WAY_MAX

/** One requested operation. */
export type QueuedOperation = Readonly<{
  /** The lane whose slot it needs; undefined: nothing runs beside it. */
  lane: Lane | undefined
  /** True when it may change the identity: then it neither overtakes nor is overtaken. */
  identifies: boolean
  /** Resolves when the operations after it may begin. */
  perform: () => void | Promise<void>
}>

export class OperationQueue {
  readonly #waiting: QueuedOperation[] = []
  readonly #underWay: Record<Lane, number> = { orders: 0, cancels: 0, previews: 0 }
  /** Unanswered orders, by their number of arrival. */
  readonly #orders = new Map<number, Promise<void>>()
  #arrived = 0
  /** True while an operation runs that the others wait for. */
  isBusy = false

  get waiting(): number {
    return this.#waiting.length
  }

  add(operation: QueuedOperation): void {
    this.#waiting.push(operation)
  }

  /** Takes the first operation with a free slot. Others may overtake one that must wait. */
  next(): QueuedOperation | undefined {
    for (const [at, { lane, identifies }] of this.#waiting.entries()) {
      const hasRoom = lane === undefined || this.#underWay[lane] < UNDER_WAY_MAX[lane]
      if (hasRoom && (at === 0 || !identifies)) return this.#waiting.splice(at, 1)[0]
      if (identifies) return undefined
    }
    return undefined
  }

  /** Takes a slot in a lane; returns a function that releases it. */
  begin(lane: Lane): () => void {
    this.#underWay[lane] += 1
    return () => {
      this.#underWay[lane] -= 1
    }
  }

  /** Records the arrival of an order; returns a function that records its answer. */
  orderCame(): () => void {
    const arrived = ++this.#arrived
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#orders.set(arrived, promise)
    return () => {
      this.#orders.delete(arrived)
      resolve()
    }
  }

  /**
   * Returns a function that waits for the answers of all orders that have arrived so far; it
   * resolves with whether there were any.
   */
  earlierOrders(): () => Promise<boolean> {
    const until = this.#arrived
    const hasAny = this.#orders.size > 0
    return async () => {
      const earlier = [...this.#orders].filter(([arrived]) => arrived <= until)
      await Promise.all(earlier.map(([, answered]) => answered))
      return hasAny
    }
  }
}

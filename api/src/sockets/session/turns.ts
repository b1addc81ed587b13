// Keeps what a client asked for and has not begun yet, and what is under way beside the rest:
// orders, cancels and previews, a bounded number of each, so that a slow order delays nothing else.
import { UNDER_WAY_MAX } from './socket-limits.ts'

export type Lane = keyof typeof UNDER_WAY_MAX

/** What a message asks for. */
export type Turn = Readonly<{
  /** Whose room it needs; undefined: it is performed by itself, in its turn. */
  lane: Lane | undefined
  /** Who the connection is may be another after it: nothing overtakes it, and it nothing. */
  identifies: boolean
  /** The promise is of what the turns after it wait for. */
  perform: () => void | Promise<void>
}>

export class Turns {
  readonly #waiting: Turn[] = []
  readonly #underWay: Record<Lane, number> = { orders: 0, cancels: 0, previews: 0 }
  /** Orders that are not answered, by the number of their arrival. */
  readonly #orders = new Map<number, Promise<void>>()
  #arrived = 0
  /** A turn is performed that the others wait for. */
  isBusy = false

  get waiting(): number {
    return this.#waiting.length
  }

  add(turn: Turn): void {
    this.#waiting.push(turn)
  }

  /** Takes the first turn that there is room for. One that must wait is overtaken by the others. */
  next(): Turn | undefined {
    for (const [at, { lane, identifies }] of this.#waiting.entries()) {
      const hasRoom = lane === undefined || this.#underWay[lane] < UNDER_WAY_MAX[lane]
      if (hasRoom && (at === 0 || !identifies)) return this.#waiting.splice(at, 1)[0]
      if (identifies) return undefined
    }
    return undefined
  }

  /** Takes room in a lane; returns what gives it back. */
  begin(lane: Lane): () => void {
    this.#underWay[lane] += 1
    return () => {
      this.#underWay[lane] -= 1
    }
  }

  /** Notes that an order came; returns what says that it is answered. */
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
   * Returns what waits until the orders are answered that came before now; it resolves with whether
   * there were any.
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

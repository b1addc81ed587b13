// Sends orders and cancels to a venue and times each until it is accepted, open and cancelled.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type OrderBody,
  openTraders,
  type SeenOrder,
  type Trader,
  type Traders,
} from './orders-traders.ts'
import type { OrdersVenue, PartMicros } from './orders-venue.ts'

/** Wait before an order that was refused for lack of capacity is sent again. */
const FULL_MS = 20
/** Time limit for every accepted order to be open, and cancelled if requested. */
const SETTLED_MS = 60_000
const POLL_MS = 5

/** Times of an order, in milliseconds of this process. */
type Times = { accepted?: number; opened?: number; cancelSent?: number; cancelled?: number }

/** Result of one phase. Times are in milliseconds, sorted. */
export type Phase = Readonly<{
  accepted: number
  refused: number
  seconds: number
  /** Seconds until the last order was open. */
  settledSeconds: number
  acceptance: readonly number[]
  opening: readonly number[]
  cancelling: readonly number[]
  micros: PartMicros
}>

type SendOrders = (place: (body: OrderBody) => Promise<boolean>) => Promise<void>

export class Storm {
  readonly #venue: OrdersVenue
  readonly #traders: Traders
  readonly #times = new Map<string, Times>()

  private constructor(venue: OrdersVenue, traders: Traders) {
    this.#venue = venue
    this.#traders = traders
  }

  static async open(venue: OrdersVenue): Promise<Storm> {
    const hearing: { on?: (order: SeenOrder) => void } = {}
    const traders = await openTraders(venue, (order) => hearing.on?.(order))
    const storm = new Storm(venue, traders)
    hearing.on = (order) => storm.#hear(order)
    return storm
  }

  sign(count: number): Promise<readonly OrderBody[]> {
    return this.#traders.sign(count)
  }

  close(): void {
    this.#traders.close()
  }

  /** Sends `bodies` at a rate, whether or not earlier ones were answered. */
  open(bodies: readonly OrderBody[], rate: number): Promise<Phase> {
    return this.#phase({ isCancelled: false }, async (place) => {
      const startedMs = performance.now()
      const placed: Promise<boolean>[] = []
      for (const [at, body] of bodies.entries()) {
        const waitMs = startedMs + (at * 1000) / rate - performance.now()
        if (waitMs > 1) await sleep(waitMs)
        placed.push(place(body))
      }
      await Promise.all(placed)
    })
  }

  /** Sends `bodies` as fast as they are accepted; cancels open orders if requested. */
  closed(
    bodies: readonly OrderBody[],
    { connections, isCancelled }: Readonly<{ connections: number; isCancelled: boolean }>,
  ): Promise<Phase> {
    return this.#phase({ isCancelled }, async (place) => {
      let next = 0
      const drive = async () => {
        for (let body = bodies[next++]; body !== undefined; body = bodies[next++])
          while (!(await place(body))) await sleep(FULL_MS)
      }
      await Promise.all(Array.from({ length: connections }, drive))
    })
  }

  async #phase({ isCancelled }: { isCancelled: boolean }, sending: SendOrders): Promise<Phase> {
    const took: number[] = []
    const orders: Times[] = []
    let refused = 0
    const before = this.#venue.cpuMicros()
    const startedMs = performance.now()
    await sending(async (body) => {
      const { status, text, tookMs } = await this.#traders.place(body)
      if (status === 429) {
        refused++
        return false
      }
      if (status !== 200) throw new Error(`order: got status ${status}, expected 200: ${text}`)
      took.push(tookMs)
      orders.push(this.#accepted(text, isCancelled ? body.trader : undefined))
      return true
    })
    const seconds = (performance.now() - startedMs) / 1000
    await this.#settled(orders, isCancelled)
    return {
      accepted: orders.length,
      refused,
      seconds,
      acceptance: ascending(took),
      settledSeconds: (performance.now() - startedMs) / 1000,
      opening: ascending(orders.map(({ accepted = 0, opened = 0 }) => opened - accepted)),
      cancelling: isCancelled
        ? ascending(orders.map(({ cancelSent = 0, cancelled = 0 }) => cancelled - cancelSent))
        : [],
      micros: minus(this.#venue.cpuMicros(), before),
    }
  }

  #accepted(text: string, canceller: Trader | undefined): Times {
    const { order_id: id } = JSON.parse(text) as SeenOrder
    const times = this.#of(id)
    times.accepted = performance.now()
    if (canceller !== undefined) void this.#cancelOnceOpen(id, times, canceller)
    return times
  }

  async #cancelOnceOpen(id: string, times: Times, trader: Trader): Promise<void> {
    while (times.opened === undefined) await sleep(POLL_MS)
    const { status, text } = await this.#traders.cancel(trader, id)
    if (status !== 200) throw new Error(`cancel: got status ${status}, expected 200: ${text}`)
    times.cancelSent = performance.now()
  }

  #hear({ order_id: id, order_status: status }: SeenOrder): void {
    const times = this.#of(id)
    if (status === 'opened') times.opened ??= performance.now()
    else if (status === 'cancelled') times.cancelled ??= performance.now()
    else if (status !== 'pending') throw new Error(`order ${id} is ${status}`)
  }

  #of(id: string): Times {
    const existing = this.#times.get(id)
    if (existing !== undefined) return existing
    const times: Times = {}
    this.#times.set(id, times)
    return times
  }

  async #settled(orders: readonly Times[], isCancelled: boolean): Promise<void> {
    const deadlineMs = performance.now() + SETTLED_MS
    const isDone = ({ opened, cancelSent, cancelled }: Times) =>
      opened !== undefined &&
      (!isCancelled || (cancelSent !== undefined && cancelled !== undefined))
    while (!orders.every(isDone)) {
      if (performance.now() > deadlineMs) {
        const left = orders.filter((times) => !isDone(times)).length
        throw new Error(`${left} of ${orders.length} orders did not settle`)
      }
      await sleep(POLL_MS)
    }
    this.#times.clear()
  }
}

const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b)

const minus = (after: PartMicros, before: PartMicros): PartMicros => ({
  api: after.api - before.api,
  venue: after.venue - before.venue,
  anvil: after.anvil - before.anvil,
  postgres: after.postgres - before.postgres,
})

// Keeps the live orders of an account, from the answers to what was placed and from its channel:
// pure.
import type { Frame } from './venue-socket.ts'

/** An order as the venue shows it; what is not needed here is left out. */
export type OrderView = Readonly<{
  order_id: string
  chain_order_id: string | null
  client_order_id?: string
  instrument_name: string
  side: 'buy' | 'sell'
  price: string
  remaining: string
  order_status: string
}>

/** A live order, with a number of ours: the chain may not know it yet. */
export type OwnOrder = Readonly<{ number: number; view: OrderView }>

const LIVE = new Set(['pending', 'opened', 'partial', 'stop_order'])
/** Ended orders are remembered, since the answer to what placed one may come later. */
const ENDED_MAX = 1_000

export class OwnOrders {
  readonly #orders = new Map<string, OwnOrder>()
  readonly #ended = new Set<string>()
  #nextNumber = 1

  /** Returns the live orders. */
  list(): readonly OwnOrder[] {
    return [...this.#orders.values()]
  }

  find(number: number): OwnOrder | undefined {
    return this.list().find((order) => order.number === number)
  }

  /** Notes an order that was placed, unless its channel has said more of it already. */
  add(view: OrderView): void {
    if (!this.#orders.has(view.order_id) && !this.#ended.has(view.order_id)) this.#put(view)
  }

  /** Takes a frame of the channel `orders`. */
  take({ type, data }: Frame): void {
    const { orders, removed = [] } = data as { orders: readonly OrderView[]; removed?: string[] }
    if (type === 'snapshot') {
      const shown = new Set(orders.map(({ order_id: id }) => id))
      for (const id of [...this.#orders.keys()]) if (!shown.has(id)) this.#end(id)
    }
    for (const order of orders) this.#put(order)
    for (const id of removed) this.#end(id)
  }

  #put(view: OrderView): void {
    const { order_id: id } = view
    if (!LIVE.has(view.order_status)) {
      this.#end(id)
      return
    }
    this.#ended.delete(id)
    this.#orders.set(id, { number: this.#orders.get(id)?.number ?? this.#nextNumber++, view })
  }

  #end(id: string): void {
    this.#orders.delete(id)
    this.#ended.add(id)
    const [oldest] = this.#ended
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest)
  }
}

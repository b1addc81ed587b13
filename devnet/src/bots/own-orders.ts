// Tracks an account's live orders from answers to placements and from its channel: pure.
import type { shapes } from 'openvenue'

/** The fields of an order that are used here. */
export type OrderView = Pick<
  shapes.Order,
  'order_id' | 'chain_order_id' | 'client_order_id' | 'instrument_name' | 'side' | 'price'
> &
  Pick<shapes.Order, 'remaining' | 'order_status'>

/** A message of the channel `orders`. */
export type OrdersMessage = Readonly<{
  type: 'snapshot' | 'update' | 'undo'
  data: Readonly<{ orders: readonly OrderView[]; removed?: readonly string[] }>
}>

/** A live order with a local number, since the chain may not know it yet. */
type OwnOrder = Readonly<{ number: number; view: OrderView }>

const LIVE = new Set(['pending', 'opened', 'partial', 'stop_order'])
/** Maximum number of remembered ended orders, whose answers may still arrive. */
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

  /** Adds a placed order, unless its channel has newer data. */
  add(view: OrderView): void {
    if (!this.#orders.has(view.order_id) && !this.#ended.has(view.order_id)) this.#put(view)
  }

  /** Applies a message of the channel. */
  take({ type, data: { orders, removed = [] } }: OrdersMessage): void {
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

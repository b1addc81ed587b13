// Tracks one order from its acceptance to its end, whatever is lost on the way.
import type { Message } from '../socket/cursor.ts'
import type { Mailbox } from '../socket/mailbox.ts'
import type { VenueSocket } from '../socket/venue-socket.ts'

/** The members of an order that say how far it is; the venue sends all of them. */
export type OrderState = Readonly<{
  order_id: string
  /** `stop_order`, `pending`, `opened`, `partial`; and in the end one of {@link ENDED}. */
  order_status: string
  /** Filled so far, in human units. */
  filled: string
}>

/** An order of such a status changes no more. */
export const ENDED: ReadonlySet<string> = new Set(['filled', 'cancelled', 'rejected', 'expired'])

export type TrackOptions<Order extends OrderState> = Readonly<{
  /** Places it; also one that was placed before is fine, since the same body is the same order. */
  place: () => Promise<Order>
  /** Reads an order that is no longer open: `GET /orders/{order_id}?include=closed`. */
  find: (orderId: string) => Promise<Order>
  signal?: AbortSignal
}>

type OrdersData<Order> = Readonly<{ orders: readonly Order[] }>

/**
 * Yields an order as it is accepted, then each time that its status or what is filled changes, and
 * returns after its end. What happened while the connection was lost is yielded as it came to be.
 */
export async function* trackOrder<Order extends OrderState>(
  socket: VenueSocket,
  { place, find, signal }: TrackOptions<Order>,
): AsyncGenerator<Order, void, void> {
  const messages = openChannel<Order>(socket, signal)
  try {
    // What is placed after this cannot be missed.
    await messages.next()
    let last = await place()
    yield last
    while (!ENDED.has(last.order_status)) {
      const { done, value } = await messages.next()
      if (done === true) return
      const { order_id: id } = last
      const said = value.data.orders.find((order) => order.order_id === id)
      // A snapshot has the open ones: without it, it has ended meanwhile.
      const next = said ?? (value.type === 'snapshot' ? await find(id) : undefined)
      if (next === undefined || !hasChanged(last, next)) continue
      last = next
      yield last
    }
  } finally {
    await messages.return()
  }
}

/** Within a block an order may pass several states; the newest is said. */
const hasChanged = (before: OrderState, after: OrderState): boolean =>
  before.order_status !== after.order_status || before.filled !== after.filled

function openChannel<Order>(
  socket: VenueSocket,
  signal: AbortSignal | undefined,
): Mailbox<Message<OrdersData<Order>>> {
  return socket.subscribe<OrdersData<Order>>('orders', signal === undefined ? {} : { signal })
}

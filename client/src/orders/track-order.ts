// Tracks one order from its acceptance to its end, whatever is lost on the way.
import type { Order } from '../../generated/shapes.ts'
import { checkInput, isAnything, isFunction, type Members } from '../input.ts'
import type { VenueSocket } from '../socket/venue-socket.ts'

/** An order of such a status changes no more. */
export const ENDED: ReadonlySet<string> = new Set(['filled', 'cancelled', 'rejected', 'expired'])

/** How to place the order that is tracked, and how to find it again. */
export type TrackOptions = Readonly<{
  /** Places it; also one that was placed before is fine, since the same body is the same order. */
  place: () => Promise<Order>
  /** Reads an order that is no longer open: `GET /orders/{order_id}?include=closed`. */
  find: (orderId: string) => Promise<Order>
  /** Ends the tracking, not the order. */
  signal?: AbortSignal
}>

const OPTIONS: Members<TrackOptions> = {
  place: isFunction,
  find: isFunction,
  signal: [isAnything],
}

/**
 * Yields an order as it is accepted, then each time that its status or what is filled changes, and
 * returns after its end. Of what happened while the connection was lost, the newest is yielded.
 * The socket has a key that reads the orders of the account. Throws what `place` and `find` throw.
 */
export async function* trackOrder(
  socket: VenueSocket,
  options: TrackOptions,
): AsyncGenerator<Order, void, void> {
  checkInput(options, OPTIONS)
  const { place, find, signal } = options
  const messages = socket.subscribe('orders', signal === undefined ? {} : { signal })
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

const hasChanged = (before: Order, after: Order): boolean =>
  before.order_status !== after.order_status || before.filled !== after.filled

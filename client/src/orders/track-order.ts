// Tracks one order from its acceptance to its end, across lost connections.
import type { Order } from '../../generated/shapes.ts'
import { checkInput, isAnything, isFunction, type MemberChecks } from '../input.ts'
import type { VenueSocket } from '../socket/venue-socket.ts'

/** Final statuses of an order. */
export const ENDED: ReadonlySet<string> = new Set(['filled', 'cancelled', 'rejected', 'expired'])

/** How to place and look up the tracked order. */
export type TrackOptions = Readonly<{
  /** Places the order. Placing it again is harmless: the same body is the same order. */
  place: () => Promise<Order>
  /** Reads an order that is no longer open: `GET /orders/{order_id}?include=closed`. */
  find: (orderId: string) => Promise<Order>
  /** Stops the tracking; the order is not affected. */
  signal?: AbortSignal
}>

const OPTIONS: MemberChecks<TrackOptions> = {
  place: isFunction,
  find: isFunction,
  signal: [isAnything],
}

/**
 * Yields an order when it is accepted and after each change of its status or filled amount, and
 * returns after its end. After a lost connection only the latest change is yielded. The socket
 * needs a key that can read the orders of the account. Throws what `place` and `find` throw.
 */
export async function* trackOrder(
  socket: VenueSocket,
  options: TrackOptions,
): AsyncGenerator<Order, void, void> {
  checkInput(options, OPTIONS)
  const { place, find, signal } = options
  const messages = socket.subscribe('orders', signal === undefined ? {} : { signal })
  try {
    // Subscribed before the order is placed, so that no change is missed.
    await messages.next()
    let last = await place()
    yield last
    while (!ENDED.has(last.order_status)) {
      const { done, value } = await messages.next()
      if (done === true) return
      const { order_id: id } = last
      const update = value.data.orders.find((order) => order.order_id === id)
      // A snapshot lists the open orders: an order that is not in it has ended.
      const next = update ?? (value.type === 'snapshot' ? await find(id) : undefined)
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

// Records what one client received: the count of each event, and the status of each order.

export const STREAMS = ['trades', 'fills', 'orders', 'notifications'] as const
export type StreamName = (typeof STREAMS)[number]

type Order = Readonly<Record<'order_id' | 'order_status' | 'filled' | 'remaining', string>>

export class ReceivedEvents {
  readonly client: string
  /** Number of times each event arrived, by stream and id; for orders each state of each. */
  readonly counts: Readonly<Record<StreamName, Map<string, number>>> = {
    trades: new Map(),
    fills: new Map(),
    orders: new Map(),
    notifications: new Map(),
  }
  /** The last received status of an order. */
  readonly orders = new Map<string, string>()
  /** Gaps and errors that the client reported. */
  readonly complaints: string[] = []

  constructor(client: string) {
    this.client = client
  }

  take(stream: StreamName, id: string): void {
    const counts = this.counts[stream]
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }

  takeOrder({ order_id, order_status, filled, remaining }: Order): void {
    this.take('orders', `${order_id} ${order_status} ${filled} ${remaining}`)
    this.orders.set(order_id, order_status)
  }
}

/** Records a message of a channel; a snapshot is the current state, not news. */
export function takeMessage(received: ReceivedEvents, stream: StreamName, message: unknown): void {
  const { type, data } = message as {
    type: string
    data: { id: string; trade_id: string; fill: { trade_id: string }; orders: readonly Order[] }
  }
  if (type !== 'update') {
    if (type === 'snapshot' && stream === 'orders')
      for (const { order_id, order_status } of data.orders)
        received.orders.set(order_id, order_status)
    return
  }
  if (stream === 'trades') received.take(stream, data.trade_id)
  else if (stream === 'fills') received.take(stream, data.fill.trade_id)
  else if (stream === 'notifications') received.take(stream, data.id)
  else for (const order of data.orders) received.takeOrder(order)
}

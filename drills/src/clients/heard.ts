// Records what one client received: the count of each event, and the status of each order.

export const STREAMS = ['trades', 'fills', 'orders', 'notifications'] as const
export type StreamName = (typeof STREAMS)[number]

type Order = Readonly<Record<'order_id' | 'order_status' | 'filled' | 'remaining', string>>

export class Heard {
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
export function takeMessage(heard: Heard, stream: StreamName, message: unknown): void {
  // biome-ignore lint/suspicious/noExplicitAny: messages of four channels
  const { type, data } = message as any
  if (type !== 'update') {
    if (type === 'snapshot' && stream === 'orders')
      for (const { order_id, order_status } of data.orders) heard.orders.set(order_id, order_status)
    return
  }
  if (stream === 'trades') heard.take(stream, data.trade_id)
  else if (stream === 'fills') heard.take(stream, data.fill.trade_id)
  else if (stream === 'notifications') heard.take(stream, data.id)
  else for (const order of data.orders) heard.takeOrder(order)
}

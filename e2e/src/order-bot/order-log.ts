// Checks the statuses of a bot's orders: each must follow from the previous one, arrive once, and
// come with its reason: pure.

/** The checked fields of an order. */
export type SeenOrder = Readonly<{
  order_id: string
  order_status: string
  filled: string
  amount: string
  cancel_reason: string | null
  reject_reason?: string | null
  valid_until?: string
}>

/** Allowed successors of each status; a status may repeat when something else has changed. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  stop_order: ['stop_order', 'pending', 'cancelled', 'expired', 'rejected'],
  pending: [
    'pending',
    'opened',
    'partial',
    'filled',
    'cancelled',
    'expired',
    'rejected',
    'stop_order',
  ],
  opened: ['opened', 'partial', 'filled', 'cancelled', 'expired'],
  partial: ['partial', 'filled', 'cancelled', 'expired'],
  filled: [],
  cancelled: [],
  expired: [],
  rejected: [],
}
const ENDED = new Set(['filled', 'cancelled', 'expired', 'rejected'])

export class OrderLog {
  readonly #last = new Map<string, SeenOrder>()
  readonly #answered = new Set<string>()
  readonly problems: string[] = []

  /** Records the answer to a placement: its channel may have newer data. */
  answered(order: SeenOrder): void {
    this.#answered.add(order.order_id)
    if (!this.#last.has(order.order_id)) this.#last.set(order.order_id, order)
  }

  /** Checks the channel's data of an order. */
  seen(order: SeenOrder): void {
    const { order_id: id, order_status: status } = order
    const before = this.#last.get(id)
    this.#last.set(id, order)
    this.#judgeReason(order)
    if (before === undefined) return
    if (!(NEXT[before.order_status] ?? []).includes(status))
      this.#blame(order, `${before.order_status} became ${status}`)
    else if (status !== 'pending' && JSON.stringify(before) === JSON.stringify(order))
      this.#blame(order, `${status} arrived twice`)
  }

  /** The newest state of an order. */
  last(id: string): SeenOrder | undefined {
    return this.#last.get(id)
  }

  hasEnded(id: string): boolean {
    return ENDED.has(this.#last.get(id)?.order_status ?? '')
  }

  /** Number of orders in each status. */
  counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { order_status: status } of this.#last.values())
      counts[status] = (counts[status] ?? 0) + 1
    return counts
  }

  /** Ids of all answered orders that have not ended. */
  open(): readonly string[] {
    return [...this.#answered].filter((id) => !this.hasEnded(id))
  }

  /** Ids of the newest answered orders. */
  recent(count: number): readonly string[] {
    return [...this.#answered].slice(-count)
  }

  blame(id: string, text: string): void {
    this.problems.push(`${id}: ${text}`)
  }

  #blame({ order_id: id }: SeenOrder, text: string): void {
    this.blame(id, text)
  }

  #judgeReason(order: SeenOrder): void {
    const { order_status: status, cancel_reason: cancelled, reject_reason: rejected } = order
    if (status === 'cancelled' && !cancelled) this.#blame(order, 'is cancelled without a reason')
    if (status === 'rejected' && !rejected) this.#blame(order, 'is rejected without a reason')
    if (status === 'rejected' && order.valid_until === undefined)
      this.#blame(order, 'is rejected without a known deadline')
    if (status === 'filled' && order.filled !== order.amount)
      this.#blame(order, `is filled with ${order.filled} of ${order.amount}`)
  }
}

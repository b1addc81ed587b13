// Keeps the orders that this page placed last: the venue's receipt of each, and its status on the
// chain since.
import type { shapes } from 'openvenue'
import { showDecimal } from '../../../text/decimal-text.ts'
import type { PlacedView } from '../order-protocol.ts'
import * as text from '../text.ts'
import { describeStep } from './own-orders.ts'

const SHOWN_MAX = 3
const NS_PER_MS = 1_000_000n
const ON_ITS_WAY = new Set<string>(['pending', 'stop_order'])

export class PlacedOrders {
  readonly #ledgerUrl: string
  readonly #show: (placed: readonly PlacedView[]) => void
  #placed: readonly PlacedView[] = []
  /** Chain updates that arrived before the venue's answer. */
  readonly #early = new Map<string, shapes.Order>()

  /** `apiUrl` ends with a slash. */
  constructor(apiUrl: string, show: (placed: readonly PlacedView[]) => void) {
    this.#ledgerUrl = new URL('relay/ledger', apiUrl).href
    this.#show = show
  }

  /** Removes all orders, for another account. */
  clear(): void {
    this.#early.clear()
    this.#put([])
  }

  /** Shows an order that the venue has just accepted. */
  add(placed: shapes.PlacedOrder): void {
    const { order_id: id, receipt } = placed
    const view: PlacedView = {
      id,
      ...stateOf(placed),
      promise: promiseText(placed),
      receipt: receiptFacts(receipt),
      ledgerUrl: `${this.#ledgerUrl}?order_id=${id}`,
    }
    this.#put([view, ...this.#placed.filter((other) => other.id !== id)].slice(0, SHOWN_MAX))
    const early = this.#early.get(id)
    if (early !== undefined) this.take(early)
  }

  /** Applies an order that the venue has published. */
  take(order: shapes.Order): void {
    const { order_id: id } = order
    if (!this.#placed.some((view) => view.id === id)) {
      this.#early.set(id, order)
      const [oldest = ''] = this.#early.keys()
      if (this.#early.size > EARLY_MAX) this.#early.delete(oldest)
      return
    }
    this.#early.delete(id)
    this.#put(this.#placed.map((view) => (view.id === id ? { ...view, ...stateOf(order) } : view)))
  }

  #put(placed: readonly PlacedView[]): void {
    this.#placed = placed
    this.#show(placed)
  }
}

/** Limit of early updates, which include orders of other pages. */
const EARLY_MAX = 50

function stateOf(order: shapes.Order): Pick<PlacedView, 'text' | 'tone' | 'isPending'> {
  const isPending = ON_ITS_WAY.has(order.order_status)
  const step = describeStep(undefined, order)
  if (step !== undefined) return { ...step, isPending }
  const { side, amount, instrument_name: market } = order
  const write = order.order_status === 'stop_order' ? text.newsUntriggered : text.newsSubmitted
  const state = write({ side, amount: showDecimal(amount), market })
  return { text: state, tone: 'plain', isPending }
}

function promiseText({ receipt }: shapes.PlacedOrder): string {
  const { seq, include_by_block: block } = receipt
  const number = showDecimal(String(seq))
  return block === 0 ? text.promiseHeld(number) : text.promiseBy(number, showDecimal(String(block)))
}

const receiptFacts = ({
  order_id,
  received_ns,
  seq,
  lane,
  include_by_block,
  signature,
}: shapes.Receipt): PlacedView['receipt'] => [
  { name: text.receiptOrder, value: order_id },
  { name: text.receiptNumber, value: showDecimal(String(seq)) },
  {
    name: text.receiptReceived,
    value: new Date(Number(BigInt(received_ns) / NS_PER_MS)).toISOString(),
  },
  { name: text.receiptLane, value: lane },
  { name: text.receiptBlock, value: showDecimal(String(include_by_block)) },
  { name: text.receiptSignature, value: signature },
]

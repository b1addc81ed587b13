// Ends orders and positions.
import { fromRaw, RefusedError, type shapes, toRaw } from 'openvenue'
import { type NewOrder, signCancel, signOrder } from 'openvenue/signing'
import type { Session } from '../account/session.ts'
import { problemOf } from '../requests.ts'
import type { Outcome } from './table-protocol.ts'

const NEEDS_SIGNATURE = 'CANCEL_SIGNATURE_REQUIRED'
const DECIMALS = 18
/** How far from the mark a close trades at worst. */
const WORST_PERCENT = 3n

type Id = Pick<shapes.Order, 'order_id' | 'chain_order_id' | 'instrument_name'>

/** Cancels orders, each by its id; with a signature where the venue may not cancel. */
export async function cancelOrders(session: Session, orders: readonly Id[]): Promise<Outcome> {
  return outcomeOf(orders.map((order) => cancelOne(session, order)))
}

async function cancelOne({ rest, venue, signer, account }: Session, order: Id): Promise<void> {
  const { order_id, chain_order_id, instrument_name: market } = order
  const path = { order_id }
  try {
    await rest.call('DELETE /orders/{order_id}', { path })
  } catch (error) {
    if (!(error instanceof RefusedError && error.code === NEEDS_SIGNATURE)) throw error
    const cancel = { market, orders: [chain_order_id ?? order_id], account }
    const body = await signCancel(venue, signer, cancel)
    await rest.call('DELETE /orders/{order_id}', { path, body })
  }
}

/** Places for each position the order that ends it. */
export function closePositions(
  { rest, venue, signer, account }: Session,
  positions: readonly shapes.PerpetualPosition[],
): Promise<Outcome> {
  const close = async (position: shapes.PerpetualPosition) => {
    const body = await signOrder(venue, signer, { ...closingOrder(position), account })
    await rest.call('POST /orders', { body })
  }
  return outcomeOf(positions.map(close))
}

/**
 * Returns the order that ends a position: it takes what there is, never enlarges, and trades at
 * most {@link WORST_PERCENT} from the mark. Throws while the mark is not known.
 */
export function closingOrder(
  position: Pick<shapes.PerpetualPosition, 'instrument_name' | 'side' | 'amount' | 'mark_price'>,
): NewOrder {
  const { instrument_name: market, side: held, amount, mark_price } = position
  if (mark_price === null) throw new Error(`the mark price of ${market} is not known`)
  const side = held === 'buy' ? 'sell' : 'buy'
  const percent = side === 'buy' ? 100n + WORST_PERCENT : 100n - WORST_PERCENT
  const price = fromRaw((toRaw(mark_price, DECIMALS) * percent) / 100n, DECIMALS)
  return { market, side, amount, price, timeInForce: 'IOC', reduceOnly: true }
}

async function outcomeOf(works: readonly Promise<void>[]): Promise<Outcome> {
  const settled = await Promise.allSettled(works)
  const refused = settled.flatMap((one) =>
    one.status === 'rejected' ? [problemOf(one.reason).message] : [],
  )
  return { done: settled.length - refused.length, refused }
}

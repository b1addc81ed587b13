// Cancels orders and closes positions.
import { fromRaw, type shapes, toRaw } from 'openvenue'
import { type NewOrder, signCancel, signOrder } from 'openvenue/signing'
import { problemOf } from '../../../protocol/worker/requests.ts'
import type { Session } from '../../session/worker/session.ts'
import type { ActionResult } from '../table-protocol.ts'
import * as text from '../text.ts'

const NEEDS_SIGNATURE = 'CANCEL_SIGNATURE_REQUIRED'
const DECIMALS = 18
/** Maximum distance from the mark at which a close trades. */
const WORST_PERCENT = 3n

type Id = Pick<shapes.Order, 'order_id' | 'chain_order_id' | 'instrument_name'>

/** Maximum number of orders per request that the venue accepts. */
const IDS_MAX = 200
/** The order ended meanwhile, which has the same result. */
const HAS_ENDED = 'ORDER_DOES_NOT_EXIST'

/** Cancels orders, many per request; with a signature each if the venue may not cancel. */
export async function cancelOrders(session: Session, orders: readonly Id[]): Promise<ActionResult> {
  const begins = Array.from({ length: Math.ceil(orders.length / IDS_MAX) }, (_, at) => at * IDS_MAX)
  const outcomes: ActionResult[] = []
  for (const at of begins) outcomes.push(await cancelSome(session, orders.slice(at, at + IDS_MAX)))
  return {
    done: outcomes.reduce((all, { done }) => all + done, 0),
    refused: outcomes.flatMap(({ refused }) => refused),
  }
}

async function cancelSome(session: Session, orders: readonly Id[]): Promise<ActionResult> {
  try {
    const body = { order_ids: orders.map(({ order_id }) => order_id) }
    const { order_ids, failed } = await session.rest.call('DELETE /orders', { body })
    const unsigned = orders.filter(({ order_id }) => failed[order_id] === NEEDS_SIGNATURE)
    const signing = await outcomeOf(unsigned.map((order) => cancelSigned(session, order)))
    const others = Object.entries(failed).filter(
      ([, code]) => code !== NEEDS_SIGNATURE && code !== HAS_ENDED,
    )
    const refused = others.map(([id, code]) =>
      text.notCancelled(id.slice(0, SHORT_ID), wordsOf(code)),
    )
    return { done: order_ids.length + signing.done, refused: [...signing.refused, ...refused] }
  } catch (error) {
    return { done: 0, refused: [problemOf(error).message] }
  }
}

const SHORT_ID = 10
const wordsOf = (code: string): string => code.toLowerCase().replaceAll('_', ' ')

async function cancelSigned({ rest, venue, signer, account }: Session, order: Id): Promise<void> {
  const { order_id, chain_order_id, instrument_name: market } = order
  const cancel = { market, orders: [chain_order_id ?? order_id], account }
  const body = await signCancel(venue, await signer(), cancel)
  await rest.call('DELETE /orders/{order_id}', { path: { order_id }, body })
}

/** Places the closing order of each position. */
export function closePositions(
  { rest, venue, signer, account }: Session,
  positions: readonly shapes.PerpetualPosition[],
): Promise<ActionResult> {
  const close = async (position: shapes.PerpetualPosition) => {
    const body = await signOrder(venue, await signer(), { ...closingOrder(position), account })
    await rest.call('POST /orders', { body })
  }
  return outcomeOf(positions.map(close))
}

/**
 * Returns the order that closes a position: reduce-only, and at most {@link WORST_PERCENT} from the
 * mark. Throws while the mark is unknown.
 */
export function closingOrder(
  position: Pick<shapes.PerpetualPosition, 'instrument_name' | 'side' | 'amount' | 'mark_price'>,
): NewOrder {
  const { instrument_name: market, amount, mark_price } = position
  if (mark_price === null) throw new Error(text.noMark(market))
  const side = position.side === 'buy' ? 'sell' : 'buy'
  const percent = side === 'buy' ? 100n + WORST_PERCENT : 100n - WORST_PERCENT
  const price = fromRaw((toRaw(mark_price, DECIMALS) * percent) / 100n, DECIMALS)
  return { market, side, amount, price, timeInForce: 'IOC', orderType: 'market', reduceOnly: true }
}

async function outcomeOf(works: readonly Promise<void>[]): Promise<ActionResult> {
  const settled = await Promise.allSettled(works)
  const refused = settled.flatMap((outcome) =>
    outcome.status === 'rejected' ? [problemOf(outcome.reason).message] : [],
  )
  return { done: settled.length - refused.length, refused }
}

// Performs the operations on orders by the commands that REST uses: side by side, a bounded number
// of a connection at a time. Interface 4.6.
import type { CancelledOrders } from '@openvenue/wire/order-answers'
import { type OrderOperation, SOCKET_SCOPES } from '@openvenue/wire/socket-orders'
import type { AccountBucket } from '../../http/limits.ts'
import { Refusal } from '../../http/refusals.ts'
import { fieldRefusal, missing } from '../../http/validation.ts'
import type { Caller } from '../../identity/caller.ts'
import { requireMembers } from '../../identity/registration-body.ts'
import { answerOrder, type OrderAnswer } from '../../orders/answer-order.ts'
import { cancelAfter } from '../../orders/cancel-after.ts'
import {
  cancelMembers,
  parseCancelAll,
  parseCancelOrders,
  parseCancelSignature,
} from '../../orders/cancel-bodies.ts'
import { cancelMatching, cancelNamed } from '../../orders/cancel-many.ts'
import { cancelByClientOrderId, cancelOrder } from '../../orders/cancel-orders.ts'
import type { OrderConnection } from '../../orders/connection-ends.ts'
import { editOrder } from '../../orders/edit-order.ts'
import { answerPreview, PREVIEW_WEIGHT } from '../../orders/order-questions.ts'
import { tradingNotLive } from '../../orders/relay-room.ts'
import type { OrderEntry } from '../session/sessions.ts'
import type { Lane } from '../session/turns.ts'

/** What an operation is asked for. */
export type OrderAsked = Readonly<{
  caller: Caller
  data: unknown
  /** What orders end with where their account wants that. */
  connection: OrderConnection
  /** Waits for the orders that came before on the connection; resolves with whether any did. */
  earlier: () => Promise<boolean>
}>

/** Data of a reply, and what stands beside it. */
export type OrderReply = Readonly<{ data: object; idempotent_replayed?: true }>

type Perform = (orderEntry: OrderEntry, asked: OrderAsked) => Promise<OrderReply>

const PERFORM: Readonly<Record<OrderOperation, Perform>> = {
  create_order: ({ parts }, { caller, data, connection, earlier }) =>
    afterEarlier(earlier, () => answerOrder(parts, caller, data, { connection })).then(placed),
  edit_order: ({ parts }, { caller, data, connection, earlier }) => {
    const { order_id, ...body } = requireMembers(data)
    const given = { id: requireId(order_id, 'order_id'), body }
    return afterEarlier(earlier, () => editOrder(parts, caller, given, { connection })).then(placed)
  },
  preview_order: async ({ questions }, { caller: { account }, data }) => ({
    data: await answerPreview(questions, { account, body: data }),
  }),
  cancel_order: async (orderEntry, asked) => ({
    data: await afterEarlier(asked.earlier, () => cancelOne(orderEntry, asked)),
  }),
  cancel_orders: async (orderEntry, asked) => ({ data: await cancelSome(orderEntry, asked) }),
  cancel_all_orders: async ({ parts }, { caller, data, earlier }) => {
    const filter = parseCancelAll(cancelMembers(undefined, data))
    const all = await again(earlier, () => cancelMatching(parts, caller, filter))
    return { data: { ...all, orders_ids: all.order_ids } }
  },
  cancel_after: async ({ parts }, { caller, data }) => ({
    data: await cancelAfter(parts, caller.account, data),
  }),
}

export const isOrderOperation = (op: unknown): op is OrderOperation =>
  typeof op === 'string' && Object.hasOwn(PERFORM, op)

/** Returns whose room an operation takes: by what its key must be for. */
export const laneOf = (op: OrderOperation): Lane => LANES[SOCKET_SCOPES[op]]
const LANES = { trade: 'orders', cancel: 'cancels', read: 'previews' } as const

const BUCKETS: Readonly<Record<Lane, AccountBucket>> = {
  orders: 'orders',
  cancels: 'cancels',
  previews: 'private',
}

/** Counts an operation where REST counts it, and performs it. */
export async function performOrder(
  orderEntry: OrderEntry | undefined,
  op: OrderOperation,
  asked: OrderAsked,
): Promise<OrderReply> {
  if (orderEntry === undefined) throw tradingNotLive()
  const lane = laneOf(op)
  await orderEntry.take(
    BUCKETS[lane],
    asked.caller.account,
    lane === 'previews' ? PREVIEW_WEIGHT : 1,
  )
  return PERFORM[op](orderEntry, asked)
}

const placed = ({ order, isReplay }: OrderAnswer): OrderReply =>
  isReplay ? { data: order, idempotent_replayed: true } : { data: order }

function requireId(value: unknown, field: string): string {
  if (value === undefined || value === null || value === '')
    throw fieldRefusal([missing(field, `member ${field} of data`)])
  if (typeof value === 'string') return value
  throw fieldRefusal([{ field, code: 'INVALID_PARAMETER', message: `${field} is a text` }])
}

async function cancelOne({ parts }: OrderEntry, { caller, data }: OrderAsked) {
  const { order_id, client_order_id: name, ...signature } = cancelMembers(undefined, data)
  const options = { signed: parseCancelSignature(signature) }
  const answer =
    order_id !== undefined || name === undefined
      ? cancelOrder(parts, caller, requireId(order_id, 'order_id'), options)
      : cancelByClientOrderId(parts, caller, requireId(name, 'client_order_id'), options)
  return (await answer).cancelled
}

async function cancelSome(
  { parts }: OrderEntry,
  { caller, data, earlier }: OrderAsked,
): Promise<CancelledOrders> {
  const selection = parseCancelOrders(cancelMembers(undefined, data))
  if ('filter' in selection)
    return again(earlier, () => cancelMatching(parts, caller, selection.filter))
  const first = await cancelNamed(parts, caller, selection.ids)
  const unknown = Object.keys(first.failed).filter((id) => first.failed[id] === UNKNOWN)
  if (unknown.length === 0 || !(await earlier())) return first
  return together(first, await cancelNamed(parts, caller, unknown))
}

const UNKNOWN = 'ORDER_DOES_NOT_EXIST'

/** What is not there yet may be what an earlier message is about: that one is waited for. */
async function afterEarlier<T>(earlier: OrderAsked['earlier'], act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const isUnknown = error instanceof Refusal && error.code === UNKNOWN
    if (!isUnknown || !(await earlier())) throw error
    return act()
  }
}

/** Cancels at once, and once more what earlier messages have placed by then. */
async function again(
  earlier: OrderAsked['earlier'],
  cancel: () => Promise<CancelledOrders>,
): Promise<CancelledOrders> {
  const first = await cancel()
  return (await earlier()) ? together(first, await cancel()) : first
}

function together(first: CancelledOrders, then: CancelledOrders): CancelledOrders {
  const done = new Set([...first.order_ids, ...then.order_ids])
  const all = { ...first.failed, ...then.failed }
  const failed = Object.fromEntries(Object.entries(all).filter(([id]) => !done.has(id)))
  const accepted = [...new Set([...first.accepted, ...then.accepted])]
  return { success: Object.keys(failed).length === 0, order_ids: [...done], accepted, failed }
}

// Performs the operations on orders with the commands that REST uses: concurrently, a bounded
// number per connection. Interface 4.6.
import { type OrderOperation, SOCKET_SCOPES } from '@openvenue/wire/socket-orders'
import type { AccountBucket } from '../../http/limits.ts'
import { Refusal } from '../../http/refusals.ts'
import { fieldRefusal, invalid, missing } from '../../http/validation.ts'
import type { Caller } from '../../identity/caller.ts'
import { type Members, requireMembers } from '../../identity/registration-body.ts'
import { cancelAfter } from '../../orders/cancel/cancel-after.ts'
import { parseCancelSignature } from '../../orders/cancel/cancel-authority.ts'
import {
  answerCancels,
  type CancelledSet,
  cancelByClientOrderId,
  cancelMatching,
  cancelMembers,
  cancelNamed,
  cancelOrder,
  joinCancels,
  parseCancelAll,
  parseCancelOrders,
} from '../../orders/cancel/cancel-orders.ts'
import { editOrder } from '../../orders/edit/edit-order.ts'
import type { OrderConnection } from '../../orders/place/connection-ends.ts'
import { answerOrder, type OrderAnswer } from '../../orders/place/place-orders.ts'
import { answerPreview, PREVIEW_WEIGHT } from '../../orders/preview/order-preview.ts'
import { type WaitEnd, wantsWait } from '../../orders/relay/included-waits.ts'
import { tradingNotLive } from '../../orders/relay/relay-status.ts'
import type { Lane } from '../session/operation-queue.ts'
import type { OrderEntry } from '../session/sessions.ts'

/** The input of an operation on orders. */
type OrderRequest = Readonly<{
  caller: Caller
  data: unknown
  /** The connection whose end cancels the orders, where the account wants that. */
  connection: OrderConnection
  /** Waits for the earlier orders of the connection; resolves with whether there were any. */
  earlier: () => Promise<boolean>
}>

/** Data of a reply, and its further members. */
type OrderReply = Readonly<{ data: object; idempotent_replayed?: true; wait?: WaitEnd }>

type Perform = (orderEntry: OrderEntry, asked: OrderRequest) => Promise<OrderReply>

const PERFORM: Readonly<Record<OrderOperation, Perform>> = {
  create_order: ({ parts }, { caller, data, connection, earlier }) =>
    afterEarlier(earlier, () => answerOrder(parts, caller, data, { connection })).then(placed),
  edit_order: ({ parts }, { caller, data, connection, earlier }) => {
    const { order_id, ...body } = requireMembers(data)
    const given = { id: requireId(order_id, 'order_id'), body }
    return afterEarlier(earlier, () => editOrder(parts, caller, given, { connection })).then(placed)
  },
  preview_order: async ({ parts }, { caller: { account }, data }) => ({
    data: await answerPreview(parts, { account, body: data }),
  }),
  cancel_order: (orderEntry, asked) =>
    afterEarlier(asked.earlier, () => cancelOne(orderEntry, asked)),
  cancel_orders: (orderEntry, asked) =>
    cancelSeveral(orderEntry, asked, (members) => cancelSome(orderEntry, asked, members)),
  cancel_all_orders: async (orderEntry, asked) => {
    const { caller, earlier } = asked
    const { data, ...reply } = await cancelSeveral(orderEntry, asked, (members) => {
      const filter = parseCancelAll(members)
      return again(earlier, () => cancelMatching(orderEntry.parts, caller, filter))
    })
    return { ...reply, data: { ...data, orders_ids: data.order_ids } }
  },
  cancel_after: async ({ parts }, { caller, data }) => ({
    data: await cancelAfter(parts, caller.account, data),
  }),
}

export const isOrderOperation = (op: unknown): op is OrderOperation =>
  typeof op === 'string' && Object.hasOwn(PERFORM, op)

/** Returns the lane of an operation: by the scope that its key needs. */
export const laneOf = (op: OrderOperation): Lane => LANES[SOCKET_SCOPES[op]]
const LANES = { trade: 'orders', cancel: 'cancels', read: 'previews' } as const

const BUCKETS: Readonly<Record<Lane, AccountBucket>> = {
  orders: 'orders',
  cancels: 'cancels',
  previews: 'private',
}

/** Counts an operation in the buckets of REST, and performs it. */
export async function performOrder(
  orderEntry: OrderEntry | undefined,
  op: OrderOperation,
  request: OrderRequest,
): Promise<OrderReply> {
  if (orderEntry === undefined) throw tradingNotLive()
  const lane = laneOf(op)
  await orderEntry.take(
    BUCKETS[lane],
    request.caller.account,
    lane === 'previews' ? PREVIEW_WEIGHT : 1,
  )
  return PERFORM[op](orderEntry, request)
}

const placed = ({ order, isReplay }: OrderAnswer): OrderReply =>
  isReplay ? { data: order, idempotent_replayed: true } : { data: order }

function requireId(value: unknown, field: string): string {
  if (value === undefined || value === null || value === '')
    throw fieldRefusal([missing(field, `member ${field} of data`)])
  if (typeof value === 'string') return value
  throw fieldRefusal([invalid(field, 'text', { given: value })])
}

/** Returns the members of a cancel, and the signal of its wait, which only the timeout ends. */
function cancelData(data: unknown): Readonly<{ members: Members; waiting?: AbortSignal }> {
  const { wait, ...members } = cancelMembers(undefined, data)
  return wantsWait(wait) ? { members, waiting: NEVER } : { members }
}

const NEVER = new AbortController().signal

const waited = <D extends object>(data: D, wait: WaitEnd | undefined) =>
  wait === undefined ? { data } : { data, wait }

async function cancelOne({ parts }: OrderEntry, { caller, data }: OrderRequest) {
  const { members, ...options } = cancelData(data)
  const { order_id, client_order_id: name, ...signature } = members
  const signed = { ...options, signed: parseCancelSignature(signature) }
  const { cancelled, waitEnd } = await (order_id !== undefined || name === undefined
    ? cancelOrder(parts, caller, requireId(order_id, 'order_id'), signed)
    : cancelByClientOrderId(parts, caller, requireId(name, 'client_order_id'), signed))
  return waited(cancelled, waitEnd)
}

async function cancelSeveral(
  { parts }: OrderEntry,
  { data }: OrderRequest,
  cancel: (members: Members) => Promise<CancelledSet>,
) {
  const { members, ...options } = cancelData(data)
  const { cancelled, waitEnd } = await answerCancels(parts, await cancel(members), options)
  return waited(cancelled, waitEnd)
}

async function cancelSome(
  { parts }: OrderEntry,
  { caller, earlier }: OrderRequest,
  members: Members,
): Promise<CancelledSet> {
  const selection = parseCancelOrders(members)
  if ('filter' in selection)
    return again(earlier, () => cancelMatching(parts, caller, selection.filter))
  const first = await cancelNamed(parts, caller, selection.ids)
  const unknown = [...first.failed].flatMap(([id, code]) => (code === UNKNOWN ? id : []))
  if (unknown.length === 0 || !(await earlier())) return first
  return joinCancels(first, await cancelNamed(parts, caller, unknown))
}

const UNKNOWN = 'ORDER_DOES_NOT_EXIST'

/** Retries `act` when the order is unknown, since an earlier message may still place it. */
async function afterEarlier<T>(
  earlier: OrderRequest['earlier'],
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const isUnknown = error instanceof Refusal && error.code === UNKNOWN
    if (!isUnknown || !(await earlier())) throw error
    return act()
  }
}

/** Cancels at once, and then again the orders that earlier messages have placed by then. */
async function again(
  earlier: OrderRequest['earlier'],
  cancel: () => Promise<CancelledSet>,
): Promise<CancelledSet> {
  const first = await cancel()
  return (await earlier()) ? joinCancels(first, await cancel()) : first
}

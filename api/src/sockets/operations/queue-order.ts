// Queues operations on orders: each begins in its order, with the connection's identity at that
// time, and is answered when it is done.
import type { OrderOperation } from '@openvenue/wire/socket-orders'
import { edgeRefusal } from '../../http/edge.ts'
import { Refusal } from '../../http/refusals.ts'
import type { Connection } from '../session/connection.ts'
import { OPERATION_MS_MAX, TooLate } from '../session/deadlines.ts'
import type { QueuedOperation } from '../session/operation-queue.ts'
import type { Sessions } from '../session/sessions.ts'
import { orderFailureText, SocketRefusal } from '../session/socket-refusal.ts'
import { authenticateMessage, requireCallerFor } from './authenticate.ts'
import { laneOf, performOrder } from './order-operations.ts'
import { type ParsedMessage, runQueue } from './run-queue.ts'

/** Returns the queued form of an operation on orders. */
export function queuedOrder(
  sessions: Sessions,
  connection: Connection,
  message: ParsedMessage & Readonly<{ op: OrderOperation }>,
): QueuedOperation {
  const { id, deliver, op, data, auth, refuse } = message
  const { queue } = connection
  const lane = laneOf(op)
  const earlier = queue.earlierOrders()
  const answered = lane === 'orders' ? queue.orderCame() : () => {}
  const perform = async () => {
    const caller = requireCallerFor(connection, op)
    const { orderEntry, edge } = sessions.deps
    if (edge !== undefined && lane !== 'previews') throw edgeRefusal(edge)
    const given = { caller, data, connection: connection.orders, earlier }
    const done = performOrder(orderEntry, op, given)
    return sessions.deadlines.within(OPERATION_MS_MAX, done)
  }
  const begin = () => {
    const end = queue.begin(lane)
    perform()
      .then((reply) => connection.send(JSON.stringify({ id, ...reply }), deliver))
      .catch(refuse)
      .then(() => {
        end()
        answered()
        runQueue(sessions, connection)
      })
      .catch((error: unknown) => sessions.failed(error))
  }
  const refuseUnsigned = (error: unknown) => {
    answered()
    refuse(error)
  }
  if (auth === undefined) return { lane, identifies: false, perform: begin }
  const signed = () => authenticateMessage(sessions, connection, { auth, op, data })
  return { lane, identifies: true, perform: () => signed().then(begin, refuseUnsigned) }
}

/** Returns the function that refuses an operation on orders with the error body of REST. */
export const refuserOfOrders =
  (
    sessions: Sessions,
    connection: Connection,
    { id, deliver }: Pick<ParsedMessage, 'id' | 'deliver'>,
  ) =>
  (error: unknown): void => {
    const isKnown = error instanceof Refusal || error instanceof SocketRefusal
    if (!isKnown) sessions.failed(error)
    const refusal = isKnown ? error : refusalOf(error)
    connection.send(orderFailureText(id, refusal), deliver)
  }

const refusalOf = (error: unknown) =>
  error instanceof TooLate
    ? new Refusal('HISTORY_UNAVAILABLE', { message: UNANSWERED, retryAfterMs: UNANSWERED_RETRY_MS })
    : new Refusal('INTERNAL_ERROR')
const UNANSWERED =
  'Operation timed out and may still take effect: repeat the same request to get its result'
const UNANSWERED_RETRY_MS = 1000

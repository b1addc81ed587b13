// Receives the requests of clients, and has them performed and answered.
import type { Connection } from '../session/connection.ts'
import type { QueuedOperation } from '../session/operation-queue.ts'
import type { Sessions } from '../session/sessions.ts'
import { CHANNELS_PER_OPERATION, QUEUE_MAX } from '../session/socket-limits.ts'
import { failureText, type Id, type SocketFault, SocketRefusal } from '../session/socket-refusal.ts'
import { authenticateMessage } from './authenticate.ts'
import { exactData, invalid, parseId, parseMessage } from './message.ts'
import { isOrderOperation } from './order-operations.ts'
import { type OperationResult, PLAIN_OPERATIONS } from './plain-operations.ts'
import { queuedOrder, refuserOfOrders } from './queue-order.ts'
import { type Deliver, type ParsedMessage, runQueue } from './run-queue.ts'

/**
 * Receives one message: text, or a value that the transport has parsed. It has one reply, sent with
 * `deliver` if given.
 */
export function receive(
  sessions: Sessions,
  connection: Connection,
  raw: unknown,
  deliver?: Deliver,
): void {
  if (connection.isClosed) return
  if (sessions.backlog.isOver(connection)) {
    sessions.drop(connection, 'SLOW_CONSUMER')
    return
  }
  sessions.expire(connection)
  const operation = prepare(sessions, connection, { raw, deliver })
  if (operation === undefined) return
  connection.queue.add(operation)
  runQueue(sessions, connection)
}

/** Parses a message and counts it. Returns undefined when it was refused and answered. */
function prepare(
  sessions: Sessions,
  connection: Connection,
  { raw, deliver }: Readonly<{ raw: unknown; deliver: Deliver }>,
): QueuedOperation | undefined {
  let id: Id
  let refuse = (error: unknown): void =>
    connection.send(failureText({ ...describeFailure(sessions, error), id }), deliver)
  try {
    const message = parseMessage(raw)
    id = parseId(message)
    const { op, auth } = message
    if (isOrderOperation(op)) refuse = refuserOfOrders(sessions, connection, { id, deliver })
    if (connection.queue.waiting >= QUEUE_MAX) throw new SocketRefusal('RATE_LIMIT_EXCEEDED')
    const data =
      auth === undefined && !isOrderOperation(op) ? message.data : exactData(raw, message)
    const operation = { id, deliver, op, data, auth, refuse }
    if (isOrderOperation(op)) return queuedOrder(sessions, connection, { ...operation, op })
    if (op !== 'ping') countOperation(sessions, connection, data)
    return queuedPlain(sessions, connection, operation)
  } catch (error) {
    refuse(error)
    return undefined
  }
}

/** Returns the queued form of any other operation; refuses an unknown one. */
function queuedPlain(
  sessions: Sessions,
  connection: Connection,
  message: ParsedMessage,
): QueuedOperation {
  const { op, data, auth, refuse } = message
  if (typeof op !== 'string') throw invalid('op', 'the name of an operation', op)
  if (!isPlain(op)) throw new SocketRefusal('INVALID_OP')
  const send = (outcome: OperationResult) => {
    const { after, ...reply } = typeof outcome === 'function' ? outcome() : outcome
    connection.send(JSON.stringify({ id: message.id, ...reply }), message.deliver)
    after?.()
  }
  const begin = () => PLAIN_OPERATIONS[op](sessions, connection, data)
  const act = () => {
    const turn = op === 'subscribe' || op === 'resync' ? sessions.subscribes.take() : undefined
    return turn === undefined ? begin() : turn.then(begin)
  }
  const isSigned = auth !== undefined && op !== 'auth'
  const signed = () => authenticateMessage(sessions, connection, { auth, op, data }).then(act)
  const perform = isSigned ? signed : act
  return {
    lane: undefined,
    identifies: isSigned || op === 'auth' || op === 'logout',
    perform: () => {
      try {
        const outcome = perform()
        if (outcome instanceof Promise) return outcome.then(send).catch(refuse)
        send(outcome)
      } catch (error) {
        refuse(error)
      }
      return undefined
    },
  }
}

const isPlain = (op: string): op is keyof typeof PLAIN_OPERATIONS =>
  Object.hasOwn(PLAIN_OPERATIONS, op)

function describeFailure(sessions: Sessions, error: unknown): SocketFault {
  if (error instanceof SocketRefusal) return { code: error.code, ...error.problem }
  sessions.failed(error)
  return { code: 'INTERNAL_ERROR' }
}

/** A message with many channels counts as many operations. */
function countOperation(sessions: Sessions, connection: Connection, data: unknown): void {
  const weight = Array.isArray(data) ? Math.ceil(data.length / CHANNELS_PER_OPERATION) : 1
  const nowMs = sessions.deps.clock.monotonicMs()
  const waitMs = connection.operations.take(nowMs, Math.max(1, weight))
  if (waitMs > 0) throw new SocketRefusal('RATE_LIMIT_EXCEEDED', { retryAfterMs: waitMs })
}

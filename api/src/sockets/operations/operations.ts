// Performs what a client asks of the sockets, in the order in which it asks, and answers it.
import {
  CHANNELS_PER_MESSAGE_MAX,
  type SocketCode,
  type SocketOperation,
} from '@openvenue/wire/socket'
import type { Connection } from '../session/connection.ts'
import type { Sessions } from '../session/sessions.ts'
import { CHANNELS_PER_OPERATION, QUEUE_MAX } from '../session/socket-limits.ts'
import {
  type Failure,
  failureText,
  type Id,
  type Rejected,
  SocketRefusal,
} from '../session/socket-refusal.ts'
import type { Subscription } from '../session/subscription.ts'
import { authenticate, authenticateMessage, requireOperationScope } from './authenticate.ts'
import {
  invalid,
  parseChannel,
  parseChannels,
  parseId,
  parseMessage,
  parsePage,
} from './message.ts'

/** The answer of a successful operation, and what is done after that. */
type Reply = Readonly<{
  data: unknown
  rejected?: readonly Rejected[]
  next?: string | undefined
  seqs?: Readonly<Record<string, number>> | undefined
  after?: () => void
}>
/** A reply, or what makes it in the moment in which it goes out. */
type Outcome = Reply | (() => Reply)
/** Sends the reply where the client waits for it; undefined: as everything is sent. */
type Deliver = ((text: string) => void) | undefined

type Perform = (
  sessions: Sessions,
  connection: Connection,
  data: unknown,
) => Outcome | Promise<Outcome>

const OPERATIONS: Readonly<Record<SocketOperation, Perform>> = {
  auth: authenticate,
  subscribe,
  unsubscribe,
  resync,
  channels: ({ deps }, _connection, data) => listChannels(deps.channels.names(), data),
  status: (_sessions, { caller, subscriptions }) => ({
    data: { account: caller?.account ?? null, subscriptions: [...subscriptions.keys()] },
  }),
  ping: ({ deps }) => ({
    data: { success: true, timestamp: `${Math.trunc(deps.clock.nowMs())}000000` },
  }),
  logout: (sessions, connection) => {
    sessions.forget(connection)
    return { data: { success: true } }
  },
}

/**
 * Takes one message: text, or a value that the transport has parsed. It has one reply, which
 * `deliver` sends if it is given.
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
  const work = prepare(sessions, connection, { raw, deliver })
  if (work === undefined) return
  connection.queue.push(work)
  runQueue(sessions, connection)
}

/** Runs what waits, in order, until something has to wait for the database. */
function runQueue(sessions: Sessions, connection: Connection): void {
  while (!connection.isBusy && !connection.isClosed) {
    const work = connection.queue.shift()
    if (work === undefined) return
    const done = work()
    if (done === undefined) continue
    connection.isBusy = true
    done
      .catch((error: unknown) => sessions.failed(error))
      .then(() => {
        connection.isBusy = false
        runQueue(sessions, connection)
      })
  }
}

/**
 * Parses a message and counts it. Returns what performs and answers it, or undefined when it was
 * refused and answered.
 */
function prepare(
  sessions: Sessions,
  connection: Connection,
  { raw, deliver }: Readonly<{ raw: unknown; deliver: Deliver }>,
): (() => void | Promise<void>) | undefined {
  let id: Id
  try {
    const message = parseMessage(raw)
    id = parseId(message)
    const { op, data, auth } = message
    if (connection.queue.length >= QUEUE_MAX) throw new SocketRefusal('RATE_LIMIT_EXCEEDED')
    if (op !== 'ping') countOperation(sessions, connection, data)
    if (typeof op !== 'string') throw invalid('op is the name of an operation')
    const perform = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op as SocketOperation] : undefined
    if (perform === undefined) throw new SocketRefusal('INVALID_OP')
    const act = () => {
      requireOperationScope(connection, op)
      return perform(sessions, connection, data)
    }
    const isSigned = auth !== undefined && op !== 'auth'
    const signed = () => authenticateMessage(sessions, connection, { auth, op, data }).then(act)
    const asked = { id, deliver, perform: isSigned ? signed : act }
    return () => answer(sessions, connection, asked)
  } catch (error) {
    connection.send(failureText({ ...describeFailure(sessions, error), id }), deliver)
    return undefined
  }
}

function answer(
  sessions: Sessions,
  connection: Connection,
  { id, deliver, perform }: { id: Id; deliver: Deliver; perform: () => ReturnType<Perform> },
): void | Promise<void> {
  const refuse = (error: unknown) =>
    connection.send(failureText({ ...describeFailure(sessions, error), id }), deliver)
  const send = (outcome: Outcome) => {
    const { after, ...reply } = typeof outcome === 'function' ? outcome() : outcome
    connection.send(JSON.stringify({ id, ...reply }), deliver)
    after?.()
  }
  try {
    const outcome = perform()
    if (outcome instanceof Promise) return outcome.then(send).catch(refuse)
    send(outcome)
  } catch (error) {
    refuse(error)
  }
  return undefined
}

function describeFailure(sessions: Sessions, error: unknown): Failure {
  if (error instanceof SocketRefusal) return { code: error.code, ...error.problem }
  sessions.failed(error)
  return { code: 'INTERNAL_ERROR' }
}

/** Many channels in one message count as many operations. */
function countOperation(sessions: Sessions, connection: Connection, data: unknown): void {
  const weight = Array.isArray(data) ? Math.ceil(data.length / CHANNELS_PER_OPERATION) : 1
  const nowMs = sessions.deps.clock.monotonicMs()
  const waitMs = connection.operations.take(nowMs, Math.max(1, weight))
  if (waitMs > 0) throw new SocketRefusal('RATE_LIMIT_EXCEEDED', { retryAfterMs: waitMs })
}

/** Returns a page of names, so that the answer does not grow with the number of markets. */
function listChannels(names: readonly string[], data: unknown): Reply {
  const { prefix, after } = parsePage(data)
  const found = names.filter((name) => name.startsWith(prefix) && name > after).toSorted()
  const page = found.slice(0, CHANNELS_PER_MESSAGE_MAX)
  return { data: page, next: found.length > page.length ? page.at(-1) : undefined }
}

function subscribe(
  sessions: Sessions,
  connection: Connection,
  data: unknown,
): Outcome | Promise<Outcome> {
  const { subscriptions } = connection
  const named: string[] = []
  const rejected: Rejected[] = []
  const opened: Subscription[] = []
  for (const { channel, beginning } of parseChannels(data)) {
    const made = sessions.subscribe(connection, channel, beginning)
    if (typeof made === 'string') rejected.push({ channel, code: made })
    else named.push(channel)
    if (typeof made === 'object') opened.push(made)
  }
  const reply = () => {
    const accepted = named.filter((name) => subscriptions.has(name))
    // While the reply waited, the identity went, or the channel could not be opened.
    const code = connection.caller === undefined ? 'AUTH_REQUIRED' : 'CHANNEL_UNAVAILABLE'
    for (const channel of named) if (!subscriptions.has(channel)) rejected.push({ channel, code })
    // The reply goes out first. What is published until then reaches nobody new: there is no wait.
    const after = () => startAll(sessions, connection, opened)
    return { ...summarize(accepted, rejected), seqs: seqsOf(opened), after }
  }
  const waits = opened.flatMap((subscription) => sessions.ready(connection, subscription) ?? [])
  return waits.length === 0 ? reply() : Promise.all(waits).then(() => reply)
}

/** Starts what the client has the reply to; of a client that is behind, what sends nothing now. */
function startAll(
  sessions: Sessions,
  connection: Connection,
  opened: readonly Subscription[],
): void {
  for (const subscription of opened) {
    subscription.admit()
    if (!subscription.hasFirst || !sessions.backlog.isFull(connection))
      sessions.start(connection, subscription)
  }
}

/** Returns by name where those stand that begin with no message. */
function seqsOf(opened: readonly Subscription[]): Reply['seqs'] {
  const bare = opened.filter(({ hasFirst, isClosed }) => !hasFirst && !isClosed)
  if (bare.length === 0) return undefined
  return Object.fromEntries(bare.map(({ topic: { name, stream } }) => [name, stream.seq()]))
}

function unsubscribe(sessions: Sessions, connection: Connection, data: unknown): Reply {
  const accepted: string[] = []
  const rejected: Rejected[] = []
  for (const { channel } of parseChannels(data))
    if (sessions.unsubscribe(connection, channel)) accepted.push(channel)
    else rejected.push({ channel, code: notSubscribed(sessions, channel) })
  return summarize(accepted, rejected)
}

function resync(sessions: Sessions, connection: Connection, data: unknown): Reply {
  const { channel } = parseChannel(data)
  const subscription = connection.subscriptions.get(channel)
  if (subscription === undefined) throw new SocketRefusal(notSubscribed(sessions, channel))
  const after = () => {
    subscription.resync()
    if (!sessions.backlog.isFull(connection)) sessions.start(connection, subscription)
  }
  return { data: { success: true, channel }, after }
}

/** Returns why a client has no subscription to `channel`. */
const notSubscribed = ({ deps }: Sessions, channel: string): SocketCode =>
  deps.channels.find(channel) === undefined ? 'CHANNEL_NOT_FOUND' : 'NOT_SUBSCRIBED'

/** When nothing was accepted, the operation failed, with the code of the first channel. */
function summarize(accepted: readonly string[], rejected: readonly Rejected[]): Reply {
  const [first] = rejected
  if (first === undefined) return { data: accepted }
  if (accepted.length === 0) throw new SocketRefusal(first.code, { rejected })
  return { data: accepted, rejected }
}

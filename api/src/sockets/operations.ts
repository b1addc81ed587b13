// What a client may ask of the sockets, and how it is answered.
import {
  CHANNELS_PER_MESSAGE_MAX,
  type SocketCode,
  type SocketOperation,
} from '@openvenue/wire/socket'
import type { Connection } from './connection.ts'
import type { SocketCore } from './core.ts'
import { authenticate } from './socket-auth.ts'
import {
  CHANNEL_LENGTH_MAX,
  CHANNELS_PER_OPERATION,
  ID_LENGTH_MAX,
  isNestedDeeper,
  NESTING_MAX,
  QUEUE_MAX,
} from './socket-limits.ts'
import {
  type Failure,
  failureText,
  type Id,
  type Rejected,
  SocketRefusal,
} from './socket-refusal.ts'
import type { Subscription } from './topic.ts'
import { isFull } from './transports/backlog.ts'

/** What a successful operation answers, a last look before that, and what it does after it. */
type Outcome = Readonly<{
  data: unknown
  rejected?: readonly Rejected[]
  next?: string | undefined
  confirm?: () => void
  after?: () => void
}>

type Perform = (
  core: SocketCore,
  connection: Connection,
  data: unknown,
) => Outcome | Promise<Outcome>

const OPERATIONS: Readonly<Record<SocketOperation, Perform>> = {
  auth: authenticate,
  subscribe,
  unsubscribe,
  resync,
  channels: ({ deps }, _connection, data) => channelPage(deps.channels.names(), data),
  status: (_core, { caller, subscriptions }) => ({
    data: { account: caller?.account ?? null, subscriptions: [...subscriptions.keys()] },
  }),
  ping: ({ deps }) => ({
    data: { success: true, timestamp: `${Math.trunc(deps.clock.nowMs())}000000` },
  }),
  logout: (core, connection) => {
    core.forget(connection)
    return { data: { success: true } }
  },
}

/**
 * Parses a message and counts it. Returns what performs and answers it, or undefined when it was
 * refused and answered.
 */
export function performMessage(
  core: SocketCore,
  connection: Connection,
  raw: unknown,
): (() => void | Promise<void>) | undefined {
  let id: Id
  try {
    const message = parseMessage(raw)
    id = idOf(message)
    const { op, data } = message
    if (connection.queue.length >= QUEUE_MAX) throw new SocketRefusal('RATE_LIMIT_EXCEEDED')
    if (op !== 'ping') countOperation(core, connection, data)
    if (typeof op !== 'string') throw invalid('op is the name of an operation')
    const perform = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op as SocketOperation] : undefined
    if (perform === undefined) throw new SocketRefusal('INVALID_OP')
    return () => answer(core, connection, { id, perform: () => perform(core, connection, data) })
  } catch (error) {
    connection.send(failureText({ ...refusalOf(core, error), id }))
    return undefined
  }
}

function answer(
  core: SocketCore,
  connection: Connection,
  { id, perform }: { id: Id; perform: () => Outcome | Promise<Outcome> },
): void | Promise<void> {
  const refuse = (error: unknown) => connection.send(failureText({ ...refusalOf(core, error), id }))
  const send = ({ data, rejected, next, confirm, after }: Outcome) => {
    confirm?.()
    connection.send(JSON.stringify({ id, data, rejected, next }))
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

function refusalOf(core: SocketCore, error: unknown): Failure {
  if (error instanceof SocketRefusal) return { code: error.code, ...error.problem }
  core.failed(error)
  return { code: 'INTERNAL_ERROR' }
}

const invalid = (message: string) => new SocketRefusal('INVALID_MESSAGE', { message })

function parseMessage(raw: unknown): Readonly<Record<string, unknown>> {
  const value = typeof raw === 'string' ? parseJson(raw) : raw
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('a message is a JSON object: {"op": …, "data": …, "id": …}')
  if (isNestedDeeper(value, NESTING_MAX))
    throw invalid(`a message is nested at most ${NESTING_MAX} deep`)
  return value as Readonly<Record<string, unknown>>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('a message is JSON')
  }
}

function idOf({ id }: Readonly<Record<string, unknown>>): Id {
  if (id === undefined || Number.isSafeInteger(id)) return id as Id
  if (typeof id === 'string' && id.length <= ID_LENGTH_MAX) return id
  throw invalid(`id is an integer up to 2^53 - 1, or a text of at most ${ID_LENGTH_MAX} characters`)
}

/** Many channels in one message count as many operations. */
function countOperation(core: SocketCore, connection: Connection, data: unknown): void {
  const weight = Array.isArray(data) ? Math.ceil(data.length / CHANNELS_PER_OPERATION) : 1
  const waitMs = connection.operations.take(core.deps.clock.monotonicMs(), Math.max(1, weight))
  if (waitMs > 0) throw new SocketRefusal('RATE_LIMIT_EXCEEDED', { retryAfterMs: waitMs })
}

/** A page of names, so that the answer does not grow with the number of markets. */
function channelPage(names: readonly string[], data: unknown): Outcome {
  const { prefix = '', after = '' } = (data ?? {}) as Readonly<Record<string, unknown>>
  for (const [field, value] of Object.entries({ prefix, after }))
    if (typeof value !== 'string' || value.length > CHANNEL_LENGTH_MAX)
      throw invalid(`${field} is a text of at most ${CHANNEL_LENGTH_MAX} characters`)
  const found = names
    .filter((name) => name.startsWith(prefix as string) && name > (after as string))
    .toSorted()
  const page = found.slice(0, CHANNELS_PER_MESSAGE_MAX)
  return { data: page, next: found.length > page.length ? page.at(-1) : undefined }
}

function subscribe(core: SocketCore, connection: Connection, data: unknown): Outcome {
  const accepted: string[] = []
  const rejected: Rejected[] = []
  const opened: Subscription[] = []
  for (const { channel, fromSeq } of itemsOf(data)) {
    const made = core.subscribe(connection, channel, fromSeq)
    if (typeof made === 'string') rejected.push({ channel, code: made })
    else accepted.push(channel)
    if (typeof made === 'object') opened.push(made)
  }
  // The reply goes out first. What is published until then reaches nobody new: there is no wait.
  const after = () => {
    for (const subscription of opened)
      if (!isFull(core, connection)) core.start(connection, subscription)
  }
  return { ...outcomeOf(accepted, rejected), after }
}

function unsubscribe(core: SocketCore, connection: Connection, data: unknown): Outcome {
  const accepted: string[] = []
  const rejected: Rejected[] = []
  for (const { channel } of itemsOf(data))
    if (core.unsubscribe(connection, channel)) accepted.push(channel)
    else rejected.push({ channel, code: unknownOf(core, channel) })
  return outcomeOf(accepted, rejected)
}

function resync(core: SocketCore, connection: Connection, data: unknown): Outcome {
  const { channel } = itemOf(data)
  const subscription = connection.subscriptions.get(channel)
  if (subscription === undefined) throw new SocketRefusal(unknownOf(core, channel))
  const after = () => {
    subscription.pause()
    if (!isFull(core, connection)) core.start(connection, subscription)
  }
  return { data: { success: true, channel }, after }
}

const unknownOf = ({ deps }: SocketCore, channel: string): SocketCode =>
  deps.channels.find(channel) === undefined ? 'CHANNEL_NOT_FOUND' : 'NOT_SUBSCRIBED'

/** When nothing was accepted, the operation failed, with the code of the first channel. */
function outcomeOf(accepted: readonly string[], rejected: readonly Rejected[]): Outcome {
  const [first] = rejected
  if (first === undefined) return { data: accepted }
  if (accepted.length === 0) throw new SocketRefusal(first.code, { rejected })
  return { data: accepted, rejected }
}

type Item = Readonly<{ channel: string; fromSeq: number | undefined }>

function itemsOf(data: unknown): readonly Item[] {
  if (!Array.isArray(data) || data.length > CHANNELS_PER_MESSAGE_MAX)
    throw invalid(`data is an array of at most ${CHANNELS_PER_MESSAGE_MAX} channels`)
  return data.map((item) => (typeof item === 'string' ? itemOf({ channel: item }) : itemOf(item)))
}

function itemOf(data: unknown): Item {
  const { channel, from_seq } = (data ?? {}) as Readonly<Record<string, unknown>>
  if (typeof channel !== 'string' || channel.length > CHANNEL_LENGTH_MAX)
    throw invalid(`channel is a name of at most ${CHANNEL_LENGTH_MAX} characters`)
  if (from_seq !== undefined && !(Number.isSafeInteger(from_seq) && (from_seq as number) >= 0))
    throw invalid('from_seq is an integer from 0 on')
  return { channel, fromSeq: from_seq as number | undefined }
}

// Performs the operations on the connection: identity, subscriptions, lists.
import {
  CHANNELS_PER_MESSAGE_MAX,
  type SocketCode,
  type SocketOperation,
} from '@openvenue/wire/socket'
import type { OrderOperation } from '@openvenue/wire/socket-orders'
import type { Connection } from '../session/connection.ts'
import type { Sessions } from '../session/sessions.ts'
import { type RejectedChannel, SocketRefusal } from '../session/socket-refusal.ts'
import type { Subscription } from '../session/subscription.ts'
import { authenticate } from './authenticate.ts'
import { parseChannel, parseChannels, parsePage } from './message.ts'

/** The answer of a successful operation, and the work that follows it. */
type OperationReply = Readonly<{
  data: unknown
  rejected?: readonly RejectedChannel[]
  next?: string | undefined
  seqs?: Readonly<Record<string, number>> | undefined
  gap?: true | undefined
  gaps?: readonly object[] | undefined
  after?: () => void
}>
/** A reply, or a function that builds it when it is sent. */
export type OperationResult = OperationReply | (() => OperationReply)
type Perform = (
  sessions: Sessions,
  connection: Connection,
  data: unknown,
) => OperationResult | Promise<OperationResult>

export const PLAIN_OPERATIONS: Readonly<Record<Exclude<SocketOperation, OrderOperation>, Perform>> =
  {
    auth: authenticate,
    subscribe,
    unsubscribe,
    resync,
    channels: ({ deps }, _connection, data) => listChannels(deps.channels.names(), data),
    status: ({ deps }, { caller, subscriptions }) => ({
      data: {
        account: caller?.account ?? null,
        subscriptions: [...subscriptions.keys()],
        trading: deps.trading,
      },
    }),
    ping: ({ deps }) => ({
      data: { success: true, timestamp: `${Math.trunc(deps.clock.nowMs())}000000` },
    }),
    logout: (sessions, connection) => {
      sessions.forget(connection)
      return { data: { success: true } }
    },
  }

/** Returns a page of names, so that the answer does not grow with the number of markets. */
function listChannels(names: readonly string[], data: unknown): OperationReply {
  const { prefix, after } = parsePage(data)
  const matches = names.filter((name) => name.startsWith(prefix) && name > after).toSorted()
  const page = matches.slice(0, CHANNELS_PER_MESSAGE_MAX)
  return { data: page, next: matches.length > page.length ? page.at(-1) : undefined }
}

function subscribe(
  sessions: Sessions,
  connection: Connection,
  data: unknown,
): OperationResult | Promise<OperationResult> {
  const { subscriptions } = connection
  const named: string[] = []
  const rejected: RejectedChannel[] = []
  const opened: Subscription[] = []
  for (const { channel, beginning } of parseChannels(data)) {
    const made = sessions.subscribe(connection, channel, beginning)
    if (typeof made === 'string') rejected.push({ channel, code: made })
    else named.push(channel)
    if (typeof made === 'object') opened.push(made)
  }
  const reply = () => {
    const accepted = named.filter((name) => subscriptions.has(name))
    // The identity was lost, or the channel could not be opened, while the reply waited.
    const code = connection.caller === undefined ? 'AUTH_REQUIRED' : 'CHANNEL_UNAVAILABLE'
    for (const channel of named) if (!subscriptions.has(channel)) rejected.push({ channel, code })
    // The reply is sent first. No message can be published in between, because there is no await.
    const after = () => startAll(sessions, connection, opened)
    return { ...summarize(accepted, rejected), seqs: seqsOf(opened), ...gapsOf(opened), after }
  }
  const waits = opened.flatMap((subscription) => sessions.ready(connection, subscription) ?? [])
  return waits.length === 0 ? reply() : Promise.all(waits).then(() => reply)
}

/** Starts the subscriptions of a reply; for a client behind, only those that send nothing now. */
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

/** Returns the seq, by channel, of the subscriptions that begin without a message. */
function seqsOf(opened: readonly Subscription[]): OperationReply['seqs'] {
  const bare = opened.filter(({ hasFirst, isClosed }) => !hasFirst && !isClosed)
  if (bare.length === 0) return undefined
  return Object.fromEntries(bare.map(({ topic: { name, stream } }) => [name, stream.seq()]))
}

/** Returns the channels that continue after a gap: messages that the client does not get. */
function gapsOf(opened: readonly Subscription[]): Pick<OperationReply, 'gap' | 'gaps'> {
  const gaps = opened.flatMap(({ gap, isClosed }) => (isClosed || gap === undefined ? [] : [gap]))
  return gaps.length === 0 ? {} : { gap: true, gaps }
}

function unsubscribe(sessions: Sessions, connection: Connection, data: unknown): OperationReply {
  const accepted: string[] = []
  const rejected: RejectedChannel[] = []
  for (const { channel } of parseChannels(data))
    if (sessions.unsubscribe(connection, channel)) accepted.push(channel)
    else rejected.push({ channel, code: notSubscribed(sessions, channel) })
  return summarize(accepted, rejected)
}

function resync(sessions: Sessions, connection: Connection, data: unknown): OperationReply {
  const { channel } = parseChannel(data)
  const subscription = connection.subscriptions.get(channel)
  if (subscription === undefined) throw new SocketRefusal(notSubscribed(sessions, channel))
  const after = () => {
    subscription.resync()
    if (!sessions.backlog.isFull(connection)) sessions.start(connection, subscription)
  }
  return { data: { success: true, channel }, after }
}

/** Returns the reason why a client has no subscription to `channel`. */
const notSubscribed = ({ deps }: Sessions, channel: string): SocketCode =>
  deps.channels.find(channel) === undefined ? 'CHANNEL_NOT_FOUND' : 'NOT_SUBSCRIBED'

/** When nothing was accepted the operation has failed, with the code of the first channel. */
function summarize(
  accepted: readonly string[],
  rejected: readonly RejectedChannel[],
): OperationReply {
  const [first] = rejected
  if (first === undefined) return { data: accepted }
  if (accepted.length === 0) throw new SocketRefusal(first.code, { rejected })
  return { data: accepted, rejected }
}

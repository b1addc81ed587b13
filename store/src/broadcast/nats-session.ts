// One connection to a NATS server: the stream of a venue's messages, publishing, and a consumer.
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { JetStreamApiError, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type ConnectionOptions, connect } from '@nats-io/transport-node'

const NS_PER_MS = 1_000_000
/** Retention of messages: enough for a consumer that missed some within its session. */
const STREAM_AGE_MS_MAX = 10 * 60_000
const STREAM_BYTES_MAX = 64 * 1024 * 1024
/** Within this time the server drops a message whose id it has seen. */
const REPEAT_WINDOW_MS = 2 * 60_000
/** Time without a confirmation after which a message counts as lost. */
const CONFIRM_MS_MAX = 500
const CONNECT_MS_MAX = 3000
/** A server that leaves two of these unanswered counts as dead. */
const PING_MS = 1000
const PINGS_MAX = 2
const CLOSE_MS_MAX = 1000
/** "Stream name already in use with a different configuration": of another version. */
const STREAM_DIFFERS = 10_058
const DEFAULT_PORT = 4222

type OnMessage = (subject: string, text: string) => void

export type NatsSession = Readonly<{
  /** Resolves when the server has stored the message; rejects if it does not within a second. */
  publish: (subject: string, text: string, id: string) => Promise<unknown>
  /** Calls the first `onMessage` with messages from now on. */
  follow: (onMessage: OnMessage) => Promise<void>
  /** Resolves when the connection or the consumer has ended. */
  ended: Promise<unknown>
  close: () => Promise<void>
}>

/** Connects to the server of `url`, and creates the stream `name` of `subjects` if missing. */
export async function openSession(
  url: string,
  name: string,
  subjects: readonly string[],
): Promise<NatsSession> {
  await awaitGreeting(url)
  const connection = await connect(connectionOptions(url))
  const close = async () => {
    // A silent server would be waited for.
    await Promise.race([connection.close(), new Promise((end) => setTimeout(end, CLOSE_MS_MAX))])
  }
  try {
    const manager = await jetstreamManager(connection, { timeout: CONNECT_MS_MAX })
    const config = { name, subjects: [...subjects], ...STREAM }
    await manager.streams.add(config).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== STREAM_DIFFERS) throw error
      return manager.streams.update(name, config)
    })
    const client = jetstream(connection, { timeout: CONNECT_MS_MAX })
    const consumerEnded = Promise.withResolvers<unknown>()
    const consume = async (onMessage: OnMessage) => {
      const consumer = await client.consumers.get(name, CONSUMER)
      const callback = (message: JsMsg) => onMessage(message.subject, message.string())
      const messages = await consumer.consume({ ...PULL, callback })
      void messages.closed().then(consumerEnded.resolve)
    }
    let following: Promise<void> | undefined
    return {
      publish: (subject, text, msgID) =>
        client.publish(subject, text, { msgID, timeout: CONFIRM_MS_MAX }),
      follow: (onMessage) => {
        following ??= consume(onMessage)
        return following
      },
      ended: Promise.race([connection.closed(), consumerEnded.promise]),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Resolves when the server of `url` sends its greeting. The client would keep the socket of each
 * attempt at a server that accepts connections and stays silent.
 */
async function awaitGreeting(url: string): Promise<void> {
  const { hostname, port } = addressOf(url)
  const socket = createConnection(port, hostname)
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(CONNECT_MS_MAX) })
  } finally {
    socket.destroy()
  }
}

/** In memory: the tables have the entries, and an empty stream after a restart costs a read. */
const STREAM = {
  storage: 'memory',
  retention: 'limits',
  discard: 'old',
  num_replicas: 1,
  max_age: STREAM_AGE_MS_MAX * NS_PER_MS,
  max_bytes: STREAM_BYTES_MAX,
  duplicate_window: REPEAT_WINDOW_MS * NS_PER_MS,
} as const

/** Waits for messages that are newer than the consumer; the server forgets one that is gone. */
const CONSUMER = { deliver_policy: 'new', inactive_threshold: 30_000 } as const
/** Messages requested at a time, milliseconds that a request lasts, and between signs of life. */
const PULL = {
  max_messages: 500,
  expires: 10_000,
  idle_heartbeat: 1000,
  abort_on_missing_resource: true,
} as const

/** Returns options without the text of `url`, which may hold a password: errors repeat options. */
export function connectionOptions(url: string): ConnectionOptions {
  const { protocol, username, password } = new URL(url)
  const { hostname, port } = addressOf(url)
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    servers: `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`,
    ...(pass === '' ? (user === '' ? {} : { token: user }) : { user, pass }),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    name: 'openvenue',
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: CONNECT_MS_MAX,
    pingInterval: PING_MS,
    maxPingOut: PINGS_MAX,
  }
}

const addressOf = (url: string) => {
  const { hostname, port } = new URL(url)
  // A URL has an IPv6 address in brackets.
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) }
}

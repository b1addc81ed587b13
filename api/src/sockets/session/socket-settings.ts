// The operator's settings of the sockets: one environment variable each.
import type { Rate } from '../../http/limits.ts'

export type SocketSettings = Readonly<{
  /** Attempts to authenticate, per connection and per client address. */
  authPerConnection: Rate
  authPerAddress: Rate
  /** Memory for the unread messages of one client, bytes. */
  bufferBytesMax: number
  /** Memory for the unread messages of all clients together, bytes. */
  memoryBytesMax: number
  connectionsMax: number
  /** Messages and other frames of clients before they are closed; undefined: no limit. */
  messagesPerConnection: Rate | undefined
  messagesPerAddress: Rate | undefined
  connectionsPerAddressMax: number
  subscriptionsMax: number
  /** Subscriptions that send a message with most blocks, within `subscriptionsMax`. */
  perBlockMax: number
  /** Operations of a connection, not counting pings. */
  operations: Rate
  /** A plain WebSocket that sends nothing for this time, not even a pong, is closed. */
  idleSeconds: number
  /** Ping interval; a client that does not answer in time is cut. */
  pingSeconds: number
}>

export const SOCKET_SETTINGS: SocketSettings = {
  authPerConnection: { points: 5, seconds: 60 },
  authPerAddress: { points: 30, seconds: 60 },
  bufferBytesMax: 4 * 1024 * 1024,
  memoryBytesMax: 256 * 1024 * 1024,
  connectionsMax: 10_000,
  // An account may place 200 orders a second and cancel 400, all over one connection.
  messagesPerConnection: { points: 700, seconds: 1, burst: 1_300 },
  messagesPerAddress: { points: 1_000, seconds: 1, burst: 4_000 },
  connectionsPerAddressMax: 100,
  subscriptionsMax: 1000,
  perBlockMax: 200,
  operations: { points: 20, seconds: 1 },
  idleSeconds: 900,
  pingSeconds: 25,
}

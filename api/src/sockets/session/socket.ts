// The interface of one client that sessions use, for any transport.

/** Reasons for ending a connection, with the close code of plain WebSockets. */
export const CLOSE_CODES = {
  /** The client does not read what it subscribed to. RFC 6455: try again later. */
  SLOW_CONSUMER: 1013,
  /** No data from the client for too long. */
  IDLE: 1000,
  /** The client sent too much. RFC 6455: policy violation. */
  RATE_LIMIT_EXCEEDED: 1008,
  /** The server is stopping. RFC 6455: going away. */
  SHUTDOWN: 1001,
} as const

export type CloseReason = keyof typeof CLOSE_CODES

/** One client, over any transport. */
export type Socket = Readonly<{
  transport: 'socket.io' | 'websocket'
  /** Client address, taken from trusted proxies where there are some. */
  address: string
  /** The address unshortened, also for IPv6: keys may list it. */
  exactAddress: string
  send: (text: string) => void
  /** Adds the client to the recipients of broadcasts to the room. */
  join(room: string): void
  leave(room: string): void
  /** Memory of unread messages, bytes, including the overhead of each. */
  unsentBytes(): number
  /** Memory of an incomplete message of the client. */
  partialBytes(): number
  /** Sends the reason and when to come back, and ends the connection after earlier data. */
  close(reason: CloseReason, retryAfterMs?: number): void
  /** Ends the connection now; unsent data is lost. */
  destroy(): void
}>

/** Sends `text` to all clients of one transport in the room; returns their number. */
export type Broadcast = (room: string, text: string) => number

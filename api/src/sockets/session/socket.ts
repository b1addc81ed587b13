// Says what the sessions need of one client, whichever transport it came by.

/** Why the server ends a connection, and the code that a plain WebSocket is closed with. */
export const CLOSE_CODES = {
  /** The client does not read what it subscribed to. RFC 6455: try again later. */
  SLOW_CONSUMER: 1013,
  /** Nothing was heard of the client for too long. */
  IDLE: 1000,
  /** The client sent too much. RFC 6455: a policy was broken. */
  RATE_LIMIT_EXCEEDED: 1008,
  /** The server stops. RFC 6455: going away. */
  SHUTDOWN: 1001,
} as const

export type CloseReason = keyof typeof CLOSE_CODES

/** One client, whichever way it came. */
export type Socket = Readonly<{
  transport: 'socket.io' | 'websocket'
  /** Of the client, behind trusted proxies. */
  address: string
  /** The same whole, also of IPv6: keys may list it. */
  exactAddress: string
  send: (text: string) => void
  /** From now on the client gets what is broadcast to the room. */
  join(room: string): void
  leave(room: string): void
  /**
   * Memory, in bytes, of what the client has yet to take: with what each message costs beside it.
   */
  unsentBytes(): number
  /** Memory of a message of the client that is not complete yet. */
  partialBytes(): number
  /** Says why, and when to come back, and ends the connection after what was sent before. */
  close(reason: CloseReason, retryAfterMs?: number): void
  /** Ends the connection now; what was not sent is lost. */
  destroy(): void
}>

/** Sends `text` to all clients of one transport in the room; returns how many they are. */
export type Broadcast = (room: string, text: string) => number

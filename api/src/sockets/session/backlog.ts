// Bounds the backlog of clients that read too slowly, then closes them with a reason.
import type { Connection } from './connection.ts'
import type { Subscription } from './subscription.ts'

/** Time that a client has to catch up, ms. */
const BEHIND_MS_MAX = 10_000
/** A client that falls behind again within this time after it caught up is closed, ms. */
const AGAIN_MS = 60_000
/** Channels that a fresh snapshot restores: they pause while a client is behind. */
const BOOK = 'orderbook'

export class Backlog {
  readonly #bytesMax: number
  readonly #drop: (connection: Connection) => void
  readonly #start: (connection: Connection, subscription: Subscription) => void

  /** `drop` closes a slow client; `start` sends a subscription's first messages. */
  constructor(
    bytesMax: number,
    drop: (connection: Connection) => void,
    start: (connection: Connection, subscription: Subscription) => void,
  ) {
    this.#bytesMax = bytesMax
    this.#drop = drop
    this.#start = start
  }

  /** Returns whether a further snapshot must wait until the client has read more. */
  isFull({ socket }: Connection): boolean {
    return socket.unsentBytes() > this.#bytesMax / 2
  }

  /** Returns whether a client has so much unread data that it must be closed. */
  isOver({ socket }: Connection): boolean {
    return socket.unsentBytes() > 2 * this.#bytesMax
  }

  /**
   * Checks a client's unread data. Above the bound its books pause, and resume with a snapshot once
   * it has read half. A client that stays behind, or is soon behind again, is closed.
   */
  watch(connection: Connection, nowMs: number): void {
    const { socket, behindMs, lastBehindMs } = connection
    const unsent = socket.unsentBytes()
    if (unsent <= this.#bytesMax / 2) {
      connection.behindMs = undefined
      this.#resume(connection)
      return
    }
    const isAgain = lastBehindMs !== undefined && nowMs - lastBehindMs < AGAIN_MS
    const isTooLong = behindMs !== undefined && nowMs - behindMs >= BEHIND_MS_MAX
    const isNewlyBehind = behindMs === undefined && unsent > this.#bytesMax
    if (unsent > 2 * this.#bytesMax || isTooLong || (isNewlyBehind && isAgain)) {
      this.#drop(connection)
      return
    }
    if (!isNewlyBehind) return
    connection.behindMs = nowMs
    connection.lastBehindMs = nowMs
    for (const [name, subscription] of connection.subscriptions)
      if (name.startsWith(BOOK)) subscription.pause()
  }

  /** Starts paused subscriptions as long as the client has room. */
  #resume(connection: Connection): void {
    for (const subscription of connection.subscriptions.values()) {
      if (!subscription.isPaused) continue
      if (this.isFull(connection)) return
      this.#start(connection, subscription)
    }
  }
}

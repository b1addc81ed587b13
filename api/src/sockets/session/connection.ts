// State of one client of the sockets: identity, subscriptions and remaining limits.

import type { Rate } from '../../http/limits.ts'
import type { Caller } from '../../identity/caller.ts'
import type { OrderConnection } from '../../orders/place/connection-ends.ts'
import { OperationQueue } from './operation-queue.ts'
import type { Socket } from './socket.ts'
import type { SocketSettings } from './socket-settings.ts'
import type { Subscription } from './subscription.ts'

// Counts the attempts of one client in a sliding window of time.

/** Allows at most `points` attempts in any `seconds`, wherever they begin. */
class AttemptWindow {
  readonly #rate: Rate
  #timesMs: number[] = []

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /**
   * Takes `weight` attempts, capped at the limit, and returns 0; or takes none and returns the
   * milliseconds until it could.
   */
  take(nowMs: number, weight = 1): number {
    const { points, seconds } = this.#rate
    const startMs = nowMs - seconds * 1000
    this.#timesMs = this.#timesMs.filter((timeMs) => timeMs > startMs)
    const bounded = Math.min(weight, points)
    const over = this.#timesMs.length + bounded - points
    if (over > 0) return (this.#timesMs[over - 1] ?? nowMs) - startMs
    for (let taken = 0; taken < bounded; taken++) this.#timesMs.push(nowMs)
    return 0
  }
}

export class Connection {
  readonly socket: Socket
  /** Keyed by channel name. */
  readonly subscriptions = new Map<string, Subscription>()
  /** Subscriptions of per-block channels. */
  perBlock = 0
  readonly operations: AttemptWindow
  readonly attempts: AttemptWindow
  /** Orders placed over this connection; they end with it where the account wants that. */
  readonly orders: OrderConnection
  /** Set by a successful authentication. */
  caller: Caller | undefined
  readonly queue = new OperationQueue()
  isClosed = false
  /** Since when the client has too much unread data; undefined: it has not. */
  behindMs: number | undefined
  /** When the client last had too much unread data. */
  lastBehindMs: number | undefined
  readonly #onSend: (text: string) => void

  constructor(
    { socket, orders }: Readonly<{ socket: Socket; orders: OrderConnection }>,
    settings: SocketSettings,
    onSend: (text: string) => void,
  ) {
    this.socket = socket
    this.orders = orders
    this.operations = new AttemptWindow(settings.operations)
    this.attempts = new AttemptWindow(settings.authPerConnection)
    this.#onSend = onSend
  }

  /** Sends a text, or has `deliver` send it: the transport's callback for this message. */
  send(text: string, deliver: (text: string) => void = this.socket.send): void {
    if (this.isClosed) return
    this.#onSend(text)
    deliver(text)
  }
}

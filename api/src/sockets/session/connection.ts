// Keeps one client of the sockets: who it is, what it listens to, and what it may still ask.
import type { Caller } from '../../identity/caller.ts'
import type { OrderConnection } from '../../orders/connection-ends.ts'
import { AttemptWindow } from './attempt-window.ts'
import type { Socket } from './socket.ts'
import type { SocketSettings } from './socket-settings.ts'
import type { Subscription } from './subscription.ts'
import { Turns } from './turns.ts'

export class Connection {
  readonly socket: Socket
  /** By the name of the channel. */
  readonly subscriptions = new Map<string, Subscription>()
  readonly operations: AttemptWindow
  readonly attempts: AttemptWindow
  /** Orders that are made over it end with it where their account wants that. */
  readonly orders: OrderConnection
  /** Set by a successful authentication. */
  caller: Caller | undefined
  readonly turns = new Turns()
  isClosed = false
  /** When the client had too much unread; undefined: it has not. */
  behindMs: number | undefined
  /** When it had last. */
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

  /** Sends a text, or has it sent by `deliver`, which the transport has for this one. */
  send(text: string, deliver: (text: string) => void = this.socket.send): void {
    if (this.isClosed) return
    this.#onSend(text)
    deliver(text)
  }
}

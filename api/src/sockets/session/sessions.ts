// Tracks connected clients and their subscriptions, over all transports.
import type { SocketCode } from '@openvenue/wire/socket'
import type { Trading } from '@openvenue/wire/trading'
import type { EdgeSettings } from '../../http/edge.ts'
import type { Consume, TakePoints } from '../../http/limits.ts'
import type { Clock } from '../../model/clock.ts'
import type { OrderParts } from '../../orders/order-parts.ts'
import type { ConnectionEnds } from '../../orders/place/connection-ends.ts'
import type { Channels } from '../streams/stream.ts'
import { Backlog } from './backlog.ts'
import { Connection } from './connection.ts'
import { Deadlines, OPERATION_MS_MAX, SNAPSHOT_MS_MAX } from './deadlines.ts'
import { KeyWatch, type KeyWatchDeps } from './key-watch.ts'
import type { CloseReason, Socket } from './socket.ts'
import { SocketMeter } from './socket-meter.ts'
import { failureText } from './socket-refusal.ts'
import type { SocketSettings } from './socket-settings.ts'
import { Subscription, type SubscriptionStart } from './subscription.ts'
import { Topics } from './topics.ts'
import { AUTHENTICATIONS_MAX, Slots, SUBSCRIBES_PER_TURN, TurnBudget } from './turn-budget.ts'

/** Services of the operations on orders. */
export type OrderEntry = Readonly<{
  parts: OrderParts
  /** Counts by account, in the buckets of REST. */
  take: TakePoints
}>

/** A failed login, without the key: one may be a mistyped secret. */
type LoginFailure = Readonly<{ code: SocketCode; address: string; transport: Socket['transport'] }>

export type SessionDeps = Omit<KeyWatchDeps, 'nowMs' | 'monotonicMs'> &
  Readonly<{
    channels: Channels
    connectionEnds: Pick<ConnectionEnds, 'open'>
    consume: Consume
    /** Absent: this node does not accept orders. */
    orderEntry?: OrderEntry
    trading: Trading
    /** Set on a node that only reads. */
    edge?: EdgeSettings | undefined
    settings: SocketSettings
    clock: Clock
    /** Logs a failed login; absent: none is logged. */
    loginFailed?: (facts: LoginFailure) => void
    /** Reports an internal error. */
    failed: (error: unknown) => void
  }>

/** Time that a client has to read the reason before its connection is cut, ms. */
const CLOSE_GRACE_MS = 10_000
/** Period over which the clients of a stopping node are spread when they come back, ms. */
const COME_BACK_MS = 5_000
/** Like `CLOSE_GRACE_MS`, when the node has no memory left for the client. */
const SHED_GRACE_MS = 1_000
/** Share of the memory bound down to which connections are closed. */
const SHED_SHARE = 0.75

const heldBytes = (socket: Socket) => socket.unsentBytes() + socket.partialBytes()

export class Sessions {
  readonly deps: SessionDeps
  readonly meter = new SocketMeter()
  readonly keys: KeyWatch
  readonly deadlines: Deadlines
  /** True while clients that do not read hold too much memory: new ones are refused. */
  isFull = false
  readonly backlog: Backlog
  readonly topics: Topics
  /** Subscriptions, whose snapshots are the costliest messages. */
  readonly subscribes = new TurnBudget(SUBSCRIBES_PER_TURN)
  readonly authentications = new Slots(AUTHENTICATIONS_MAX)
  readonly #connections = new Set<Connection>()
  /** Sockets that were sent the reason of their end, and when they are cut. */
  readonly #closing = new Map<Socket, number>()

  constructor(deps: SessionDeps) {
    this.deps = deps
    this.deadlines = new Deadlines(deps.clock.monotonicMs)
    this.keys = new KeyWatch({ ...deps, ...deps.clock }, this.#connections, (connection, code) =>
      this.takeAway(connection, code),
    )
    this.backlog = new Backlog(
      deps.settings.bufferBytesMax,
      (connection) => this.drop(connection, 'SLOW_CONSUMER'),
      (connection, subscription) => this.start(connection, subscription),
    )
    this.topics = new Topics({
      channels: deps.channels,
      monotonicMs: deps.clock.monotonicMs,
      sent: (text, receivers) => this.meter.sent(text, receivers),
      failed: (error) => this.failed(error),
    })
    this.meter.measure('connections', () => this.connectionCount)
    this.meter.measure('unsent_bytes', () => this.unsentBytes())
    this.meter.measure('subscriptions', () => this.#subscriptionCount())
    this.meter.measure('subscribes_waiting', () => this.subscribes.waiting)
    this.meter.measure('authentications_waiting', () => this.authentications.waiting)
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  /** Unread bytes of all connections. */
  unsentBytes(): number {
    let bytes = 0
    for (const { socket } of this.#connections) bytes += socket.unsentBytes()
    return bytes
  }

  /** Memory held for unread messages and for incomplete messages of clients. */
  openBytes(): number {
    let bytes = 0
    for (const { socket } of this.#connections) bytes += heldBytes(socket)
    return bytes
  }

  connect(socket: Socket): Connection {
    const orders = this.deps.connectionEnds.open()
    const connection = new Connection({ socket, orders }, this.deps.settings, (text) =>
      this.meter.sent(text, 1),
    )
    this.#connections.add(connection)
    return connection
  }

  /** Called by the transport when the client accepts no more data. */
  disconnect(connection: Connection): void {
    connection.isClosed = true
    connection.caller = undefined
    connection.orders.end()
    for (const name of [...connection.subscriptions.keys()]) this.unsubscribe(connection, name)
    this.#connections.delete(connection)
  }

  /** Called by the transport when the connection is gone and need not be cut. */
  ended({ socket }: Connection): void {
    this.#closing.delete(socket)
  }

  /** Handles everything that depends on time: keys, reads, slow clients, hanging closes. */
  sweep(): void {
    const nowMs = this.deps.clock.monotonicMs()
    this.keys.sweep()
    this.deadlines.sweep()
    this.topics.sweep(nowMs)
    for (const connection of this.#connections) this.backlog.watch(connection, nowMs)
    this.#shed(nowMs)
    for (const [socket, cutMs] of this.#closing) {
      if (nowMs < cutMs) continue
      this.#closing.delete(socket)
      socket.destroy()
    }
  }

  /**
   * Checks the memory held by clients that do not read or do not complete their messages. Above the
   * bound the heaviest are closed until the rest is well below it.
   */
  #shed(nowMs: number): void {
    const { memoryBytesMax } = this.deps.settings
    const backlogs = [...this.#connections].map((connection) => ({
      connection,
      bytes: heldBytes(connection.socket),
    }))
    let open = 0
    for (const { bytes } of backlogs) open += bytes
    let closing = 0
    for (const socket of this.#closing.keys()) closing += heldBytes(socket)
    this.isFull = open + closing > memoryBytesMax
    if (open <= memoryBytesMax) return
    for (const { connection, bytes } of backlogs.toSorted((a, b) => b.bytes - a.bytes)) {
      if (open <= memoryBytesMax * SHED_SHARE) return
      open -= bytes
      this.meter.closedShed += 1
      this.drop(connection, 'SLOW_CONSUMER')
      this.#closing.set(connection.socket, nowMs + SHED_GRACE_MS)
    }
  }

  /** Ends a connection with a reason. */
  drop(connection: Connection, reason: CloseReason, retryAfterMs?: number): void {
    if (connection.isClosed) return
    if (reason === 'SLOW_CONSUMER') this.meter.closedSlow += 1
    if (reason === 'RATE_LIMIT_EXCEEDED') this.meter.closedFlooding += 1
    this.disconnect(connection)
    this.#closing.set(connection.socket, this.deps.clock.monotonicMs() + CLOSE_GRACE_MS)
    connection.socket.close(reason, retryAfterMs)
  }

  /**
   * Opens the channel for the connection. Returns the subscription to start, or a code when
   * refused; undefined when the connection has it already.
   */
  subscribe(
    connection: Connection,
    name: string,
    beginning: SubscriptionStart,
  ): Subscription | SocketCode | undefined {
    if (connection.subscriptions.has(name)) return undefined
    if (connection.subscriptions.size >= this.deps.settings.subscriptionsMax)
      return 'TOO_MANY_SUBSCRIPTIONS'
    const isFull = connection.perBlock >= this.deps.settings.perBlockMax
    if (isFull && this.topics.isPerBlock(name)) return 'TOO_MANY_PER_BLOCK'
    const topic = this.topics.open(name, connection.caller)
    if (typeof topic === 'string') return topic
    const subscription = new Subscription(connection, topic, beginning)
    connection.subscriptions.set(name, subscription)
    if (topic.isPerBlock) connection.perBlock += 1
    return subscription
  }

  /**
   * Returns a promise that the reply to a subscription must wait for, if any. When it takes too
   * long or fails, the subscription is removed.
   */
  ready(connection: Connection, subscription: Subscription): Promise<void> | undefined {
    const ready = subscription.ready()
    if (ready === undefined) return undefined
    return this.deadlines.within(OPERATION_MS_MAX, ready).catch((error: unknown) => {
      this.failed(error)
      if (this.#has(connection, subscription)) this.#fail(connection, subscription)
    })
  }

  /**
   * Sends the subscription's first messages; ends it with a code when they cannot be read in time.
   */
  start(connection: Connection, subscription: Subscription): void {
    const { name } = subscription.topic
    if (!this.#has(connection, subscription)) return
    if (subscription.hasFirst) this.meter.snapshots += 1
    const fail = (error: unknown) => {
      this.failed(error)
      if (!this.#has(connection, subscription)) return
      this.#fail(connection, subscription)
      connection.send(failureText({ code: 'CHANNEL_UNAVAILABLE', channel: name }))
    }
    try {
      const started = subscription.start()
      if (started !== undefined) this.deadlines.within(SNAPSHOT_MS_MAX, started).catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  /** Returns false when the connection is not subscribed. */
  unsubscribe(connection: Connection, name: string): boolean {
    const subscription = connection.subscriptions.get(name)
    if (subscription === undefined) return false
    connection.subscriptions.delete(name)
    subscription.close()
    const { topic } = subscription
    if (topic.isPerBlock) connection.perBlock -= 1
    if (topic.subscriptions.size === 0) this.topics.leave(topic)
    return true
  }

  /** Ends a subscription whose channel cannot be read; the next client opens a new channel. */
  #fail(connection: Connection, { topic }: Subscription): void {
    this.unsubscribe(connection, topic.name)
    if (topic.subscriptions.size === 0) this.topics.close(topic)
  }

  /** Removes the identity of a connection whose key has expired. */
  expire(connection: Connection): void {
    if (this.keys.isExpired(connection)) this.takeAway(connection, 'AUTH_EXPIRED')
  }

  /** Removes the identity of a connection, and with it all private channels. Interface 3.4. */
  forget(connection: Connection): void {
    connection.caller = undefined
    for (const [name, { topic }] of [...connection.subscriptions])
      if (topic.isPrivate) this.unsubscribe(connection, name)
  }

  /**
   * Removes an identity whose key is revoked or cannot be checked, and notifies the client.
   * Interface 5.4.
   */
  takeAway(connection: Connection, code: 'AUTH_EXPIRED' | 'AUTH_UNAVAILABLE'): void {
    this.forget(connection)
    connection.send(failureText({ code }))
  }

  /** Returns the wallets for which a connection is authenticated. */
  openPrivateAccounts(): ReadonlySet<string> {
    const accounts = new Set<string>()
    for (const { caller } of this.#connections)
      if (caller !== undefined) accounts.add(caller.account)
    return accounts
  }

  failed(error: unknown): void {
    this.deps.failed(error)
  }

  /** Returns whether closing clients are still reading what was sent before their end. */
  get isClosing(): boolean {
    return this.#closing.size > 0
  }

  close(): void {
    this.keys.close()
    for (const socket of this.#closing.keys()) socket.close('SHUTDOWN')
    const all = [...this.#connections]
    for (const [index, connection] of all.entries())
      this.drop(connection, 'SHUTDOWN', Math.floor((index * COME_BACK_MS) / all.length))
    this.topics.sweep(Number.POSITIVE_INFINITY)
  }

  #has({ subscriptions }: Connection, subscription: Subscription): boolean {
    return subscriptions.get(subscription.topic.name) === subscription
  }

  #subscriptionCount(): number {
    let count = 0
    for (const { subscriptions } of this.#connections) count += subscriptions.size
    return count
  }
}

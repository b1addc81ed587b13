// The one message core behind both transports: who is connected, who listens to what, and how a
// message reaches them.
import type { SocketCode } from '@openvenue/wire/socket'
import type { Consume } from '../http/limits.ts'
import type { Caller } from '../identity/caller.ts'
import type { Clock } from '../model/clock.ts'
import { Connection } from './connection.ts'
import { Deadlines, SNAPSHOT_MS_MAX } from './deadlines.ts'
import { performMessage } from './operations.ts'
import type { Broadcast, CloseReason, Socket } from './socket.ts'
import { KeyWatch, type KeyWatchDeps } from './socket-auth.ts'
import { SocketMeter } from './socket-meter.ts'
import { failureText } from './socket-refusal.ts'
import type { SocketSettings } from './socket-settings.ts'
import type { ChannelKind, Channels, Message, Stream } from './streams/stream.ts'
import { Subscription, type Topic } from './topic.ts'
import { watchBacklog } from './transports/backlog.ts'

export type CoreDeps = Omit<KeyWatchDeps, 'nowMs' | 'monotonicMs'> &
  Readonly<{
    channels: Channels
    consume: Consume
    settings: SocketSettings
    clock: Clock
    /** Hears of what went wrong on our side. */
    failed: (error: unknown) => void
  }>

/** How long a client has to take the reason before its connection is cut. */
const CLOSE_GRACE_MS = 10_000
/** Clients of a node that stops are asked to come back one after the other within so long. */
const COME_BACK_MS = 5_000
/** How long it has when there is no memory left for it. */
const SHED_GRACE_MS = 1_000
/** Connections are closed until the others take so much of what they may. */
const SHED_SHARE = 0.75

const heldBytes = (socket: Socket) => socket.unsentBytes() + socket.partialBytes()

export class SocketCore {
  readonly deps: CoreDeps
  readonly meter = new SocketMeter()
  readonly keys: KeyWatch
  readonly deadlines: Deadlines
  /** Clients who do not read take more memory than they may: nobody new may come. */
  isFull = false
  readonly #connections = new Set<Connection>()
  readonly #topics = new Map<string, Topic>()
  readonly #broadcasts: Broadcast[] = []
  /** Sockets that have heard why they end, and when they are cut. */
  readonly #closing = new Map<Socket, number>()

  constructor(deps: CoreDeps) {
    this.deps = deps
    this.deadlines = new Deadlines(deps.clock.monotonicMs)
    this.keys = new KeyWatch({ ...deps, ...deps.clock }, this.#connections, (connection, code) =>
      this.takeAway(connection, code),
    )
    this.meter.count('connections', () => this.connectionCount)
    this.meter.count('unsent_bytes', () => this.unsentBytes())
    this.meter.count('subscriptions', () => this.#subscriptionCount())
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  /** Bytes that clients have yet to take, of all connections. */
  unsentBytes(): number {
    let bytes = 0
    for (const { socket } of this.#connections) bytes += socket.unsentBytes()
    return bytes
  }

  /** Memory of what clients have yet to take, and of what they have not sent to its end. */
  openBytes(): number {
    let bytes = 0
    for (const { socket } of this.#connections) bytes += heldBytes(socket)
    return bytes
  }

  /** Adds a transport. */
  serve(broadcast: Broadcast): void {
    this.#broadcasts.push(broadcast)
  }

  connect(socket: Socket): Connection {
    const connection = new Connection(socket, this.deps.settings, (text) =>
      this.meter.sent(text, 1),
    )
    this.#connections.add(connection)
    return connection
  }

  /** The transport says that the client takes nothing any more. */
  disconnect(connection: Connection): void {
    connection.isClosed = true
    connection.caller = undefined
    for (const name of [...connection.subscriptions.keys()]) this.unsubscribe(connection, name)
    this.#connections.delete(connection)
  }

  /** The transport says that nothing is left of the connection: it need not be cut. */
  ended({ socket }: Connection): void {
    this.#closing.delete(socket)
  }

  /** Takes one message: text, or a value that the transport has parsed. Answers in their order. */
  receive(connection: Connection, raw: unknown): void {
    if (connection.isClosed) return
    if (connection.socket.unsentBytes() > 2 * this.deps.settings.bufferBytesMax) {
      this.drop(connection, 'SLOW_CONSUMER')
      return
    }
    if (this.keys.isExpired(connection)) this.takeAway(connection, 'AUTH_EXPIRED')
    const work = performMessage(this, connection, raw)
    if (work === undefined) return
    connection.queue.push(work)
    this.#work(connection)
  }

  /** Runs what waits, in order, until something has to wait for the database. */
  #work(connection: Connection): void {
    while (!connection.isBusy && !connection.isClosed) {
      const work = connection.queue.shift()
      if (work === undefined) return
      const done = work()
      if (done === undefined) continue
      connection.isBusy = true
      done
        .catch((error: unknown) => this.failed(error))
        .then(() => {
          connection.isBusy = false
          this.#work(connection)
        })
    }
  }

  /** Looks after what time changes: keys, reads, clients that do not read, ends that hang. */
  sweep(): void {
    const nowMs = this.deps.clock.monotonicMs()
    this.keys.sweep()
    this.deadlines.sweep()
    for (const connection of this.#connections) watchBacklog(this, connection, nowMs)
    this.#shed(nowMs)
    for (const [socket, cutMs] of this.#closing) {
      if (nowMs < cutMs) continue
      this.#closing.delete(socket)
      socket.destroy()
    }
  }

  /**
   * Looks how much memory clients take that do not read, or do not complete what they send. Above the
   * bound those that take most are closed, until what the others take is well below it.
   */
  #shed(nowMs: number): void {
    const { memoryBytesMax } = this.deps.settings
    const held = [...this.#connections].map((connection) => ({
      connection,
      bytes: heldBytes(connection.socket),
    }))
    let open = 0
    for (const { bytes } of held) open += bytes
    let closing = 0
    for (const socket of this.#closing.keys()) closing += heldBytes(socket)
    this.isFull = open + closing > memoryBytesMax
    if (open <= memoryBytesMax) return
    for (const { connection, bytes } of held.toSorted((a, b) => b.bytes - a.bytes)) {
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
   * Opens the channel for the connection; returns what to start, or why not; undefined when the
   * connection has it already.
   */
  subscribe(
    connection: Connection,
    name: string,
    fromSeq: number | undefined,
  ): Subscription | SocketCode | undefined {
    if (connection.subscriptions.has(name)) return undefined
    if (connection.subscriptions.size >= this.deps.settings.subscriptionsMax)
      return 'TOO_MANY_SUBSCRIPTIONS'
    const topic = this.#topicOf(connection, name)
    if (typeof topic === 'string') return topic
    const subscription = new Subscription(connection, topic, fromSeq)
    connection.subscriptions.set(name, subscription)
    return subscription
  }

  /** Sends the subscription's first messages; when they cannot be read in time, ends it with a code. */
  start(connection: Connection, subscription: Subscription): void {
    const { name } = subscription.topic
    const fail = (error: unknown) => {
      this.failed(error)
      if (connection.subscriptions.get(name) !== subscription) return
      this.unsubscribe(connection, name)
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
    if (topic.subscriptions.size > 0) return true
    this.#topics.delete(topic.room)
    topic.stream.close()
    return true
  }

  /** Takes the identity of a connection, and with it all private channels. Interface 3.4. */
  forget(connection: Connection): void {
    connection.caller = undefined
    for (const [name, { topic }] of [...connection.subscriptions])
      if (topic.isPrivate) this.unsubscribe(connection, name)
  }

  /**
   * The key is no longer live, or it cannot be known whether it is: the client hears of it unasked.
   * Interface 5.4.
   */
  takeAway(connection: Connection, code: 'AUTH_EXPIRED' | 'AUTH_UNAVAILABLE'): void {
    this.forget(connection)
    connection.send(failureText({ code }))
  }

  /** Returns the wallets that a connection is authenticated for. */
  openPrivateAccounts(): ReadonlySet<string> {
    const accounts = new Set<string>()
    for (const { caller } of this.#connections)
      if (caller !== undefined) accounts.add(caller.account)
    return accounts
  }

  failed(error: unknown): void {
    this.deps.failed(error)
  }

  /** Whether clients are still taking what was sent before they were told of their end. */
  get isClosing(): boolean {
    return this.#closing.size > 0
  }

  close(): void {
    this.keys.close()
    for (const socket of this.#closing.keys()) socket.close('SHUTDOWN')
    const all = [...this.#connections]
    for (const [index, connection] of all.entries())
      this.drop(connection, 'SHUTDOWN', Math.floor((index * COME_BACK_MS) / all.length))
  }

  #topicOf(connection: Connection, name: string): Topic | SocketCode {
    const kind = this.deps.channels.find(name)
    if (kind === undefined) return 'CHANNEL_NOT_FOUND'
    const caller = kind.isPrivate ? connection.caller : undefined
    if (kind.isPrivate && caller === undefined) return 'AUTH_REQUIRED'
    const room = caller === undefined ? `#${name}` : `#${name} ${caller.account}`
    const known = this.#topics.get(room)
    if (known !== undefined) return known
    try {
      const topic = {
        name,
        room,
        isPrivate: kind.isPrivate,
        stream: this.#open(kind, room, caller),
      }
      const open: Topic = { ...topic, subscriptions: new Set(), waiting: new Set() }
      this.#topics.set(room, open)
      return open
    } catch (error) {
      this.failed(error)
      return 'CHANNEL_UNAVAILABLE'
    }
  }

  #open(kind: ChannelKind, room: string, caller: Caller | undefined): Stream {
    const publish = (message: Message) => this.#publish(room, message)
    if (!kind.isPrivate) return kind.open(publish)
    if (caller === undefined) throw new Error('a private channel belongs to an account')
    return kind.open(caller, publish)
  }

  #publish(room: string, message: Message): void {
    for (const broadcast of this.#broadcasts)
      this.meter.sent(message.text, broadcast(room, message.text))
    const topic = this.#topics.get(room)
    if (topic === undefined || topic.waiting.size === 0) return
    for (const subscription of topic.waiting) subscription.hold(message)
  }

  #subscriptionCount(): number {
    let count = 0
    for (const { subscriptions } of this.#connections) count += subscriptions.size
    return count
  }
}

// Opens the channels that have subscribers, and publishes their messages.
import type { SocketCode } from '@openvenue/wire/socket'
import type { Caller } from '../../identity/caller.ts'
import type { ChannelKind, Channels, Stream, StreamMessage } from '../streams/stream.ts'
import type { Broadcast } from './socket.ts'
import { type Subscription, snapshotRoom, type Topic } from './subscription.ts'

/** Time that a channel stays open after its last client has left, ms. */
export const LEFT_MS_MAX = 120_000
/** Channels that stay open without a client; the ones left first are closed beyond it. */
const LEFT_MAX = 4_096

type TopicsDeps = Readonly<{
  channels: Channels
  monotonicMs: () => number
  /** Counts a message sent to `receivers` clients. */
  sent: (text: string, receivers: number) => void
  failed: (error: unknown) => void
}>

export class Topics {
  readonly #deps: TopicsDeps
  readonly #topics = new Map<string, Topic>()
  /** Channels without clients, oldest first, with the time at which they close. */
  readonly #left = new Map<Topic, number>()
  readonly #broadcasts: Broadcast[] = []

  constructor(deps: TopicsDeps) {
    this.#deps = deps
  }

  /** Adds a transport. */
  serve(broadcast: Broadcast): void {
    this.#broadcasts.push(broadcast)
  }

  isPerBlock(name: string): boolean {
    return isPerBlockKind(this.#deps.channels.find(name))
  }

  /** Returns a channel, opening it if necessary; or the code of a refusal. */
  open(name: string, caller: Caller | undefined): Topic | SocketCode {
    const kind = this.#deps.channels.find(name)
    if (kind === undefined) return 'CHANNEL_NOT_FOUND'
    const owner = kind.isPrivate ? caller : undefined
    if (kind.isPrivate && owner === undefined) return 'AUTH_REQUIRED'
    if (owner !== undefined && !owner.key.scopes.includes('read')) return 'SCOPE_MISSING'
    const room = owner === undefined ? `#${name}` : `#${name} ${owner.account}`
    const existing = this.#topics.get(room)
    if (existing !== undefined) {
      this.#left.delete(existing)
      return existing
    }
    try {
      const stream = this.#stream(kind, room, owner)
      const listeners = { subscriptions: new Set<Subscription>(), waiting: new Set<Subscription>() }
      const { isPrivate } = kind
      const isPerBlock = isPerBlockKind(kind)
      const topic: Topic = { name, room, isPrivate, isPerBlock, stream, ...listeners }
      this.#topics.set(room, topic)
      return topic
    } catch (error) {
      this.#deps.failed(error)
      return 'CHANNEL_UNAVAILABLE'
    }
  }

  /**
   * Called when the last client has left a channel. The channel stays open for a while, so that a
   * client whose connection broke can resume even if it was the only one.
   */
  leave(topic: Topic): void {
    if (topic.stream.isResumed !== true) {
      this.close(topic)
      return
    }
    this.#left.set(topic, this.#deps.monotonicMs() + LEFT_MS_MAX)
    const [first] = this.#left.keys()
    if (this.#left.size > LEFT_MAX && first !== undefined) this.close(first)
  }

  /** Closes channels whose time without clients is over. */
  sweep(nowMs: number): void {
    for (const [topic, untilMs] of this.#left) {
      if (untilMs > nowMs) return
      this.close(topic)
    }
  }

  /** Closes a channel without subscribers. */
  close(topic: Topic): void {
    this.#left.delete(topic)
    this.#topics.delete(topic.room)
    topic.stream.close()
  }

  #stream(kind: ChannelKind, room: string, owner: Caller | undefined): Stream {
    const publish = (message: StreamMessage) => this.#publish(room, message)
    if (!kind.isPrivate) return kind.open(publish)
    if (owner === undefined) throw new Error('a private channel belongs to an account')
    return kind.open(owner, publish)
  }

  #publish(room: string, message: StreamMessage): void {
    const topic = this.#topics.get(room)
    const isForSome = message.isSnapshot && topic?.stream.carriesEvents === true
    const to = isForSome ? snapshotRoom(room) : room
    for (const broadcast of this.#broadcasts)
      this.#deps.sent(message.text, broadcast(to, message.text))
    if (topic === undefined || topic.waiting.size === 0) return
    for (const subscription of topic.waiting) subscription.hold(message)
  }
}

const isPerBlockKind = (kind: ChannelKind | undefined): boolean =>
  kind?.isPrivate === false && kind.isPerBlock === true

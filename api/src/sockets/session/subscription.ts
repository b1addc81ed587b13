// Channels with subscribers, and the subscription of each client.

import type { ReplayResult, Stream, StreamMessage } from '../streams/stream.ts'
import type { Socket } from './socket.ts'
import { WAITING_MAX } from './socket-limits.ts'

/** A channel that is open on this node; private channels are opened once per account. */
export type Topic = {
  readonly name: string
  readonly isPrivate: boolean
  readonly isPerBlock: boolean
  /** Room of its broadcasts. No connection id begins like it. */
  readonly room: string
  readonly stream: Stream
  readonly subscriptions: Set<Subscription>
  /** Subscriptions whose snapshot is being read. */
  readonly waiting: Set<Subscription>
}

/** The room for broadcast snapshots of a channel that carries events. */
export const snapshotRoom = (room: string): string => `${room} snapshots`

/** The client of a subscription. */
type Receiver = Readonly<{
  socket: Pick<Socket, 'join' | 'leave'>
  send: (text: string) => void
}>

/** The first messages that a client asks for. */
export type SubscriptionStart = Readonly<{
  /** The last `seq` that the client has; it gets the messages after it. */
  fromSeq?: number | undefined
  /** Undefined: yes for a state, no for events. */
  snapshot?: boolean | undefined
}>

/**
 * One client's subscription. It is `new` until the client has the reply; `live` while in the
 * topic's room; `waiting` while its snapshot is read from the database; `paused` while the client
 * has too much unread data: then a snapshot comes before anything else.
 */
export class Subscription {
  readonly topic: Topic
  readonly #receiver: Receiver
  #state: 'new' | 'paused' | 'waiting' | 'live' | 'closed' = 'new'
  readonly #fromSeq: number | undefined
  #takesSnapshot: boolean
  /** Missed messages that have not been sent yet. */
  #missed: readonly StreamMessage[] | undefined
  /** True when held messages may also be among the missed ones. */
  #isMissedLate = false
  #isGap = false
  #held: StreamMessage[] = []
  /** More was published than may be held: the snapshot must be read again. */
  #isOverheld = false
  /** Number of the latest snapshot request; answers to earlier ones are ignored. */
  #attempt = 0

  constructor(receiver: Receiver, topic: Topic, { fromSeq, snapshot }: SubscriptionStart) {
    this.topic = topic
    this.#receiver = receiver
    this.#fromSeq = fromSeq
    this.#takesSnapshot = snapshot ?? !topic.stream.carriesEvents
    topic.subscriptions.add(this)
  }

  get isPaused(): boolean {
    return this.#state === 'paused'
  }

  get isClosed(): boolean {
    return this.#state === 'closed'
  }

  /** Returns whether any message precedes those published from now on. */
  get hasFirst(): boolean {
    return this.#missed !== undefined || this.#takesSnapshot
  }

  /** The entries whose messages the client does not get; undefined: there is no gap. */
  get gap(): Readonly<{ channel: string; from_seq: number; to_seq: number }> | undefined {
    if (!this.#isGap || this.#fromSeq === undefined) return undefined
    const { name, stream } = this.topic
    return { channel: name, from_seq: this.#fromSeq, to_seq: stream.seq() }
  }

  /** Resolves when the reply can state how the subscription begins; undefined: at once. */
  ready(): Promise<void> | undefined {
    const { stream } = this.topic
    const fromSeq = this.#fromSeq
    if (fromSeq === undefined) return this.#takesSnapshot ? undefined : stream.ready?.()
    const replay = () => {
      // Messages published from here on wait until the client has the earlier ones.
      this.topic.waiting.add(this)
      const missed = stream.replay(fromSeq)
      this.#isMissedLate = missed instanceof Promise
      return missed instanceof Promise ? missed.then(take) : take(missed)
    }
    const take = (missed: ReplayResult): undefined => {
      this.#missed = missed
      this.#isGap = missed === undefined
      if (missed === undefined) this.#drop()
    }
    const reached = stream.reach?.(fromSeq)
    return reached === undefined ? replay() : reached.then(replay)
  }

  /** Called after the reply: the subscription can be started, now or when there is room. */
  admit(): void {
    if (this.#state === 'new') this.#state = 'paused'
  }

  /**
   * Sends the first messages and joins the room, with no await between the two. While a promised
   * snapshot is read, published messages are held. Returns the promise, if there is one.
   */
  start(): Promise<void> | undefined {
    const missed = this.#takeMissed()
    this.pause()
    // An interrupted state can only be restored with a snapshot.
    const takesSnapshot = this.#takesSnapshot
    this.#takesSnapshot ||= !this.topic.stream.carriesEvents
    const first = missed ?? (takesSnapshot ? this.topic.stream.snapshot() : [])
    if (!(first instanceof Promise)) {
      this.#send(first)
      this.#join()
      return undefined
    }
    this.#state = 'waiting'
    this.topic.waiting.add(this)
    const attempt = this.#attempt
    return first.then((messages) =>
      attempt === this.#attempt ? this.#release(messages) : undefined,
    )
  }

  /** Takes the subscription out of the room until the next start. */
  pause(): void {
    if (this.#state === 'new' || this.#state === 'closed') return
    if (this.#state === 'live') this.#leave()
    this.#state = 'paused'
    this.#attempt += 1
    this.#drop()
  }

  /** Pauses until a start with a snapshot. */
  resync(): void {
    this.#takesSnapshot = true
    this.pause()
  }

  /** Holds a message that is published while the snapshot is read. */
  hold(message: StreamMessage): void {
    if (this.#held.length < WAITING_MAX) this.#held.push(message)
    else this.#isOverheld = true
  }

  close(): void {
    this.pause()
    this.#drop()
    this.#state = 'closed'
    this.topic.subscriptions.delete(this)
  }

  /** Returns the missed messages, and those published since they were looked up. */
  #takeMissed(): readonly StreamMessage[] | undefined {
    const missed = this.#missed
    if (missed === undefined) return undefined
    if (this.#isOverheld) throw new Error('more was published than is held for a client')
    const newest = this.#isMissedLate ? newestSeq(missed) : -1
    return [...missed, ...this.#held.filter(({ seq }) => seq > newest)]
  }

  #drop(): void {
    this.topic.waiting.delete(this)
    this.#missed = undefined
    this.#held = []
    this.#isOverheld = false
  }

  #release(snapshot: readonly StreamMessage[]): Promise<void> | undefined {
    if (this.#isOverheld) return this.start()
    const newest = newestSeq(snapshot)
    this.#send(snapshot)
    this.#send(this.#held.filter(({ seq }) => seq > newest))
    this.#held = []
    this.topic.waiting.delete(this)
    this.#join()
    return undefined
  }

  #join(): void {
    const { room, stream } = this.topic
    this.#state = 'live'
    this.#receiver.socket.join(room)
    if (stream.carriesEvents && this.#takesSnapshot) this.#receiver.socket.join(snapshotRoom(room))
  }

  #leave(): void {
    const { room, stream } = this.topic
    this.#receiver.socket.leave(room)
    if (stream.carriesEvents) this.#receiver.socket.leave(snapshotRoom(room))
  }

  #send(messages: readonly StreamMessage[]): void {
    for (const { text } of messages) this.#receiver.send(text)
  }
}

const newestSeq = (messages: readonly StreamMessage[]) =>
  messages.reduce((newest, { seq }) => Math.max(newest, seq), -1)

// Keeps a channel that somebody listens to, and each client that does.

import type { Message, Replayed, Stream } from '../streams/stream.ts'
import type { Socket } from './socket.ts'
import { WAITING_MAX } from './socket-limits.ts'

/** A channel that is open on this node; a private one once for each account. */
export type Topic = {
  readonly name: string
  readonly isPrivate: boolean
  /** Where its messages are broadcast. No id of a connection begins like it. */
  readonly room: string
  readonly stream: Stream
  readonly subscriptions: Set<Subscription>
  /** Those whose snapshot is being read. */
  readonly waiting: Set<Subscription>
}

/** The room of those who take snapshots that everybody gets, of a channel that carries events. */
export const snapshotRoom = (room: string): string => `${room} snapshots`

/** The client of a subscription. */
type Receiver = Readonly<{
  socket: Pick<Socket, 'join' | 'leave'>
  send: (text: string) => void
}>

/** The first messages that a client asks for. */
export type Beginning = Readonly<{
  /** The last `seq` that it has: it gets what came after. */
  fromSeq?: number | undefined
  /** Undefined: of a state yes, of events no. */
  snapshot?: boolean | undefined
}>

/**
 * One client's subscription. It is `new` until the client has the reply; `live` in the topic's
 * room; `waiting` while the snapshot is read from the database; `paused` while the client has too
 * much unread: then it gets a snapshot before anything else.
 */
export class Subscription {
  readonly topic: Topic
  readonly #receiver: Receiver
  #state: 'new' | 'paused' | 'waiting' | 'live' | 'closed' = 'new'
  readonly #fromSeq: number | undefined
  #takesSnapshot: boolean
  /** What the client missed, until it is sent. */
  #missed: readonly Message[] | undefined
  /** Whether what is held may be among what the client missed. */
  #isMissedLate = false
  #isGap = false
  #held: Message[] = []
  /** More was published than is held: the snapshot must be taken again. */
  #isOverheld = false
  /** Which snapshot is awaited, of those that were asked for. */
  #attempt = 0

  constructor(receiver: Receiver, topic: Topic, { fromSeq, snapshot }: Beginning) {
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

  /** Whether something comes before what is published from now on. */
  get hasFirst(): boolean {
    return this.#missed !== undefined || this.#takesSnapshot
  }

  /** The entries whose messages the client lacks and does not get; undefined: there are none. */
  get gap(): Readonly<{ channel: string; from_seq: number; to_seq: number }> | undefined {
    if (!this.#isGap || this.#fromSeq === undefined) return undefined
    const { name, stream } = this.topic
    return { channel: name, from_seq: this.#fromSeq, to_seq: stream.seq() }
  }

  /** Resolves when the reply can say how the subscription begins; undefined: at once. */
  ready(): Promise<void> | undefined {
    const { stream } = this.topic
    const fromSeq = this.#fromSeq
    if (fromSeq === undefined) return this.#takesSnapshot ? undefined : stream.ready?.()
    const replay = () => {
      // What is published from here on waits until the client has what came before.
      this.topic.waiting.add(this)
      const missed = stream.replay(fromSeq)
      this.#isMissedLate = missed instanceof Promise
      return missed instanceof Promise ? missed.then(take) : take(missed)
    }
    const take = (missed: Replayed): undefined => {
      this.#missed = missed
      this.#isGap = missed === undefined
      if (missed === undefined) this.#drop()
    }
    const reached = stream.reach?.(fromSeq)
    return reached === undefined ? replay() : reached.then(replay)
  }

  /** The client has the reply: the subscription can be started, now or when there is room. */
  admit(): void {
    if (this.#state === 'new') this.#state = 'paused'
  }

  /**
   * Sends what a listener gets first and joins the room, with no wait between the two; where the
   * snapshot is promised, what is published meanwhile is held. Returns the promise, if there is
   * one.
   */
  start(): Promise<void> | undefined {
    const missed = this.#takeMissed()
    this.pause()
    // A state that is interrupted from now on is whole again only with a snapshot.
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

  /** Takes what is published while the snapshot is read. */
  hold(message: Message): void {
    if (this.#held.length < WAITING_MAX) this.#held.push(message)
    else this.#isOverheld = true
  }

  close(): void {
    this.pause()
    this.#drop()
    this.#state = 'closed'
    this.topic.subscriptions.delete(this)
  }

  /** Returns what the client missed, and what was published since that was looked for. */
  #takeMissed(): readonly Message[] | undefined {
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

  #release(snapshot: readonly Message[]): Promise<void> | undefined {
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

  #send(messages: readonly Message[]): void {
    for (const { text } of messages) this.#receiver.send(text)
  }
}

const newestSeq = (messages: readonly Message[]) =>
  messages.reduce((newest, { seq }) => Math.max(newest, seq), -1)

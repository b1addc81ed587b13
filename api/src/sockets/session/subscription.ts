// Keeps a channel that somebody listens to, and each client that does.

import type { Message, Stream } from '../streams/stream.ts'
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
  /** Undefined: of a state yes, of events only where what came after `fromSeq` is held no more. */
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
  #fromSeq: number | undefined
  #takesSnapshot: boolean
  #held: Message[] = []
  /** More was published than is held: the snapshot must be taken again. */
  #isOverheld = false
  /** Which snapshot is awaited, of those that were asked for. */
  #attempt = 0

  constructor(receiver: Receiver, topic: Topic, { fromSeq, snapshot }: Beginning) {
    this.topic = topic
    this.#receiver = receiver
    this.#fromSeq = fromSeq
    this.#takesSnapshot = snapshot ?? (fromSeq !== undefined || !topic.stream.carriesEvents)
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
    return this.#takesSnapshot || this.#fromSeq !== undefined
  }

  /** Resolves when nothing after it is missed without a snapshot; undefined: at once. */
  ready(): Promise<void> | undefined {
    return this.#takesSnapshot ? undefined : this.topic.stream.ready?.()
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
    this.pause()
    const first = this.#first()
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
    this.topic.waiting.delete(this)
    this.#state = 'paused'
    this.#attempt += 1
    this.#held = []
    this.#isOverheld = false
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
    this.#state = 'closed'
    this.topic.subscriptions.delete(this)
  }

  #first(): readonly Message[] | Promise<readonly Message[]> {
    const { stream } = this.topic
    const [fromSeq, takesSnapshot] = [this.#fromSeq, this.#takesSnapshot]
    this.#fromSeq = undefined
    // A state that is interrupted from now on is whole again only with a snapshot.
    this.#takesSnapshot ||= !stream.carriesEvents
    const replay = fromSeq === undefined ? undefined : stream.replay(fromSeq)
    return replay ?? (takesSnapshot ? stream.snapshot() : [])
  }

  #release(snapshot: readonly Message[]): Promise<void> | undefined {
    if (this.#isOverheld) return this.start()
    const newest = Math.max(-1, ...snapshot.map(({ seq }) => seq))
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

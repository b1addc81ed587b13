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

/** The client of a subscription. */
type Receiver = Readonly<{
  socket: Pick<Socket, 'join' | 'leave'>
  send: (text: string) => void
}>

/**
 * One client's subscription. It is `live` in the topic's room; `waiting` while the snapshot is
 * read from the database; `paused` while the client has too much unread: then it gets a snapshot
 * before anything else.
 */
export class Subscription {
  readonly topic: Topic
  readonly #receiver: Receiver
  #state: 'paused' | 'waiting' | 'live' | 'closed' = 'paused'
  #fromSeq: number | undefined
  #held: Message[] = []
  /** More was published than is held: the snapshot must be taken again. */
  #isOverheld = false
  /** Which snapshot is awaited, of those that were asked for. */
  #attempt = 0

  constructor(receiver: Receiver, topic: Topic, fromSeq: number | undefined) {
    this.topic = topic
    this.#receiver = receiver
    this.#fromSeq = fromSeq
    topic.subscriptions.add(this)
  }

  get isPaused(): boolean {
    return this.#state === 'paused'
  }

  /**
   * Sends what a listener gets first and joins the room, with no wait between the two; where the
   * snapshot is promised, what is published meanwhile is held. Returns the promise, if there is
   * one.
   */
  start(): Promise<void> | undefined {
    const { stream, room } = this.topic
    this.pause()
    const fromSeq = this.#fromSeq
    this.#fromSeq = undefined
    const first = (fromSeq === undefined ? undefined : stream.replay(fromSeq)) ?? stream.snapshot()
    if (!(first instanceof Promise)) {
      this.#send(first)
      this.#state = 'live'
      this.#receiver.socket.join(room)
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
    if (this.#state === 'live') this.#receiver.socket.leave(this.topic.room)
    this.topic.waiting.delete(this)
    this.#state = 'paused'
    this.#attempt += 1
    this.#held = []
    this.#isOverheld = false
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

  #release(snapshot: readonly Message[]): Promise<void> | undefined {
    if (this.#isOverheld) return this.start()
    const newest = Math.max(-1, ...snapshot.map(({ seq }) => seq))
    this.#send(snapshot)
    this.#send(this.#held.filter(({ seq }) => seq > newest))
    this.#held = []
    this.topic.waiting.delete(this)
    this.#state = 'live'
    this.#receiver.socket.join(this.topic.room)
    return undefined
  }

  #send(messages: readonly Message[]): void {
    for (const { text } of messages) this.#receiver.send(text)
  }
}

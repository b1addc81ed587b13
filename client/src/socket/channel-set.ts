// Maintains the subscriptions of a connection: starts them, resumes them where they ended, and
// repairs gaps between messages.
import { ConnectionError, InvalidRequestError, RefusedError } from '../errors.ts'
import { backoffMs } from './backoff.ts'
import { carriesEvents, isPrivate } from './channel-names.ts'
import { Cursor, type Message } from './cursor.ts'
import { type Link, type Reply, refusalOfReply } from './link.ts'

/** A channel without a repair for this long is repaired at once, otherwise after a backoff. */
const WELL_MS = 10_000
/** Maximum channels per operation: a connection may start about a thousand per second. */
const CHANNELS_PER_OPERATION = 500

/** Number of notification ids kept per channel to detect duplicates. */
const NOTIFICATIONS_KNOWN_MAX = 1_000

/** Messages of a channel that the venue no longer has, and which are not delivered. */
export type Gap = Readonly<{
  channel: string
  /** Sequence number of the last message that was delivered. */
  fromSeq: number
  /** Sequence number at which the channel continues. */
  toSeq: number
  /** Block of the last message that was delivered; undefined if there was none. */
  blockNumber: number | undefined
}>

/** Callbacks of a channel, called synchronously and in order. */
export type Listener = Readonly<{
  /** Called with the next message. */
  onMessage: (message: Message) => void
  /** Called if messages are missing before the next one: read them over REST. */
  onGap?: ((gap: Gap) => void) | undefined
  /** Called when the subscription has ended and is not resumed. */
  onError: (error: unknown) => void
}>

/** Where to start in a channel. */
export type ListenOptions = Readonly<{
  /** Sequence number of the last known message: later messages are delivered first. */
  fromSeq?: number
  /** Starts with a snapshot if true. Default: true for states, false for events. */
  snapshot?: boolean
}>

type Channel = {
  readonly name: string
  readonly snapshot: boolean | undefined
  readonly cursor: Cursor
  readonly listeners: Set<Listener>
  /** Block of the last message. */
  blockNumber: number | undefined
  /** Ids of notifications, oldest first. */
  readonly knownIds: Set<string>
  /** True while the channel is subscribed and the venue has not ended the subscription. */
  isOpen: boolean
  /** Number of consecutive failures to read the channel. */
  failures: number
  /** Number of repairs in quick succession, and the time of the last one in milliseconds. */
  repairs: number
  repairedMs: number
}

type ChannelSetDeps = Readonly<{
  /** Resolves after `ms`; rejects once the socket is closed. */
  delay: (ms: number) => Promise<void>
  random: () => number
  /** Called with every gap, in addition to the listeners of the channel. */
  onGap: (gap: Gap) => void
}>

export class ChannelSet {
  readonly #deps: ChannelSetDeps
  readonly #channels = new Map<string, Channel>()
  /** Channels to subscribe to. */
  readonly #wanted = new Set<Channel>()
  /** Names to unsubscribe, before any subscription: a subscribed channel does not restart. */
  readonly #leaving = new Set<string>()
  #link: Link | undefined
  #isWorking = false

  constructor(deps: ChannelSetDeps) {
    this.#deps = deps
  }

  /** Adds a listener to a channel; returns a function that removes it. */
  add(name: string, listener: Listener, { fromSeq, snapshot }: ListenOptions): () => void {
    const existing = this.#channels.get(name)
    const channel = existing ?? newChannel(name, snapshot)
    channel.listeners.add(listener)
    if (existing === undefined) {
      if (fromSeq !== undefined) channel.cursor.begin(fromSeq)
      this.#channels.set(name, channel)
      this.#want(channel)
    } else if (!carriesEvents(name) || snapshot === true) {
      // A later listener needs the state too.
      channel.cursor.lose()
      if (channel.isOpen) this.#resubscribe(channel)
    }
    return () => this.#remove(channel, listener)
  }

  /** Restarts a channel with a snapshot. */
  restart(name: string): void {
    const channel = this.#channels.get(name)
    channel?.cursor.lose()
    if (channel?.isOpen === true) this.#repair(channel)
  }

  /** Continues over a new connection. */
  open(link: Link): void {
    this.#link = link
    this.#leaving.clear()
    for (const channel of this.#channels.values()) this.#want(channel)
  }

  /** Marks all channels as closed after the connection is lost. */
  lose(): void {
    this.#link = undefined
    for (const channel of this.#channels.values()) channel.isOpen = false
  }

  /** Ends the private channels, because the key is no longer valid. */
  failPrivate(error: unknown): void {
    for (const channel of [...this.#channels.values()])
      if (isPrivate(channel.name)) this.#fail(channel, error)
  }

  /** Ends all channels. */
  failAll(error: unknown): void {
    for (const channel of [...this.#channels.values()]) this.#fail(channel, error)
  }

  /** Handles a message of a channel. */
  take(message: Message): void {
    const channel = this.#channels.get(message.channel)
    if (channel === undefined || !channel.isOpen) return
    const verdict = isWhole(message) ? channel.cursor.take(message) : 'gap'
    if (verdict === 'gap') this.#repair(channel)
    if (verdict !== 'new') return
    channel.failures = 0
    channel.blockNumber = message.block_number
    if (isKnown(channel, message)) return
    for (const listener of [...channel.listeners]) listener.onMessage(message)
  }

  /** Handles the end of a subscription that the venue cannot serve now. */
  unavailable(name: string): void {
    const channel = this.#channels.get(name)
    if (channel === undefined) return
    channel.isOpen = false
    this.#later(channel)
  }

  #remove(channel: Channel, listener: Listener): void {
    channel.listeners.delete(listener)
    if (channel.listeners.size > 0 || this.#channels.get(channel.name) !== channel) return
    this.#forget(channel)
    if (channel.isOpen) this.#unsubscribe(channel)
  }

  #forget(channel: Channel): void {
    this.#channels.delete(channel.name)
    this.#wanted.delete(channel)
  }

  #fail(channel: Channel, error: unknown): void {
    this.#forget(channel)
    for (const listener of [...channel.listeners]) listener.onError(error)
  }

  /** Backs off when repairs repeat, so as not to hammer a venue that keeps sending bad data. */
  #repair(channel: Channel): void {
    const nowMs = performance.now()
    channel.repairs = nowMs - channel.repairedMs < WELL_MS ? channel.repairs + 1 : 0
    channel.repairedMs = nowMs
    this.#unsubscribe(channel)
    if (channel.repairs === 0) this.#want(channel)
    else this.#after(channel, channel.repairs)
  }

  /** Unsubscribes first, because subscribing to a subscribed channel has no effect. */
  #resubscribe(channel: Channel): void {
    this.#unsubscribe(channel)
    this.#want(channel)
  }

  #unsubscribe(channel: Channel): void {
    channel.isOpen = false
    this.#leaving.add(channel.name)
    this.#work()
  }

  #want(channel: Channel): void {
    this.#wanted.add(channel)
    this.#work()
  }

  /** Batches all changes of one turn of the event loop into one operation. */
  #work(): void {
    if (this.#isWorking || this.#link === undefined) return
    this.#isWorking = true
    queueMicrotask(() => {
      void this.#workAll().finally(() => {
        this.#isWorking = false
        if (this.#hasWork) this.#work()
      })
    })
  }

  get #hasWork(): boolean {
    return this.#leaving.size > 0 || this.#wanted.size > 0
  }

  async #workAll(): Promise<void> {
    while (this.#hasWork) {
      const link = this.#link
      if (link === undefined) return
      try {
        if (this.#leaving.size > 0) await this.#leave(link)
        else await this.#subscribe(link, [...this.#wanted].slice(0, CHANNELS_PER_OPERATION))
      } catch (error) {
        // Repeated over the next connection, or after the wait that the venue asks for.
        if (error instanceof ConnectionError) return
        if (!(error instanceof RefusedError)) throw error
        const waitMs = error.retryAfterMs ?? backoffMs(1, this.#deps.random)
        // Rejects when the socket closes; nothing is sent after that.
        await this.#deps.delay(waitMs).catch(() => {})
      }
    }
  }

  async #leave(link: Link): Promise<void> {
    const names = [...this.#leaving].slice(0, CHANNELS_PER_OPERATION)
    const reply = await link.exchange('unsubscribe', names)
    // An error without rejected names: nothing was performed. Rejected names were not subscribed.
    if (reply.error !== undefined && reply.rejected === undefined)
      throw refusalOfReply(reply, reply.error)
    if (link === this.#link) for (const name of names) this.#leaving.delete(name)
  }

  async #subscribe(link: Link, channels: readonly Channel[]): Promise<void> {
    for (const channel of channels) {
      this.#wanted.delete(channel)
      channel.isOpen = true
    }
    const data = channels.map(({ name, cursor: { fromSeq }, snapshot }) => ({
      channel: name,
      ...(fromSeq !== undefined && { from_seq: fromSeq }),
      // Missed events do not return in a snapshot: their gap is reported instead.
      ...(snapshot !== undefined &&
        !(fromSeq !== undefined && carriesEvents(name)) && { snapshot }),
    }))
    let reply: Reply
    try {
      reply = await link.exchange('subscribe', data)
    } catch (error) {
      this.#putBack(channels)
      throw error
    }
    const rejected = reply.rejected as readonly RejectedChannel[] | undefined
    if (reply.error !== undefined && rejected === undefined) {
      this.#putBack(channels)
      const error = refusalOfReply(reply, reply.error)
      if (!(error instanceof InvalidRequestError)) throw error
      // One invalid name has the whole operation refused: retry one by one, to spare the others.
      if (channels.length === 1) return this.#fail(channels[0] as Channel, error)
      for (const channel of channels) await this.#subscribe(link, [channel])
      return
    }
    this.#report(reply.gaps as readonly RefusedRange[] | undefined)
    this.#begin(reply.seqs as Readonly<Record<string, number>> | undefined)
    for (const { channel, code } of rejected ?? []) this.#reject(channel, code, reply)
  }

  #putBack(channels: readonly Channel[]): void {
    for (const channel of channels) {
      channel.isOpen = false
      if (this.#channels.get(channel.name) === channel) this.#wanted.add(channel)
    }
  }

  /** Some channels start without a message: the next one follows these sequence numbers. */
  #begin(seqs: Readonly<Record<string, number>> = {}): void {
    for (const [name, seq] of Object.entries(seqs)) this.#channels.get(name)?.cursor.begin(seq)
  }

  /** Reports messages that the venue no longer has. */
  #report(gaps: readonly RefusedRange[] = []): void {
    for (const { channel: name, from_seq: fromSeq, to_seq: toSeq } of gaps) {
      const channel = this.#channels.get(name)
      if (channel === undefined) continue
      const { blockNumber } = channel
      // A channel with a state continues with a snapshot: nothing before it is new.
      if (!carriesEvents(name)) channel.cursor.lose()
      const gap = { channel: name, fromSeq, toSeq, blockNumber }
      this.#deps.onGap(gap)
      for (const { onGap } of [...channel.listeners]) onGap?.(gap)
    }
  }

  #reject(name: string, code: string, reply: Reply): void {
    const channel = this.#channels.get(name)
    if (channel === undefined) return
    channel.isOpen = false
    if (code === 'CHANNEL_UNAVAILABLE') this.#later(channel)
    else this.#fail(channel, refusalOfReply({ ...reply, data: { message: name } }, code))
  }

  #later(channel: Channel): void {
    channel.failures += 1
    this.#after(channel, channel.failures)
  }

  /** Retries a channel after the backoff of that attempt. */
  #after(channel: Channel, attempt: number): void {
    const { delay, random } = this.#deps
    delay(backoffMs(attempt, random)).then(
      () => {
        const isCurrent = this.#channels.get(channel.name) === channel
        if (isCurrent && !channel.isOpen) this.#want(channel)
      },
      () => {},
    )
  }
}

type RefusedRange = Readonly<{ channel: string; from_seq: number; to_seq: number }>
type RejectedChannel = Readonly<{ channel: string; code: string }>

const newChannel = (name: string, snapshot: boolean | undefined): Channel => ({
  name,
  snapshot,
  cursor: new Cursor(),
  listeners: new Set(),
  blockNumber: undefined,
  knownIds: new Set(),
  isOpen: false,
  failures: 0,
  repairs: 0,
  repairedMs: -WELL_MS,
})

/** Returns whether it is a duplicate notification: off-chain ones have no sequence number. */
function isKnown({ name, knownIds }: Channel, { type, data }: Message): boolean {
  if (name !== 'notifications' || type !== 'update') return false
  const { id } = data as Readonly<{ id: string }>
  if (knownIds.has(id)) return true
  knownIds.add(id)
  const [oldest] = knownIds
  if (knownIds.size > NOTIFICATIONS_KNOWN_MAX && oldest !== undefined) knownIds.delete(oldest)
  return false
}

/** Returns whether a message has the fields by which its sequence is followed. */
const isWhole = ({ seq, prev_seq, data }: Message): boolean =>
  Number.isInteger(seq) &&
  (prev_seq === null || Number.isInteger(prev_seq)) &&
  typeof data === 'object' &&
  data !== null

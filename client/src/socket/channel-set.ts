// Keeps the subscriptions of a connection: begins them, takes them up again where they ended, and
// repairs what is missing between two messages.
import { ConnectionError, RefusedError } from '../errors.ts'
import { backoffMs } from './backoff.ts'
import { carriesEvents, isPrivate } from './channel-names.ts'
import { Cursor, type Message } from './cursor.ts'
import { type Link, type Reply, refusalOfReply } from './link.ts'

/** A channel that was well for so long is repaired at once; one that was not, after a while. */
const WELL_MS = 10_000
/** Channels of one operation: a connection may begin about a thousand a second. */
const CHANNELS_PER_OPERATION = 500

/** Ids of notifications of a channel by which one that comes twice is known. */
const NOTIFICATIONS_KNOWN_MAX = 1_000

/** Messages of a channel that the venue no longer has: they are not delivered. */
export type Gap = Readonly<{
  channel: string
  /** The entry of the last message that was delivered. */
  fromSeq: number
  /** The entry where the channel goes on. */
  toSeq: number
  /** The block of the last message that was delivered; undefined: there was none. */
  blockNumber: number | undefined
}>

/** Who hears of a channel, at once and in order. */
export type Listener = Readonly<{
  /** Takes the next message. */
  onMessage: (message: Message) => void
  /** Messages are missing before the next one: read them over REST. */
  onGap?: ((gap: Gap) => void) | undefined
  /** The subscription has ended, and is not taken up again. */
  onError: (error: unknown) => void
}>

/** Where to begin with a channel. */
export type ListenOptions = Readonly<{
  /** Begin after this entry, the last that is known: what is missed since comes first. */
  fromSeq?: number
  /** Whether a snapshot comes first. Default: of states yes, of events no. */
  snapshot?: boolean
}>

type Channel = {
  readonly name: string
  readonly snapshot: boolean | undefined
  readonly cursor: Cursor
  readonly listeners: Set<Listener>
  /** The block of the last message. */
  blockNumber: number | undefined
  /** Ids of notifications, the oldest first. */
  readonly known: Set<string>
  /** Whether the venue was asked for it and has not taken it away since. */
  isOpen: boolean
  /** Times in a row that it could not be read. */
  failures: number
  /** Repairs, each soon after the one before; and when the last one was. Milliseconds. */
  repairs: number
  repairedMs: number
}

export type ChannelSetDeps = Readonly<{
  /** Resolves after so long; rejects once the socket is closed. */
  delay: (ms: number) => Promise<void>
  random: () => number
  /** Hears of every gap, beside the listeners of its channel. */
  onGap: (gap: Gap) => void
}>

export class ChannelSet {
  readonly #deps: ChannelSetDeps
  readonly #channels = new Map<string, Channel>()
  /** To be subscribed to. */
  readonly #wanted = new Set<Channel>()
  /** Names to be left, before any is entered: one that is subscribed to begins nothing anew. */
  readonly #leaving = new Set<string>()
  #link: Link | undefined
  #isWorking = false

  constructor(deps: ChannelSetDeps) {
    this.#deps = deps
  }

  /** Adds a listener to a channel; returns what takes it away. */
  add(name: string, listener: Listener, { fromSeq, snapshot }: ListenOptions): () => void {
    const known = this.#channels.get(name)
    const channel = known ?? newChannel(name, snapshot)
    channel.listeners.add(listener)
    if (known === undefined) {
      if (fromSeq !== undefined) channel.cursor.begin(fromSeq)
      this.#channels.set(name, channel)
      this.#want(channel)
    } else if (!carriesEvents(name) || snapshot === true) {
      // Whoever comes later needs the state, too.
      channel.cursor.lose()
      if (channel.isOpen) this.#resubscribe(channel)
    }
    return () => this.#remove(channel, listener)
  }

  /** Begins a channel anew, with a snapshot. */
  restart(name: string): void {
    const channel = this.#channels.get(name)
    channel?.cursor.lose()
    if (channel?.isOpen === true) this.#repair(channel)
  }

  /** Goes on over a connection that has just been made. */
  open(link: Link): void {
    this.#link = link
    this.#leaving.clear()
    for (const channel of this.#channels.values()) this.#want(channel)
  }

  /** The connection is lost. */
  lose(): void {
    this.#link = undefined
    for (const channel of this.#channels.values()) channel.isOpen = false
  }

  /** Ends the private channels: the key is no longer good. */
  failPrivate(error: unknown): void {
    for (const channel of [...this.#channels.values()])
      if (isPrivate(channel.name)) this.#fail(channel, error)
  }

  /** Ends all. */
  failAll(error: unknown): void {
    for (const channel of [...this.#channels.values()]) this.#fail(channel, error)
  }

  /** Takes a message of a channel. */
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

  /** The venue has ended a subscription that it cannot read now. */
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

  /** A venue that is wrong again and again is not asked again and again at once. */
  #repair(channel: Channel): void {
    const nowMs = performance.now()
    channel.repairs = nowMs - channel.repairedMs < WELL_MS ? channel.repairs + 1 : 0
    channel.repairedMs = nowMs
    this.#unsubscribe(channel)
    if (channel.repairs === 0) this.#want(channel)
    else this.#after(channel, channel.repairs)
  }

  /** Subscribed to twice, a channel changes nothing: it is left before it is entered again. */
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

  /** All that is wanted in one turn of the program is one operation. */
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
        // It is done again over the next connection, or after the wait that the venue asks for.
        if (error instanceof ConnectionError) return
        if (!(error instanceof RefusedError)) throw error
        await this.#deps.delay(error.retryAfterMs ?? backoffMs(1, this.#deps.random))
      }
    }
  }

  async #leave(link: Link): Promise<void> {
    const names = [...this.#leaving].slice(0, CHANNELS_PER_OPERATION)
    const reply = await link.exchange('unsubscribe', names)
    // Where no names are rejected, it was not performed; those rejected were not subscribed to.
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
      // Old events do not come again as a snapshot where they are missed: the gap is reported.
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
    const rejected = reply.rejected as readonly Rejected[] | undefined
    if (reply.error !== undefined && rejected === undefined) {
      this.#putBack(channels)
      throw refusalOfReply(reply, reply.error)
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

  /** Some begin without a message: what comes next follows on these entries. */
  #begin(seqs: Readonly<Record<string, number>> = {}): void {
    for (const [name, seq] of Object.entries(seqs)) this.#channels.get(name)?.cursor.begin(seq)
  }

  /** Reports messages that the venue no longer has. */
  #report(gaps: readonly RefusedRange[] = []): void {
    for (const { channel: name, from_seq: fromSeq, to_seq: toSeq } of gaps) {
      const channel = this.#channels.get(name)
      if (channel === undefined) continue
      const { blockNumber } = channel
      // A snapshot follows where the channel has a state: only that is new then.
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

  /** Asks for a channel after the wait of that attempt. */
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
type Rejected = Readonly<{ channel: string; code: string }>

const newChannel = (name: string, snapshot: boolean | undefined): Channel => ({
  name,
  snapshot,
  cursor: new Cursor(),
  listeners: new Set(),
  blockNumber: undefined,
  known: new Set(),
  isOpen: false,
  failures: 0,
  repairs: 0,
  repairedMs: -WELL_MS,
})

/** Whether it is a notification that came before: one off the chain has no entry of its own. */
function isKnown({ name, known }: Channel, { type, data }: Message): boolean {
  if (name !== 'notifications' || type !== 'update') return false
  const { id } = data as Readonly<{ id: string }>
  if (known.has(id)) return true
  known.add(id)
  const [oldest] = known
  if (known.size > NOTIFICATIONS_KNOWN_MAX && oldest !== undefined) known.delete(oldest)
  return false
}

/** Whether a message has what the sequence of a channel is held by. */
const isWhole = ({ seq, prev_seq, data }: Message): boolean =>
  Number.isInteger(seq) &&
  (prev_seq === null || Number.isInteger(prev_seq)) &&
  typeof data === 'object' &&
  data !== null

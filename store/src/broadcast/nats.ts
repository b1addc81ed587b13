// The message server: NATS with JetStream. One session at a time; after a failure, a new one is
// made from scratch, and meanwhile followers read the tables.
import { setTimeout as delay } from 'node:timers/promises'
import { NO_LOG, Outage, type OutageLog } from '@openvenue/runtime/outage'
import { type Broadcast, type MessageOutcome, OUTCOMES } from './broadcast.ts'
import {
  messageId,
  type Origin,
  openMessage,
  type StreamName,
  sealMessage,
  venueName,
} from './message.ts'
import { type NatsSession, openSession } from './nats-session.ts'

/** Maximum size of a body. For larger ones only the numbers are sent. */
const BODY_BYTES_MAX = 256 * 1024
/** Maximum number and size of unconfirmed messages. Beyond it, messages are dropped. */
const QUEUE_MESSAGES_MAX = 512
const QUEUE_BYTES_MAX = 16 * 1024 * 1024
/** Pause before a reconnection, doubled with each failure; up to half of it is added at random. */
const RETRY_MS_MIN = 250
const RETRY_MS_MAX = 5000
const STREAMS = ['feed', 'intents'] as const

const TEXTS = {
  down: 'no messages over NATS: followers read the database',
  up: 'messages over NATS again',
}

type Handler = Parameters<Broadcast['subscribe']>[1]
type Counts = Record<MessageOutcome, number>

/** Connects to the server of `url` in the background, and again whenever it is lost. */
export function openNats(url: string, log: OutageLog = NO_LOG): Broadcast {
  return new NatsBroadcast(url, log)
}

class NatsBroadcast implements Broadcast {
  readonly #url: string
  readonly #outage: Outage
  readonly #stopping = new AbortController()
  readonly #handlers = new Map<StreamName, Handler>()
  readonly #counts: Record<StreamName, Counts> = { feed: createCounts(), intents: createCounts() }
  readonly #identified = Promise.withResolvers<void>()
  readonly #ended: Promise<void>
  readonly #queued = { messages: 0, bytes: 0 }
  /** Streams whose last message from here was stored. */
  readonly #reliable = new Set<StreamName>()
  #origin: Origin | undefined
  #session: NatsSession | undefined
  #following: NatsSession | undefined

  constructor(url: string, log: OutageLog) {
    this.#url = url
    this.#outage = new Outage({ log, ...TEXTS })
    this.#ended = this.#run(log)
  }

  publish: Broadcast['publish'] = async (range, encode) => {
    const { stream } = range
    const isSent = await this.#send(range, encode)
    if (isSent) this.#reliable.add(stream)
    else this.#reliable.delete(stream)
    return isSent
  }

  isReliable: Broadcast['isReliable'] = (stream) =>
    this.#session !== undefined && this.#reliable.has(stream)

  subscribe: Broadcast['subscribe'] = (stream, onMessage) => {
    this.#handlers.set(stream, onMessage)
    if (this.#session !== undefined) void this.#follow(this.#session)
    return () => {
      if (this.#handlers.get(stream) === onMessage) this.#handlers.delete(stream)
    }
  }

  hasSession = () => this.#session !== undefined

  isConnected = () => this.#following !== undefined

  count: Broadcast['count'] = (stream, outcome) => {
    this.#counts[stream][outcome]++
  }

  counts: Broadcast['counts'] = (stream) => this.#counts[stream]

  setOrigin: Broadcast['setOrigin'] = (origin) => {
    const earlier = this.#origin
    this.#origin = origin
    this.#identified.resolve()
    // Another database has another stream.
    if (earlier !== undefined && earlier.key !== origin.key) void this.#session?.close()
  }

  close = async () => {
    this.#stopping.abort()
    this.#identified.resolve()
    this.#handlers.clear()
    await this.#session?.close()
    await this.#ended
  }

  async #run(log: OutageLog): Promise<void> {
    await this.#identified.promise
    const { signal } = this.#stopping
    let pauseMs = RETRY_MS_MIN
    while (!signal.aborted) {
      try {
        const session = await this.#connect(log)
        pauseMs = RETRY_MS_MIN
        await session.ended
        if (!signal.aborted) this.#outage.failed('the connection was lost')
      } catch (error) {
        this.#outage.failed(error instanceof Error ? error.message : String(error))
        pauseMs = Math.min(pauseMs * 2, RETRY_MS_MAX)
      }
      await this.#drop()
      const pause = pauseMs * (1 + Math.random() / 2)
      await delay(pause, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #connect(log: OutageLog): Promise<NatsSession> {
    const origin = this.#origin as Origin
    const subjects = STREAMS.map((stream) => subjectOf(origin, stream))
    const session = await openSession(this.#url, `openvenue-${venueName(origin)}`, subjects)
    this.#session = session
    if (this.#stopping.signal.aborted) await session.close()
    if (this.#handlers.size > 0) await this.#follow(session)
    if (this.#outage.isDown) this.#outage.recovered()
    else log.info({}, 'messages over NATS')
    return session
  }

  async #drop(): Promise<void> {
    const session = this.#session
    this.#session = this.#following = undefined
    this.#reliable.clear()
    await session?.close()
  }

  /** Starts to receive. A session that cannot is ended, and followed by another. */
  async #follow(session: NatsSession): Promise<void> {
    try {
      await session.follow((subject, text) => this.#receive(subject, text))
      if (session === this.#session) this.#following = session
    } catch {
      await session.close()
    }
  }

  async #send(...[range, encode]: Parameters<Broadcast['publish']>): Promise<boolean> {
    const { stream } = range
    const [origin, session] = [this.#origin, this.#session]
    const { messages, bytes } = this.#queued
    const isFull = messages >= QUEUE_MESSAGES_MAX || bytes >= QUEUE_BYTES_MAX
    if (origin === undefined || session === undefined || isFull) {
      this.count(stream, 'dropped')
      return false
    }
    try {
      const body = encode()
      const isSmall = body !== undefined && Buffer.byteLength(body) <= BODY_BYTES_MAX
      const text = sealMessage(origin, { ...range, body: isSmall ? body : undefined })
      const sent = session.publish(subjectOf(origin, stream), text, messageId(text))
      return await this.#confirm(stream, text.length, sent)
    } catch {
      // The entries are committed, and followers read them.
      this.count(stream, 'dropped')
      return false
    }
  }

  #receive(subject: string, text: string): void {
    const origin = this.#origin as Origin
    const stream = STREAMS.find((name) => subject === subjectOf(origin, name))
    const handler = stream && this.#handlers.get(stream)
    if (handler) this.count(stream, handler(openMessage(origin, stream, text)))
  }

  async #confirm(stream: StreamName, bytes: number, sent: Promise<unknown>): Promise<boolean> {
    this.#queued.messages++
    this.#queued.bytes += bytes
    const isSent = await sent.then(
      () => true,
      () => false,
    )
    this.#queued.messages--
    this.#queued.bytes -= bytes
    this.count(stream, isSent ? 'published' : 'unconfirmed')
    return isSent
  }
}

const createCounts = () =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<MessageOutcome, number>

const subjectOf = (origin: Origin, stream: StreamName) => `openvenue.${venueName(origin)}.${stream}`

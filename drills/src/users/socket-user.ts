// A client of the sockets by docs/SOCKETS.md: it subscribes, tracks its channels, and resumes at
// the next node when its connection is lost or silent.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel, ChannelFrame } from './channel.ts'
import { type Connection, connect, type Transport } from './transport.ts'

const RECONNECT_MS = 300
const PING_MS = 1_000
/** Silence, including pings, after which a server counts as gone. */
const SILENCE_MS_MAX = 5_000
const AUTH_RETRY_MS = 500

type SocketUserOptions = Readonly<{
  transport: Transport
  /** Nodes, in the order in which they are tried. */
  apiUrls: readonly string[]
  key: string
  secret: string
  publicChannels: readonly Channel[]
  privateChannels: readonly Channel[]
}>

type SocketReply = Readonly<{
  id?: number
  error?: string
  /** Set with CHANNEL_UNAVAILABLE. */
  channel?: string
  data?: unknown
  rejected?: readonly Readonly<{ channel: string; code: string }>[]
}>

export class SocketUser {
  readonly #options: SocketUserOptions
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  #connection: Connection | undefined
  #receivedMs = 0
  #frameMs = performance.now()
  #silenceMs = 0
  #id = 0
  readonly #pending = new Map<number, (reply: SocketReply) => void>()
  reconnects = 0
  /** Number of refusals by code. */
  readonly refusals = new Map<string, number>()

  constructor(options: SocketUserOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  get transport(): Transport {
    return this.#options.transport
  }

  get channels(): readonly Channel[] {
    return [...this.#options.publicChannels, ...this.#options.privateChannels]
  }

  /** Returns the longest time without a message of any channel, including the current one. */
  silenceMs(): number {
    return Math.max(this.#silenceMs, performance.now() - this.#frameMs)
  }

  recount(): void {
    this.reconnects = 0
    this.#silenceMs = 0
    this.#frameMs = performance.now()
    this.refusals.clear()
    for (const channel of this.channels) channel.recount()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#connection?.close()
    await this.#running
  }

  async #run(): Promise<void> {
    const { apiUrls } = this.#options
    const { signal } = this.#stopping
    for (let attempt = 0; !signal.aborted; attempt++) {
      await this.#runConnection(apiUrls[attempt % apiUrls.length] ?? '')
      this.reconnects += 1
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Resolves when the connection has ended. */
  async #runConnection(apiUrl: string): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    this.#receivedMs = performance.now()
    const connection = connect(this.#options.transport, apiUrl, {
      open: () => void this.#open(connection),
      message: (text) => this.#take(JSON.parse(text) as ChannelFrame & SocketReply),
      closed: resolve,
    })
    this.#connection = connection
    const beat = setInterval(() => {
      if (performance.now() - this.#receivedMs > SILENCE_MS_MAX) connection.close()
      else connection.send({ op: 'ping', id: ++this.#id })
    }, PING_MS)
    await over
    clearInterval(beat)
    this.#pending.clear()
  }

  async #open(connection: Connection): Promise<void> {
    const { publicChannels, privateChannels } = this.#options
    await this.#subscribe(connection, publicChannels)
    await this.#identify(connection)
    await this.#subscribe(connection, privateChannels)
  }

  async #identify(connection: Connection): Promise<void> {
    const { key, secret } = this.#options
    while (connection === this.#connection && !this.#stopping.signal.aborted) {
      const { error } = await this.#ask(connection, 'auth', { key, secret })
      if (error === undefined) return
      await sleep(AUTH_RETRY_MS)
    }
  }

  async #subscribe(connection: Connection, channels: readonly Channel[]): Promise<void> {
    let missing = channels
    while (missing.length > 0 && connection === this.#connection) {
      const data = missing.map((channel) => channel.resume())
      const reply = await this.#ask(connection, 'subscribe', data)
      const accepted = Array.isArray(reply.data) ? (reply.data as string[]) : []
      missing = missing.filter(({ name }) => !accepted.includes(name))
      if (missing.length === 0 || this.#stopping.signal.aborted) return
      await sleep(AUTH_RETRY_MS)
    }
  }

  /** Sends a request; unanswered ones end with the connection. */
  #ask(connection: Connection, op: string, data: unknown): Promise<SocketReply> {
    const id = ++this.#id
    const reply = new Promise<SocketReply>((resolve) => this.#pending.set(id, resolve))
    connection.send({ op, id, data })
    return reply
  }

  #take(message: ChannelFrame & SocketReply): void {
    this.#receivedMs = performance.now()
    if (message.error !== undefined) this.#count(message.error)
    if (message.id !== undefined) {
      this.#pending.get(message.id)?.(message)
      this.#pending.delete(message.id)
      // A refusal may name a channel, but is not a message of it.
    } else if (message.error !== undefined) this.#onError(message)
    else if (message.channel !== undefined) this.#takeFrame(message)
  }

  #takeFrame(frame: ChannelFrame): void {
    this.#silenceMs = this.silenceMs()
    this.#frameMs = performance.now()
    const channel = this.channels.find(({ name }) => name === frame.channel)
    if (channel?.take(frame) === 'gap')
      this.#connection?.send({ op: 'resync', id: ++this.#id, data: { channel: frame.channel } })
  }

  /** Handles unsolicited errors: the session has lost its identity or a channel. */
  #onError({ error = '', channel: name }: SocketReply): void {
    const connection = this.#connection
    if (connection === undefined) return
    if (error.startsWith('AUTH_')) {
      const again = this.#identify(connection)
      void again.then(() => this.#subscribe(connection, this.#options.privateChannels))
    } else if (error === 'CHANNEL_UNAVAILABLE') {
      const ended = this.channels.filter((channel) => channel.name === name)
      void sleep(AUTH_RETRY_MS).then(() => this.#subscribe(connection, ended))
    }
  }

  #count(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
  }
}

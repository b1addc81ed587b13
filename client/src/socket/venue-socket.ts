// Keeps a connection to the venue: connects again when it is lost, authenticates, and has every
// subscription taken up where it ended.
import { AuthError, ConnectionError } from '../errors.ts'
import { type ApiKey, isKey, RequestSigner } from '../hmac.ts'
import { checkInput, isAnything, isFunction, isText, type Members } from '../input.ts'
import { wait } from '../waiting.ts'
import { backoffMs } from './backoff.ts'
import { ChannelSet, type Gap, type Listener, type ListenOptions } from './channel-set.ts'
import type { ChannelMessage, ChannelName } from './channels.ts'
import type { Message } from './cursor.ts'
import { Link, type Reply, type Unasked } from './link.ts'
import { Mailbox, type Messages } from './mailbox.ts'
import { type WebSocketClass, webSocketClass } from './web-socket.ts'

/** A connection that lasted so long was a good one: the next attempt is a first one again. */
const GOOD_MS = 10_000
/** An operation waits so long for a connection. */
export const CONNECT_MS_MAX = 10_000
/** The venue would not have this key later, either. */
const KEY_REFUSED = new Set(['AUTH_INVALID', 'AUTH_EXPIRED', 'IP_NOT_ALLOWED', 'HMAC_NOT_OFFERED'])

/** What a socket does. `waiting`: the connection is lost, and the next attempt not made yet. */
export type SocketState = 'idle' | 'connecting' | 'open' | 'waiting' | 'closed'

/** Where the venue is, and how to connect to it. */
export type VenueSocketOptions = Readonly<{
  /** Of the API, with its path prefix if it has one: `https://api.example.org`. */
  url: string
  /** For private channels and orders. */
  apiKey?: ApiKey
  /** Where the platform has none: `WebSocket` of the npm package ws. */
  WebSocket?: WebSocketClass
  /** Closes the socket. */
  signal?: AbortSignal
  /** Hears of each change of the state, and of what caused it. */
  onState?: (state: SocketState, cause?: unknown) => void
  /**
   * Hears of messages that were missed and that the venue no longer has: read them over REST. Each
   * subscription goes on behind the gap.
   */
  onGap?: (gap: Gap) => void
  /** The clock of signatures, at most 30 s from the server's. */
  nowMs?: () => number
  /** In [0, 1): spreads the attempts to connect. */
  random?: () => number
}>

const OPTIONS: Members<VenueSocketOptions> = {
  url: isText,
  apiKey: [isKey],
  WebSocket: [isFunction],
  signal: [isAnything],
  onState: [isFunction],
  onGap: [isFunction],
  nowMs: [isFunction],
  random: [isFunction],
}

/** Connects with the first operation or subscription, and stays connected until `close`. */
export class VenueSocket {
  readonly #options: VenueSocketOptions
  readonly #class: WebSocketClass
  readonly #channels: ChannelSet
  readonly #closing = new AbortController()
  readonly #random: () => number
  #apiKey: ApiKey | undefined
  #signer: RequestSigner | undefined
  #state: SocketState = 'idle'
  #link: Link | undefined
  /** Those who wait for a connection. */
  readonly #waiting = new Set<(link: Link) => void>()
  /** When the venue asks not to come back sooner. Milliseconds. */
  #returnMs: number | undefined

  constructor(options: VenueSocketOptions) {
    checkInput(options, OPTIONS)
    this.#options = options
    this.#class = webSocketClass(options.WebSocket)
    this.#random = options.random ?? Math.random
    this.#useKey(options.apiKey)
    const delay = (ms: number) => wait(ms, this.#closing.signal)
    const onGap = (gap: Gap) => options.onGap?.(gap)
    this.#channels = new ChannelSet({ delay, random: this.#random, onGap })
    options.signal?.addEventListener('abort', () => this.close())
    if (options.signal?.aborted === true) this.close()
  }

  /** What it does now. */
  get state(): SocketState {
    return this.#state
  }

  /**
   * Reads a channel: `for await (const message of socket.subscribe('trades:ETH'))`. Leaving the
   * loop ends the subscription. Messages come in their order, none twice; after a loss what was
   * missed comes first. When that is too long ago `onGap` hears of it, and a state, such as a book
   * or the open orders, begins again with a snapshot.
   */
  subscribe<Name extends ChannelName>(
    channel: Name,
    { signal, ...options }: ListenOptions & Readonly<{ signal?: AbortSignal }> = {},
  ): Messages<ChannelMessage<Name>> {
    const abort = () => {
      stop()
      box.fail(signal?.reason)
    }
    const box = new Mailbox<ChannelMessage<Name>>(() => {
      signal?.removeEventListener('abort', abort)
      stop()
    })
    const onMessage = (message: Message) => box.push(message as ChannelMessage<Name>)
    const onError = (error: unknown) => box.fail(error)
    const stop = this.listen(channel, { onMessage, onError }, options)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted === true) abort()
    return box
  }

  /** Has a listener hear each message of a channel at once; returns what ends that. */
  listen(channel: string, listener: Listener, options: ListenOptions = {}): () => void {
    if (this.#state === 'closed') throw new ConnectionError('the socket is closed')
    this.#start()
    return this.#channels.add(channel, listener, options)
  }

  /** Has a channel begin anew with a snapshot, for all who listen to it. */
  resync(channel: string): void {
    this.#channels.restart(channel)
  }

  /**
   * Performs an operation and returns its reply. Waits for a connection at most 10 seconds. Throws
   * a `RefusedError`, or a `ConnectionError` when the connection ends before the answer: an order
   * may then be sent again as it is, since it is the same order.
   */
  async ask(op: string, data?: unknown, signal?: AbortSignal): Promise<Reply> {
    const link = await this.#connected(signal)
    return link.ask(op, data, signal)
  }

  /** Uses another key from now on. */
  async authenticate(apiKey: ApiKey, signal?: AbortSignal): Promise<void> {
    this.#useKey(apiKey)
    const link = await this.#connected(signal)
    await link.ask('auth', await this.#credentials(apiKey), signal)
  }

  /** Ends the connection and all subscriptions. */
  close(): void {
    if (this.#state === 'closed') return
    this.#closing.abort(new ConnectionError('the socket is closed'))
    this.#link?.end()
    this.#enter('closed')
    this.#channels.failAll(this.#closing.signal.reason)
  }

  #useKey(apiKey: ApiKey | undefined): void {
    const { nowMs } = this.#options
    this.#apiKey = apiKey
    this.#signer = apiKey?.signs === true ? new RequestSigner(apiKey, nowMs) : undefined
  }

  #enter(state: SocketState, cause?: unknown): void {
    if (this.#state === 'closed') return
    this.#state = state
    this.#options.onState?.(state, cause)
  }

  #start(): void {
    if (this.#state !== 'idle') return
    this.#enter('connecting')
    this.#run().catch((error) => {
      if (!this.#closing.signal.aborted) throw error
    })
  }

  /** Returns the connection, once there is one. */
  async #connected(signal?: AbortSignal): Promise<Link> {
    this.#closing.signal.throwIfAborted()
    this.#start()
    if (this.#link !== undefined) return this.#link
    const stopping = new AbortController()
    const stops = [stopping.signal, this.#closing.signal, ...(signal ? [signal] : [])]
    let resume: (link: Link) => void = () => {}
    const coming = new Promise<Link>((resolve) => {
      resume = resolve
    })
    this.#waiting.add(resume)
    try {
      return await Promise.race([coming, late(AbortSignal.any(stops))])
    } finally {
      this.#waiting.delete(resume)
      stopping.abort()
    }
  }

  async #run(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const startMs = performance.now()
      const cause = await this.#hold().catch((error: unknown) => error)
      this.#closing.signal.throwIfAborted()
      if (performance.now() - startMs > GOOD_MS) attempt = 0
      this.#enter('waiting', cause)
      const ms = this.#returnMs ?? backoffMs(attempt, this.#random)
      this.#returnMs = undefined
      await wait(ms, this.#closing.signal)
      this.#enter('connecting')
    }
  }

  /** Holds one connection until it ends. */
  async #hold(): Promise<unknown> {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const onUnasked = (message: Unasked) => this.#take(message, link)
    const socket = new this.#class(socketUrl(this.#options.url))
    const link: Link = await Link.open(socket, { onUnasked, onEnd: end }, this.#closing.signal)
    try {
      await this.#identify(link)
      this.#link = link
      this.#channels.open(link)
      this.#enter('open')
      for (const resume of this.#waiting) resume(link)
      await ended
      return new ConnectionError('the connection has ended')
    } finally {
      this.#link = undefined
      link.end()
      this.#channels.lose()
    }
  }

  async #identify(link: Link): Promise<void> {
    const apiKey = this.#apiKey
    if (apiKey === undefined) return
    try {
      await link.ask('auth', await this.#credentials(apiKey), this.#closing.signal)
    } catch (error) {
      if (!(error instanceof AuthError && KEY_REFUSED.has(error.code))) throw error
      this.#loseKey(error)
    }
  }

  async #credentials({ key, secret }: ApiKey): Promise<object> {
    return this.#signer === undefined ? { key, secret } : this.#signer.sign('ws', 'auth', '')
  }

  /** The venue does not take the key: what is public goes on. */
  #loseKey(error: unknown): void {
    this.#useKey(undefined)
    this.#channels.failPrivate(error)
  }

  #take(message: Unasked, link: Link): void {
    const { channel, error } = message
    if (error === undefined) {
      this.#channels.take(message as unknown as Message)
      return
    }
    if (typeof channel === 'string') {
      this.#channels.unavailable(channel)
      return
    }
    const { retryAfterMs } = (message.data ?? {}) as { retryAfterMs?: number }
    if (retryAfterMs !== undefined) this.#returnMs = retryAfterMs
    const reason = `${error}`
    if (KEY_REFUSED.has(reason)) this.#loseKey(new AuthError(reason, factsOf(reason)))
    // The key could not be looked up: another connection tries again, maybe at another node.
    else if (reason === 'AUTH_UNAVAILABLE') link.end()
  }
}

const factsOf = (code: string) => ({
  code,
  status: 0,
  details: [],
  requestId: undefined,
  retryAfterMs: undefined,
})

const socketUrl = (url: string): string => `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws`

/** Rejects after the time that an operation waits for a connection, or with the signal. */
async function late(signal: AbortSignal): Promise<never> {
  await wait(CONNECT_MS_MAX, signal)
  throw new ConnectionError(`no connection within ${CONNECT_MS_MAX / 1000} s`)
}

// Maintains a connection to the venue: reconnects, authenticates and resumes every subscription
// where it ended.
import { AuthError, ConnectionError } from '../errors.ts'
import { type ApiKey, isKey, RequestSigner } from '../hmac.ts'
import { checkInput, isAnything, isFunction, isText, type MemberChecks } from '../input.ts'
import { wait } from '../wait.ts'
import { ALIVE_ATTEMPTS_MAX, backoffMs, STABLE_MS } from './backoff.ts'
import { ChannelSet, type Gap, type Listener, type ListenOptions } from './channel-set.ts'
import type { ChannelMessage, ChannelName } from './channels.ts'
import type { Message } from './cursor.ts'
import { Link, type PushMessage, type Reply } from './link.ts'
import { Mailbox, type Messages } from './mailbox.ts'
import { type WebSocketClass, webSocketClass } from './web-socket.ts'

/** Time limit of an operation's wait for a connection. */
const CONNECT_MS_MAX = 10_000
/** Refusals of a key that are permanent. */
const KEY_REFUSED = new Set(['AUTH_INVALID', 'AUTH_EXPIRED', 'IP_NOT_ALLOWED', 'HMAC_NOT_OFFERED'])

/** State of a socket. `waiting`: the connection is lost and the next attempt is pending. */
export type SocketState = 'idle' | 'connecting' | 'open' | 'waiting' | 'closed'

/** Address of the venue and options of the connection. */
export type VenueSocketOptions = Readonly<{
  /** Base URL of the API, with its path prefix if any: `https://api.example.org`. */
  url: string
  /** Needed for private channels and orders. */
  apiKey?: ApiKey
  /** For platforms without one: `WebSocket` of the npm package ws. */
  WebSocket?: WebSocketClass
  /** Closes the socket. */
  signal?: AbortSignal
  /** Called with each change of the state and its cause. */
  onState?: (state: SocketState, cause?: unknown) => void
  /**
   * Called with messages that were missed and that the venue no longer has: read them over REST.
   * Each subscription continues after the gap.
   */
  onGap?: (gap: Gap) => void
  /** Clock for signatures, at most 30 s off the server's. */
  nowMs?: () => number
  /** Random number in [0, 1) that spreads reconnection attempts. */
  random?: () => number
}>

const OPTIONS: MemberChecks<VenueSocketOptions> = {
  url: isText,
  apiKey: [isKey],
  WebSocket: [isFunction],
  signal: [isAnything],
  onState: [isFunction],
  onGap: [isFunction],
  nowMs: [isFunction],
  random: [isFunction],
}

/** A socket that connects with the first operation or subscription and reconnects until `close`. */
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
  /** Failed connections since the last stable one. */
  #failures = 0
  /** Operations that wait for a connection. */
  readonly #waiting = new Set<(link: Link) => void>()
  /** Wait before reconnecting that the venue asked for. Milliseconds. */
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

  /** Current state. */
  get state(): SocketState {
    return this.#state
  }

  /**
   * Reads a channel: `for await (const message of socket.subscribe('trades:ETH'))`. Leaving the
   * loop ends the subscription. Messages arrive in order and without duplicates; missed ones are
   * delivered first after a reconnection. If the venue no longer has them, `onGap` is called, and a
   * channel with a state, such as a book or the open orders, restarts with a snapshot.
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

  /** Calls a listener with each message of a channel; returns a function that removes it. */
  listen(channel: string, listener: Listener, options: ListenOptions = {}): () => void {
    if (this.#state === 'closed') throw new ConnectionError('the socket is closed')
    this.#start()
    return this.#channels.add(channel, listener, options)
  }

  /** Restarts a channel with a snapshot for all of its listeners. */
  resync(channel: string): void {
    this.#channels.restart(channel)
  }

  /**
   * Sends an operation and returns its reply. Waits for a connection for up to 10 seconds. Throws a
   * `RefusedError`, or a `ConnectionError` if the connection ends before the answer: an order may
   * then be sent again unchanged, since it is the same order.
   */
  async ask(op: string, data?: unknown, signal?: AbortSignal): Promise<Reply> {
    const link = await this.#connected(signal)
    return link.ask(op, data, signal)
  }

  /** Authenticates with another key from now on. */
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

  /** Returns the connection as soon as there is one. */
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
    for (;;) {
      const cause = await this.#hold().catch((error: unknown) => error)
      this.#closing.signal.throwIfAborted()
      this.#enter('waiting', cause)
      const ms = this.#returnMs ?? backoffMs(this.#failures++, this.#random)
      this.#returnMs = undefined
      await wait(ms, this.#closing.signal)
      this.#enter('connecting')
    }
  }

  /** Opens one connection and returns when it has ended. */
  async #hold(): Promise<unknown> {
    let stable: ReturnType<typeof setTimeout> | undefined
    const onMessage = () => {
      if (stable !== undefined) return
      this.#failures = Math.min(this.#failures, ALIVE_ATTEMPTS_MAX)
      stable = setTimeout(() => {
        this.#failures = 0
      }, STABLE_MS)
    }
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const onUnasked = (message: PushMessage) => this.#take(message, link)
    const socket = new this.#class(socketUrl(this.#options.url))
    const events = { onUnasked, onMessage, onEnd: end }
    const link: Link = await Link.open(socket, events, this.#closing.signal)
    try {
      await this.#identify(link)
      this.#link = link
      this.#channels.open(link)
      this.#enter('open')
      for (const resume of this.#waiting) resume(link)
      await ended
      return new ConnectionError('the connection has ended')
    } finally {
      clearTimeout(stable)
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

  /** Drops a key that the venue refuses: public channels continue. */
  #loseKey(error: unknown): void {
    this.#useKey(undefined)
    this.#channels.failPrivate(error)
  }

  #take(message: PushMessage, link: Link): void {
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
    // The key could not be looked up: reconnect, possibly to another node.
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

/** Rejects after the time limit of the wait for a connection, or with the signal. */
async function late(signal: AbortSignal): Promise<never> {
  await wait(CONNECT_MS_MAX, signal)
  throw new ConnectionError(`no connection within ${CONNECT_MS_MAX / 1000} s`)
}

// Uses the venue's plain WebSocket through ccxt's client: subscribes, authenticates, orders
// messages and requests missing ones.
import type { Dict } from 'ccxt'
import { type ChannelMessage, ChannelPosition } from './channel-position.ts'
import { VenueOrders } from './orders.ts'
import type { ErrorBody } from './requests.ts'

/** Subset of ccxt's WebSocket client that the adapter uses. */
export type SocketClient = {
  readonly url: string
  readonly subscriptions: Record<string, unknown>
  readonly futures: Record<string, { resolve(value: unknown): void } | undefined>
  lastPong: number
  future(hash: string): Promise<unknown>
  resolve(value: unknown, hash: string): void
  reject(error: Error, hash?: string): void
  send(message: unknown): Promise<unknown>
}

type SocketReply = ErrorBody &
  Readonly<{
    id?: string
    channel?: string
    rejected?: readonly Readonly<{ channel: string; code: string }>[]
    seqs?: Readonly<Record<string, number>>
    gaps?: readonly Gap[]
    data?: unknown
  }>

/** Messages of a channel that the venue no longer has. */
export type Gap = Readonly<{ channel: string; from_seq: number; to_seq: number }>

const PING = 'ping'
const AUTH = 'authenticated'
const PRIVATE = ['orders', 'fills', 'positions', 'balances']
/** Event channels, which start with the next event instead of a snapshot. */
const EVENTS = /^(trades:|fills$)/

export class VenueSockets extends VenueOrders {
  /** Positions by channel, kept across connections: every node has the same numbers. */
  readonly #positions = new Map<string, ChannelPosition>()
  /** Channels that are being resubscribed because of a gap. */
  readonly #repairing = new Set<string>()

  socketUrl(): string {
    const { ws } = this.urls.api
    return ws ?? `${this.restUrl().replace(/^http/, 'ws')}/ws`
  }

  /** ccxt can open a socket without TLS only if it has loaded an HTTP agent. */
  async readySocketUrl(): Promise<string> {
    const url = this.socketUrl()
    if (url.startsWith('ws:')) await this.loadHttpProxyAgent()
    return url
  }

  /** Waits for the next message of a channel, and subscribes to it once per connection. */
  async watchChannel(channel: string): Promise<void> {
    const url = await this.readySocketUrl()
    if (PRIVATE.includes(channel)) await this.authenticate(url)
    const isSubscribed = channel in (this.client(url) as SocketClient).subscriptions
    const data = isSubscribed ? [] : [this.beginning(channel)]
    await this.watch(url, channel, { op: 'subscribe', id: channel, data }, channel)
  }

  /** Resumes where the last connection ended, if the venue still has the messages. */
  beginning(channel: string) {
    const from_seq = this.#positions.get(channel)?.fromSeq
    this.#repairing.delete(channel)
    if (from_seq !== undefined) return { channel, from_seq }
    this.#positions.set(channel, new ChannelPosition(!EVENTS.test(channel)))
    return channel
  }

  async authenticate(url: string): Promise<void> {
    this.checkRequiredCredentials()
    const client = this.client(url) as SocketClient
    const isAsked = client.subscriptions[AUTH] !== undefined
    // ccxt drops all futures on any failure: the next subscription authenticates again.
    if (isAsked && client.futures[AUTH] === undefined) return
    const future = client.future(AUTH)
    if (!isAsked) {
      const data = { key: this.apiKey, secret: this.secret }
      this.watch(url, AUTH, { op: 'auth', id: AUTH, data }, AUTH).catch(() => undefined)
    }
    await future
  }

  /** A ping counts as an operation, which keeps the venue from closing the socket. */
  override ping(_client: unknown): Dict {
    return { op: PING, id: PING }
  }

  override handleMessage(client: SocketClient, message: SocketReply | ChannelMessage): void {
    client.lastPong = this.milliseconds()
    if ('error' in message && message.error !== undefined) this.handleRefusal(client, message)
    else if ('seq' in message) this.handleChannel(client, message)
    else this.handleReply(client, message as SocketReply)
  }

  handleReply(client: SocketClient, reply: SocketReply): void {
    const { id, rejected = [], seqs = {}, gaps = [] } = reply
    // Keep the future: later authentications wait for it.
    if (id === AUTH) client.futures[AUTH]?.resolve(true)
    if (id !== undefined) this.#repairing.delete(id)
    for (const [channel, seq] of Object.entries(seqs)) this.#positions.get(channel)?.begin(seq)
    for (const gap of gaps) {
      // A channel with a state continues with a snapshot.
      if (!EVENTS.test(gap.channel)) this.#positions.get(gap.channel)?.lose()
      this.handleGap(client, gap)
    }
    for (const { channel, code } of rejected)
      this.endChannel(client, channel, { error: code, message: channel })
  }

  handleRefusal(client: SocketClient, refused: SocketReply): void {
    const channel = refused.channel ?? refused.id
    if (refused.error === 'AUTH_REQUIRED') this.endChannel(client, AUTH, refused)
    if (channel === AUTH || (channel === undefined && `${refused.error}`.startsWith('AUTH_')))
      for (const channel of [AUTH, ...PRIVATE]) this.endChannel(client, channel, refused)
    else if (channel !== undefined && channel !== PING) this.endChannel(client, channel, refused)
    else client.reject(this.refusal(refused))
  }

  /** Failures have their reason in `data`, except for operations on orders. */
  override refusal(refused: ErrorBody & Readonly<{ data?: unknown }>) {
    const message = refused.message ?? this.safeString(refused.data, 'message')
    return super.refusal({ ...refused, message })
  }

  /** Pending calls get the exception; the next call subscribes again. */
  endChannel(client: SocketClient, channel: string, refused: ErrorBody): void {
    const isOpen = client.subscriptions[channel] !== undefined
    delete client.subscriptions[channel]
    if (isOpen && client.futures[channel] !== undefined)
      client.reject(this.refusal(refused), channel)
    delete client.futures[channel]
  }

  handleChannel(client: SocketClient, message: ChannelMessage): void {
    const { channel } = message
    const verdict = this.#positions.get(channel)?.take(message)
    if (verdict === 'gap') this.repair(client, channel)
    if (verdict !== 'new') return
    if (this.takeMessage(message)) client.resolve(message, channel)
    else this.resync(client, channel)
  }

  /** Resubscribes to a channel at its position, so that missing messages are delivered first. */
  repair(client: SocketClient, channel: string): void {
    if (this.#repairing.has(channel)) return
    const data = [this.beginning(channel)]
    this.#repairing.add(channel)
    const send = async () => {
      await client.send({ op: 'unsubscribe', id: `leave ${channel}`, data: [channel] })
      await client.send({ op: 'subscribe', id: channel, data })
    }
    send().catch(() => undefined)
  }

  /** Called for messages that were missed and that the venue no longer has. */
  handleGap(_client: SocketClient, _gap: Gap): void {}

  /** Requests a snapshot and ignores messages until it arrives. */
  resync(client: SocketClient, channel: string): void {
    this.#positions.get(channel)?.lose()
    client.send({ op: 'resync', id: channel, data: { channel } }).catch(() => undefined)
  }

  /** Returns whether the local state of the channel is consistent with the message. */
  takeMessage(_message: ChannelMessage): boolean {
    return true
  }
}

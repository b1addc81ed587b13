// Places, edits and cancels over `/ws` for a while, as a bot does, and judges every status that it
// hears: no message may be missing, and no order may end in a way that nothing explains.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '@openvenue/devnet/bots/credentials'
import { type MarketFacts, Signer } from '@openvenue/devnet/bots/signer'
import { VenueClient, VenueRefusal } from '@openvenue/devnet/bots/venue-client'
import { type Frame, VenueSocket } from '@openvenue/devnet/bots/venue-socket'
import { parseUnits } from 'viem'
import { OrderLog, type SeenOrder } from './order-log.ts'

export type BotOptions = Readonly<{
  apiUrl: string
  credentials: Credentials
  marketName: string
  durationMs: number
  /** Pause between rounds, each of an order that is placed, edited and cancelled. */
  pauseMs: number
}>

export type BotReport = Readonly<{
  rounds: number
  counts: Readonly<Record<string, number>>
  /** Messages that were missing on a channel. */
  gaps: number
  /** Refusals in answers, by their code. */
  refusals: Readonly<Record<string, number>>
  problems: readonly string[]
}>

/** Until an order has come as far as its answer promises. */
const SETTLED_WITHIN_MS = 15_000
const POLL_MS = 10
/** Bids rest this far below the market; every so many rounds one order takes what is there. */
const BELOW_PERCENT = 3n
const TAKES_ONE_IN = 5
const DECIMALS = 18
/** Amounts of the bot: so many times the least. */
const LOTS = 200n

type Placed = SeenOrder & Readonly<{ chain_order_id: string | null }>

export class OrderBot {
  readonly #options: BotOptions
  readonly #parts: Readonly<{ socket: VenueSocket; signer: Signer; market: MarketFacts }>
  readonly #log: OrderLog
  readonly #chainIds: Map<string, string>
  readonly #refusals: Record<string, number> = {}
  #bid = 0n
  #rounds = 0

  private constructor(
    options: BotOptions,
    parts: Readonly<{ socket: VenueSocket; signer: Signer; market: MarketFacts }>,
    heard: Readonly<{ log: OrderLog; chainIds: Map<string, string> }>,
  ) {
    this.#options = options
    this.#parts = parts
    this.#log = heard.log
    this.#chainIds = heard.chainIds
  }

  static async open(options: BotOptions): Promise<OrderBot> {
    const { apiUrl, credentials, marketName } = options
    const { account, apiKey, signingKey } = credentials
    const client = new VenueClient(apiUrl, apiKey)
    const signer = await Signer.open(client, account, signingKey)
    const market = await client.ask<MarketFacts>('GET', `/instrument/${marketName}`)
    const heard = { log: new OrderLog(), chainIds: new Map<string, string>() }
    const socket = await VenueSocket.open(apiUrl, (frame) => hear(heard, frame))
    await socket.authenticate(apiKey)
    await socket.ask('subscribe', ['orders', { channel: 'notifications', snapshot: false }])
    return new OrderBot(options, { socket, signer, market }, heard)
  }

  /** Goes on for as long as it is to, ends what is left, and compares with what REST says. */
  async run(): Promise<BotReport> {
    const { durationMs, pauseMs } = this.#options
    const endMs = performance.now() + durationMs
    while (performance.now() < endMs) {
      await this.#round()
      await sleep(pauseMs)
    }
    for (const id of this.#log.open()) await this.#ask('cancel_order', { order_id: id })
    for (const id of this.#log.open()) await this.#settled(id, () => this.#log.hasEnded(id))
    await this.#compare()
    const { socket } = this.#parts
    socket.close()
    const { problems } = this.#log
    const refusals = this.#refusals
    return {
      rounds: this.#rounds,
      counts: this.#log.counts(),
      gaps: socket.gaps,
      refusals,
      problems,
    }
  }

  async #round(): Promise<void> {
    this.#rounds++
    await this.#readBid()
    if (this.#rounds % TAKES_ONE_IN === 0) return await this.#take()
    const price = (this.#bid * (100n - BELOW_PERCENT)) / 100n
    const first = await this.#place('create_order', price)
    if (first === undefined) return
    await this.#settled(first.order_id, () => this.#chainIds.has(first.order_id))
    const replaces = this.#chainIds.get(first.order_id)
    if (replaces === undefined) return
    // Nothing of a post-only order below the market is filled before its edit.
    const edited = await this.#place('edit_order', (price * 999n) / 1000n, {
      replaces,
      id: first.order_id,
    })
    if (edited === undefined) return
    await this.#settled(first.order_id, () => this.#log.hasEnded(first.order_id))
    await this.#ask('cancel_order', { order_id: edited.order_id })
    await this.#settled(edited.order_id, () => this.#log.hasEnded(edited.order_id))
  }

  async #take(): Promise<void> {
    const order = await this.#place('create_order', (this.#bid * 101n) / 100n, { kind: 'ioc' })
    if (order !== undefined)
      await this.#settled(order.order_id, () => this.#log.hasEnded(order.order_id))
  }

  async #place(
    op: 'create_order' | 'edit_order',
    price: bigint,
    of: Readonly<{ kind?: 'ioc'; replaces?: string; id?: string }> = {},
  ): Promise<Placed | undefined> {
    const { signer, market } = this.#parts
    const step = parseUnits(market.price_step, market.quote_decimals)
    const raw = (price * 10n ** BigInt(market.quote_decimals)) / 10n ** BigInt(DECIMALS)
    const amount = LOTS * parseUnits(market.amount_step, market.base_decimals)
    const body = await signer.orderBody({
      market,
      isBuy: true,
      limitPrice: (raw / step) * step,
      amount,
      kind: of.kind ?? 'post-only',
      clientOrderId: `bot-${Date.now().toString(36)}-${this.#rounds}-${op}`,
      replaces: of.replaces,
      replacesAmount: of.replaces === undefined ? undefined : amount,
    })
    const data = of.id === undefined ? body : { order_id: of.id, ...body }
    const order = await this.#ask<Placed>(op, data)
    if (order !== undefined) this.#log.answered(order)
    return order
  }

  /** Asks over the socket; a refusal is counted by its code. */
  async #ask<T>(op: string, data: unknown): Promise<T | undefined> {
    try {
      return await this.#parts.socket.ask<T>(op, data)
    } catch (error) {
      if (!(error instanceof VenueRefusal)) throw error
      this.#refusals[error.code] = (this.#refusals[error.code] ?? 0) + 1
      return undefined
    }
  }

  async #readBid(): Promise<void> {
    const client = new VenueClient(this.#options.apiUrl)
    const path = `/instrument/${this.#options.marketName}`
    const { mark_price: mark } = await client.ask<{ mark_price: string | null }>('GET', path)
    this.#bid = parseUnits(mark ?? '0', DECIMALS)
  }

  async #settled(id: string, isSettled: () => boolean): Promise<void> {
    const deadlineMs = performance.now() + SETTLED_WITHIN_MS
    while (!isSettled() && !this.#log.hasEnded(id)) {
      if (performance.now() > deadlineMs) {
        this.#log.blame(id, `stays ${this.#log.last(id)?.order_status} for too long`)
        return
      }
      await sleep(POLL_MS)
    }
  }

  /** REST must say of every order of late what the socket said last. */
  async #compare(): Promise<void> {
    const { apiUrl, credentials } = this.#options
    const client = new VenueClient(apiUrl, credentials.apiKey)
    for (const id of this.#log.recent(COMPARED_MAX)) {
      const { order_status: said } = this.#log.last(id) ?? {}
      const path = `/orders/${id}?include=closed`
      const { order_status: status } = await client.ask<SeenOrder>('GET', path)
      if (status !== said) this.#log.blame(id, `the socket said ${said}, REST says ${status}`)
    }
  }
}

/** Orders that are compared with REST: its budget is small. */
const COMPARED_MAX = 100

function hear(heard: Readonly<{ log: OrderLog; chainIds: Map<string, string> }>, frame: Frame) {
  if (frame.channel !== 'orders') return
  const { orders } = frame.data as { orders: readonly Placed[] }
  for (const order of orders) {
    if (order.chain_order_id !== null) heard.chainIds.set(order.order_id, order.chain_order_id)
    if (frame.type === 'update') heard.log.seen(order)
  }
}

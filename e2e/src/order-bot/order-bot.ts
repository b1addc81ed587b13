// Places, edits and cancels over `/ws` for a while, like a bot, and checks every received status:
// no message may be missing, and no order may end without a reason.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '@openvenue/devnet/bots/credentials'
import { fromSteps, Rest, type shapes } from 'openvenue'
import { loadVenue, type SignedOrder, type SigningVenue, signOrder } from 'openvenue/signing'
import { formatUnits, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type FeedFrame, SocketProbe, SocketRefusal } from '../probe.ts'
import { OrderLog, type SeenOrder } from './order-log.ts'

export type BotOptions = Readonly<{
  apiUrl: string
  credentials: Credentials
  marketName: string
  durationMs: number
  /** Pause between rounds, each of which places, edits and cancels an order. */
  pauseMs: number
}>

export type BotReport = Readonly<{
  rounds: number
  counts: Readonly<Record<string, number>>
  /** Number of missing messages on a channel. */
  gaps: number
  /** Number of refusals by code. */
  refusals: Readonly<Record<string, number>>
  problems: readonly string[]
}>

/** Time limit for an order to reach the promised state. */
const SETTLED_WITHIN_MS = 15_000
const POLL_MS = 10
/** Distance of bids below the market; one order in several rounds takes liquidity. */
const BELOW_PERCENT = 3n
const TAKES_ONE_IN = 5
const DECIMALS = 18
/** Multiple of the minimum amount for the bot's orders. */
const LOTS = 200n
const DEADLINE_SECONDS = 120

type PlacedOrder = SeenOrder & Readonly<{ chain_order_id: string | null }>

/** The bot's account and the market that it bids in. */
export type Bidder = Readonly<{
  venue: SigningVenue
  market: shapes.Market
  credentials: Credentials
}>

/** Tracks each order's statuses and chain id, and the missing messages. */
class Heard {
  readonly log = new OrderLog()
  readonly chainIds = new Map<string, string>()
  readonly #seqs = new Map<string, number>()
  /** Number of missing messages. */
  gaps = 0

  take({ channel, type, seq, prev_seq: before, data }: FeedFrame): void {
    const lastSeq = this.#seqs.get(channel)
    if (type !== 'snapshot' && lastSeq !== undefined && before !== null && before > lastSeq)
      this.gaps++
    this.#seqs.set(channel, seq)
    if (channel !== 'orders') return
    for (const order of (data as { orders: readonly PlacedOrder[] }).orders) {
      if (order.chain_order_id !== null) this.chainIds.set(order.order_id, order.chain_order_id)
      if (type === 'update') this.log.seen(order)
    }
  }
}

export class OrderBot {
  readonly #options: BotOptions
  readonly #socket: SocketProbe
  readonly #rest: Rest
  readonly #bidder: Bidder
  readonly #heard: Heard
  readonly #refusals: Record<string, number> = {}
  #bid = 0n
  #rounds = 0

  private constructor(
    options: BotOptions,
    bidder: Bidder,
    connected: Readonly<{ rest: Rest; socket: SocketProbe; heard: Heard }>,
  ) {
    this.#options = options
    this.#bidder = bidder
    this.#rest = connected.rest
    this.#socket = connected.socket
    this.#heard = connected.heard
  }

  static async open(options: BotOptions): Promise<OrderBot> {
    const { apiUrl, credentials, marketName } = options
    const { apiKey } = credentials
    const rest = new Rest({ url: apiUrl, apiKey })
    const venue = await loadVenue(rest)
    const heard = new Heard()
    const socket = await SocketProbe.open(apiUrl)
    socket.onFrame((frame) => heard.take(frame))
    await socket.ask('auth', apiKey)
    await socket.ask('subscribe', ['orders', { channel: 'notifications', snapshot: false }])
    const { market } = venue.market(marketName)
    return new OrderBot(options, { venue, market, credentials }, { rest, socket, heard })
  }

  get #log(): OrderLog {
    return this.#heard.log
  }

  /** Runs for its duration, cancels the remaining orders, and compares with REST. */
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
    this.#socket.close()
    const { problems } = this.#log
    const refusals = this.#refusals
    return {
      rounds: this.#rounds,
      counts: this.#log.counts(),
      gaps: this.#heard.gaps,
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
    await this.#settled(first.order_id, () => this.#heard.chainIds.has(first.order_id))
    const replaces = this.#heard.chainIds.get(first.order_id)
    if (replaces === undefined) return
    // A post-only order below the market is not filled before its edit.
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
    const order = await this.#place('create_order', (this.#bid * 101n) / 100n, { isTaking: true })
    if (order !== undefined)
      await this.#settled(order.order_id, () => this.#log.hasEnded(order.order_id))
  }

  async #place(
    op: 'create_order' | 'edit_order',
    price: bigint,
    of: Readonly<{ isTaking?: true; replaces?: string; id?: string }> = {},
  ): Promise<PlacedOrder | undefined> {
    const body = await bidBody(this.#bidder, price, {
      isTaking: of.isTaking === true,
      clientOrderId: `bot-${Date.now().toString(36)}-${this.#rounds}-${op}`,
      replaces: of.replaces,
    })
    const data = of.id === undefined ? body : { order_id: of.id, ...body }
    const order = await this.#ask<PlacedOrder>(op, data)
    if (order !== undefined) this.#log.answered(order)
    return order
  }

  /** Sends a request over the socket; refusals are counted by code. */
  async #ask<T>(op: string, data: unknown): Promise<T | undefined> {
    try {
      return (await this.#socket.ask(op, data)) as T
    } catch (error) {
      if (!(error instanceof SocketRefusal)) throw error
      this.#refusals[error.code] = (this.#refusals[error.code] ?? 0) + 1
      return undefined
    }
  }

  async #readBid(): Promise<void> {
    const { instrument_name } = this.#bidder.market
    const path = { instrument_name }
    const { mark_price: mark } = await this.#rest.call('GET /instrument/{instrument_name}', {
      path,
    })
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

  /** REST must return the socket's last status for every recent order. */
  async #compare(): Promise<void> {
    for (const id of this.#log.recent(COMPARED_MAX)) {
      const { order_status: said } = this.#log.last(id) ?? {}
      const { order_status: status } = await this.#rest.call('GET /orders/{order_id}', {
        path: { order_id: id },
        query: { include: 'closed' },
      })
      if (status !== said)
        this.#log.blame(
          id,
          `status differs: got ${status} over REST, expected ${said} of the socket`,
        )
    }
  }
}

type BidTerms = Readonly<{
  isTaking?: boolean
  clientOrderId: string
  replaces?: string | undefined
}>

/**
 * Returns the body of a bid of the bot; `price` has 18 decimals. An edit counts the whole bid that
 * it replaces, so that together they trade no more than one bid, even if the first was partly
 * filled before or after the edit is signed.
 */
export function bidBody(
  { venue, market, credentials }: Bidder,
  price: bigint,
  { isTaking = false, replaces, clientOrderId }: BidTerms,
): Promise<SignedOrder> {
  const amount = fromSteps(LOTS, market.amount_step)
  return signOrder(venue, privateKeyToAccount(credentials.signingKey), {
    market: market.instrument_name,
    account: credentials.account,
    side: 'buy',
    price: formatUnits(price, DECIMALS),
    amount,
    clientOrderId,
    deadlineSeconds: Math.floor(Date.now() / 1_000) + DEADLINE_SECONDS,
    ...(isTaking ? { timeInForce: 'IOC' } : { postOnly: true }),
    ...(replaces !== undefined && { replaces, replacesAmount: amount }),
  })
}

/** Number of orders compared with REST, whose rate limit is low. */
const COMPARED_MAX = 100

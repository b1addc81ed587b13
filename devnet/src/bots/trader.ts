// Trades for one account as any bot would, with an API key and a signing key: it places over REST,
// edits and cancels over a socket, keeps its live orders, and sends nothing to the chain.
import { parseUnits } from 'viem'
import type { Edit, NewOrder } from '../quotes.ts'
import type { RestingOrder } from '../resting.ts'
import type { Credentials } from './credentials.ts'
import { type OrderView, OwnOrders } from './own-orders.ts'
import { type MarketFacts, type OrderTerms, Signer } from './signer.ts'
import { VenueClient, VenueRefusal } from './venue-client.ts'
import { VenueSocket } from './venue-socket.ts'

/** What is wanted in one market. Numbers are those of `resting`. */
export type Wanted = Readonly<{
  market: MarketFacts
  cancels: readonly number[]
  edits: readonly Edit[]
  places: readonly NewOrder[]
}>

/** Names of orders made here begin so; what somebody else names for the account is left alone. */
const NAME = 'mm-'
/** An order that was asked to go, and is still there, is asked again after so long. */
const LEAVING_MS = 10_000
const BATCH_MAX = 64
const DECIMALS = 18
/** Whoever is refused for one of these has no use of its keys any more. */
const STALE_CODES = new Set([
  'UNAUTHORIZED',
  'AUTH_INVALID',
  'AUTH_EXPIRED',
  'AUTH_REQUIRED',
  'ORDER_BAD_SIGNING_KEY',
  'CANCEL_SIGNATURE_REQUIRED',
])

/** The venue no longer takes the keys of a trader. */
export class CredentialsStale extends Error {
  override name = 'CredentialsStale'
}

export class Trader {
  readonly #client: VenueClient
  readonly #socket: VenueSocket
  readonly #signer: Signer
  readonly #orders: OwnOrders
  /** Ids of orders that were asked to go, and until when they are believed to. */
  readonly #leaving = new Map<string, number>()
  #pausedUntilMs = 0
  #names = 0

  private constructor(
    parts: Readonly<{ client: VenueClient; socket: VenueSocket; signer: Signer }>,
    orders: OwnOrders,
  ) {
    this.#client = parts.client
    this.#socket = parts.socket
    this.#signer = parts.signer
    this.#orders = orders
  }

  /** Connects, and takes up the orders that the account has. */
  static async open(apiUrl: string, { account, apiKey, signingKey }: Credentials): Promise<Trader> {
    const client = new VenueClient(apiUrl, apiKey)
    const signer = await Signer.open(client, account, signingKey)
    const orders = new OwnOrders()
    const known = Promise.withResolvers<void>()
    const socket = await VenueSocket.open(apiUrl, (frame) => {
      if (frame.channel !== 'orders') return
      orders.take(frame)
      known.resolve()
    })
    await socket.authenticate(apiKey)
    await socket.ask('subscribe', ['orders'])
    await known.promise
    return new Trader({ client, socket, signer }, orders)
  }

  /** Whether it can act now: connected, and not asked to wait. */
  get isReady(): boolean {
    return this.#socket.isOpen && Date.now() >= this.#pausedUntilMs
  }

  get isOpen(): boolean {
    return this.#socket.isOpen
  }

  get closedBy(): string {
    return this.#socket.closedBy
  }

  close(): void {
    this.#socket.close()
  }

  /** Returns its live orders in a market; `account` is what they are to be known by. */
  resting({ instrument_name: name, ...facts }: MarketFacts, account: number): RestingOrder[] {
    return this.#orders.list().flatMap(({ number, view }) => {
      if (view.instrument_name !== name || !isOwn(view)) return []
      return {
        number,
        account,
        isBuy: view.side === 'buy',
        tick: wholeSteps(view.price, facts.price_step),
        lots: wholeSteps(view.remaining, facts.amount_step),
      }
    })
  }

  /** How many orders in a market have not reached the chain. */
  countPending({ instrument_name: name }: MarketFacts): number {
    const isPending = ({ view }: { view: OrderView }) =>
      view.instrument_name === name && view.order_status === 'pending'
    return this.#orders.list().filter(isPending).length
  }

  /** Sends what is wanted, all of it at once. Refusals are borne. */
  async carryOut(wanted: readonly Wanted[]): Promise<void> {
    const places = wanted.flatMap(({ market, places }) => places.map((one) => ({ market, ...one })))
    await Promise.all([
      this.#cancel(wanted.flatMap(({ cancels }) => cancels)),
      this.#place(places),
      ...wanted.flatMap(({ market, edits }) => edits.map((edit) => this.#edit(market, edit))),
    ])
  }

  async #place(orders: readonly (NewOrder & Readonly<{ market: MarketFacts }>)[]): Promise<void> {
    const bodies = await Promise.all(
      orders.map((order) => {
        const kind = order.timeInForce === 'IOC' ? 'ioc' : 'post-only'
        return this.#signer.orderBody(this.#terms(order.market, order, kind))
      }),
    )
    for (let from = 0; from < bodies.length; from += BATCH_MAX)
      await this.#bear(() => this.#placeBatch(bodies.slice(from, from + BATCH_MAX)))
  }

  async #placeBatch(orders: readonly object[]): Promise<void> {
    if (orders.length === 1) {
      this.#orders.add(await this.#client.ask<OrderView>('POST', '/orders', orders[0]))
      return
    }
    const { results } = await this.#client.ask<Batch>('POST', '/batch-orders', { orders })
    for (const result of results) {
      if (!('order_id' in result)) this.#judge(new VenueRefusal(result.error, ''))
      else this.#orders.add(result)
    }
  }

  /** An order that the chain does not have cannot be edited. */
  #edit(market: MarketFacts, edit: Edit): Promise<void> {
    return this.#release([edit.number], async ([old]) => {
      if (old === undefined || old.chain_order_id === null) return
      const terms = {
        ...this.#terms(market, edit, 'post-only'),
        replaces: old.chain_order_id,
        replacesAmount: parseUnits(old.remaining, market.base_decimals),
      }
      const body = await this.#signer.orderBody(terms)
      const data = { order_id: old.order_id, ...body }
      this.#orders.add(await this.#socket.ask<OrderView>('edit_order', data))
    })
  }

  #cancel(numbers: readonly number[]): Promise<void> {
    return this.#release(numbers, async (gone) => {
      const ids = gone.map(({ order_id: id }) => id)
      if (ids.length === 1) await this.#socket.ask('cancel_order', { order_id: ids[0] })
      else if (ids.length > 1) await this.#socket.ask('cancel_orders', { order_ids: ids })
    })
  }

  /** Asks orders to go that were not asked yet; one whose going is refused may be asked again. */
  #release(
    numbers: readonly number[],
    ask: (orders: readonly OrderView[]) => Promise<void>,
  ): Promise<void> {
    return this.#bear(async () => {
      const nowMs = Date.now()
      for (const [id, untilMs] of this.#leaving) if (untilMs < nowMs) this.#leaving.delete(id)
      const orders = numbers
        .flatMap((number) => this.#orders.find(number)?.view ?? [])
        .filter(({ order_id: id }) => !this.#leaving.has(id))
      for (const { order_id: id } of orders) this.#leaving.set(id, nowMs + LEAVING_MS)
      try {
        await ask(orders)
      } catch (error) {
        for (const { order_id: id } of orders) this.#leaving.delete(id)
        throw error
      }
    })
  }

  #terms(
    market: MarketFacts,
    { isBuy, tick, lots }: Readonly<{ isBuy: boolean; tick: number; lots: number }>,
    kind: OrderTerms['kind'],
  ): OrderTerms {
    const { price_step, amount_step, base_decimals, quote_decimals } = market
    return {
      market,
      isBuy,
      limitPrice: BigInt(tick) * parseUnits(price_step, quote_decimals),
      amount: BigInt(lots) * parseUnits(amount_step, base_decimals),
      kind,
      clientOrderId: `${NAME}${Date.now().toString(36)}-${this.#names++}`,
    }
  }

  /** A bot bears to be refused: the market has moved, the order is gone, it is to wait. */
  async #bear(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof VenueRefusal)) throw error
      this.#judge(error)
    }
  }

  #judge({ code, message, retryAfterMs }: VenueRefusal): void {
    if (STALE_CODES.has(code)) throw new CredentialsStale(message)
    if (retryAfterMs !== undefined) this.#pausedUntilMs = Date.now() + retryAfterMs
  }
}

type Batch = Readonly<{ results: readonly (OrderView | Readonly<{ error: string }>)[] }>

/** Orders that a wallet placed in the past have no name. */
const isOwn = ({ client_order_id: name }: OrderView) => name === undefined || name.startsWith(NAME)

/** Returns how many `steps` a decimal text is. */
const wholeSteps = (text: string, step: string): number =>
  Number(parseUnits(text, DECIMALS) / parseUnits(step, DECIMALS))

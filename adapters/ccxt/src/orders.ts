// Signs orders and cancels, and sends them.
import {
  ArgumentsRequired,
  type Dict,
  InvalidOrder,
  type Num,
  type Order,
  OrderNotFillable,
  type OrderRequest,
  type Str,
} from 'ccxt'
import { type OrderSide, Rest, StepError, type shapes } from 'openvenue'
import {
  type Address,
  allowVenueToCancel,
  type Hex,
  type NewOrder,
  type Signer,
  SigningVenue,
  signCancel,
  signCancelAll,
  signOrder,
} from 'openvenue/signing'
import { privateKeyToAccount } from 'viem/accounts'
import { CancelSignatureRequired } from './exceptions.ts'
import { type CcxtOrder, readOrder, withoutOrderParams } from './new-order.ts'
import { VenueOrderReads } from './order-reads.ts'

/** More are sent in several requests. */
const BATCH_MAX = 64
const CANCELS_MAX = 200
/** What is signed for later can be sent for so long after: the venue asks for a minute. */
const SEND_SECONDS = 120

export class VenueOrders extends VenueOrderReads {
  #signing: Readonly<{ venue: SigningVenue; markets: unknown }> | undefined

  override async createOrder(
    symbol: string,
    type: string,
    side: string,
    ...[amount, price, params = {}]: [Num, Num?, Dict?]
  ): Promise<Order> {
    const body = await this.signedOrder({ symbol, type, side, amount, price, params })
    const rest = { ...this.waitOf(type, params), ...withoutOrderParams(this, params) }
    return this.parseOrder(await this.ask('POST /orders', { body, params: rest }))
  }

  override async createOrders(orders: OrderRequest[], params: Dict = {}): Promise<Order[]> {
    const placed: Order[] = []
    for (let from = 0; from < orders.length; from += BATCH_MAX) {
      const some = orders.slice(from, from + BATCH_MAX)
      const signed = await Promise.all(some.map((order) => this.signedRequest(order)))
      const { results } = await this.ask('POST /batch-orders', { body: { orders: signed }, params })
      placed.push(...results.map((result, at) => this.placedOrder(result, some[at])))
    }
    return placed
  }

  /** One bad order spoils no other: a refused one is there as rejected, with why in its `info`. */
  placedOrder(result: shapes.PlacedOrder | shapes.RefusedOrder, request?: OrderRequest): Order {
    if (!('error' in result)) return this.parseOrder(result)
    const { symbol, type, side, amount, price } = request ?? {}
    const clientOrderId = this.safeString(request?.params, 'clientOrderId')
    const asked = { symbol, type, side, amount, price, clientOrderId }
    return this.safeOrder({ ...asked, status: 'rejected', filled: '0', info: result })
  }

  /** The venue replaces an order by another: it has a new id, and an amount of its own. */
  override async editOrder(
    id: string,
    symbol: string,
    type: string,
    ...[side, amount, price, params = {}]: [Str, Num?, Num?, Dict?]
  ): Promise<Order> {
    await this.loadMarkets()
    const path = { order_id: id }
    const old = await this.ask('GET /orders/{order_id}', { path, query: { include: 'closed' } })
    const replaces = old.chain_order_id ?? undefined
    const body = await this.signedOrder({
      ...{ symbol, type },
      side: side ?? old.side,
      amount: amount ?? old.remaining,
      price: price ?? old.price,
      params: { ...params, replaces, ...(replaces && { replacesAmount: old.remaining }) },
    })
    const rest = withoutOrderParams(this, params)
    return this.parseOrder(await this.ask('POST /orders/{order_id}', { path, body, params: rest }))
  }

  override async cancelOrder(id: string, _symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets()
    const [named, rest] = this.clientIdOf(params)
    const cancel = (body: Dict = {}) =>
      named === undefined
        ? this.ask('DELETE /orders/{order_id}', { path: { order_id: id }, body, params: rest })
        : this.ask('DELETE /orders/by-client-id/{client_order_id}', {
            ...{ path: { client_order_id: named }, body, params: rest },
          })
    try {
      return this.parseOrder((await cancel()).order)
    } catch (error) {
      if (!(error instanceof CancelSignatureRequired) || this.privateKey === undefined) throw error
      const { info } = await this.fetchOrder(id, undefined, params)
      return this.parseOrder((await cancel(await this.signedCancel(info))).order)
    }
  }

  override async cancelOrders(ids: string[], _symbol?: Str, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets()
    const cancelled: Order[] = []
    for (let from = 0; from < ids.length; from += CANCELS_MAX) {
      const order_ids = ids.slice(from, from + CANCELS_MAX)
      const answer = await this.ask('DELETE /orders', { body: { order_ids }, params })
      cancelled.push(...(await this.cancelledOrders(answer)))
    }
    return cancelled
  }

  override async cancelAllOrders(symbol?: Str, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets()
    const body =
      symbol === undefined
        ? { confirm: 'all' }
        : { instrument_name: this.venueMarket(symbol).instrument_name }
    return this.cancelledOrders(await this.ask('DELETE /orders', { body, params }))
  }

  /** Those that could not be cancelled have the venue's code in their `info`. */
  async cancelledOrders({ order_ids, failed }: shapes.CancelledOrders): Promise<Order[]> {
    const orders = order_ids.map((id) => this.safeOrder({ id, info: { id } }))
    for (const [id, code] of Object.entries(failed)) {
      const isSigned = code === 'CANCEL_SIGNATURE_REQUIRED' && this.privateKey !== undefined
      const refused = () => this.safeOrder({ id, info: { id, error: code } })
      orders.push(isSigned ? await this.cancelOrder(id) : refused())
    }
    return orders
  }

  /** Cancels everything unless it is called again in time; 0 disarms. Milliseconds. */
  override async cancelAllOrdersAfter(timeout: number, params: Dict = {}): Promise<Dict> {
    const arm = (body: Dict = {}) =>
      this.ask('POST /account/cancel-after', { body: { timeout_ms: timeout, ...body }, params })
    const answer = await arm().catch(async (error: unknown) => {
      if (!(error instanceof CancelSignatureRequired) || this.privateKey === undefined) throw error
      return arm({ cancel_alls: await this.signedCancelAlls(timeout) })
    })
    return { triggerTime: this.msOf(answer.trigger_time), info: answer }
  }

  /** What the venue is to send when the time is over: one for each market of the orders now. */
  async signedCancelAlls(timeoutMs: number) {
    const orders = await this.fetchOpenOrders()
    const markets = new Set(orders.map(({ info }) => String(info.instrument_name)))
    const venue = await this.signingVenue()
    const endSeconds = Math.ceil((this.milliseconds() + timeoutMs) / 1000)
    const deadlineSeconds = endSeconds + SEND_SECONDS
    const account = this.accountAddress()
    const sign = (market: string) =>
      signCancelAll(venue, this.signer(), { market, account, deadlineSeconds })
    return Promise.all([...markets].map(sign))
  }

  /**
   * Lets the venue cancel for the account, and nothing else, so that cancels need no signature.
   * Returns once the chain has it.
   */
  async allowVenueToCancel(): Promise<void> {
    this.checkRequiredCredentials()
    const apiKey = { key: this.apiKey, secret: this.secret }
    const rest = new Rest({ url: this.restUrl(), apiKey })
    const who = { signer: this.signer(), account: this.accountAddress() }
    await allowVenueToCancel(rest, await this.signingVenue(), who)
  }

  async signedRequest({ symbol, type, side, amount, price, params = {} }: OrderRequest) {
    const order = { symbol, type: String(type), side: String(side), amount, price, params }
    return this.signedOrder(order)
  }

  async signedOrder(order: CcxtOrder) {
    const venue = await this.signingVenue()
    const best = (symbol: string, side: OrderSide) => this.bestPrice(symbol, side)
    const wanted = await readOrder(this, order, best)
    return this.signOrRefuse(venue, { ...wanted, account: this.accountAddress() })
  }

  async signOrRefuse(venue: SigningVenue, order: NewOrder) {
    try {
      return await signOrder(venue, this.signer(), order)
    } catch (error) {
      if (error instanceof StepError) throw new InvalidOrder(`${this.id} ${error.message}`)
      throw error
    }
  }

  async signedCancel({ instrument_name, chain_order_id }: shapes.Order): Promise<Dict> {
    const orders = chain_order_id === null ? [] : [chain_order_id]
    const cancel = { market: instrument_name, orders, account: this.accountAddress() }
    return signCancel(await this.signingVenue(), this.signer(), cancel)
  }

  async bestPrice(symbol: string, side: OrderSide): Promise<string> {
    const query = this.tickersQuery([symbol])
    const { tickers } = await this.ask('GET /tickers', { query })
    const best = side === 'buy' ? tickers[0]?.ask : tickers[0]?.bid
    if (best) return best.price
    throw new OrderNotFillable(`${this.id} ${symbol} has nobody to ${side} from: give a price`)
  }

  /** What became of a market order is known when the venue has it in a block. */
  waitOf(type: string, params: Dict): Dict {
    const isTrigger = ['triggerPrice', 'stopPrice', 'stopLossPrice', 'takeProfitPrice'].some(
      (name) => name in params,
    )
    return type === 'market' && !isTrigger ? { wait: 'included' } : {}
  }

  /** The contracts that are signed for; `options.pinned` refuses any other. */
  async signingVenue(): Promise<SigningVenue> {
    await this.loadMarkets()
    if (this.#signing?.markets !== this.markets) {
      const markets = Object.values(this.markets ?? {}).map(({ info }) => info)
      const pinned = this.safeDict(this.options, 'pinned', {})
      const venue = new SigningVenue(await this.ask('GET /info'), markets, pinned)
      this.#signing = { venue, markets: this.markets }
    }
    return (this.#signing as { venue: SigningVenue }).venue
  }

  signer(): Signer {
    if (!this.privateKey)
      throw new ArgumentsRequired(`${this.id} signs orders: privateKey is that of a signing key`)
    // viem has the types of each message; here they come with it.
    return privateKeyToAccount(this.privateKey as Hex) as unknown as Signer
  }

  /** The account that orders are of; a signing key signs for another than itself. */
  accountAddress(): Address {
    if (!this.walletAddress)
      throw new ArgumentsRequired(`${this.id} walletAddress is the account that orders are of`)
    return this.walletAddress as Address
  }
}

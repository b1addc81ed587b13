// Signs and sends orders and cancels.
import {
  ArgumentsRequired,
  AuthenticationError,
  type Dict,
  DuplicateOrderId,
  InvalidOrder,
  type Num,
  type Order,
  OrderNotFillable,
  type OrderRequest,
  type Str,
} from 'ccxt'
import { InputError, type OrderSide, Rest, StepError, type shapes } from 'openvenue'
import {
  type Address,
  allowVenueToCancel,
  type Hex,
  type NewOrder,
  replacementOf,
  type Signer,
  SigningVenue,
  setLeverageCall,
  signCancel,
  signCancelAll,
  signOrder,
} from 'openvenue/signing'
import { privateKeyToAccount } from 'viem/accounts'
import { mergeEdit } from './edit-order.ts'
import { CancelSignatureRequired, LeverageByWallet } from './exceptions.ts'
import { type CcxtOrder, readOrder, withoutOrderParams } from './new-order.ts'
import { VenueOrderReads } from './order-reads.ts'
import { required, TRIGGERS, wholeNumber } from './params.ts'
import { sendCall } from './send-call.ts'

/** Maximum batch sizes; larger lists take several requests. */
const BATCH_MAX = 64
const CANCELS_MAX = 200
/** Validity of a pre-signed cancel beyond its timeout; the venue requires one minute. */
const SEND_SECONDS = 120
/** Synonyms for the side of a position. */
const POSITION_SIDES = { long: 'buy', short: 'sell' } as const

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

  /** A refused order of a batch is returned as rejected, with the reason in its `info`. */
  placedOrder(result: shapes.PlacedOrder | shapes.RefusedOrder, request?: OrderRequest): Order {
    if ('order_id' in result) return this.parseOrder(result)
    const { symbol, type, side, amount, price } = request ?? {}
    const clientOrderId = this.safeString(request?.params, 'clientOrderId')
    const requested = { symbol, type, side, amount, price, clientOrderId }
    return this.safeOrder({ ...requested, status: 'rejected', filled: '0', info: result })
  }

  /**
   * The venue replaces an order by another with a new id. `amount` is the total of the edited order
   * including its fills; arguments and flags that are not given are kept.
   */
  override async editOrder(
    id: string,
    symbol: string,
    type: string,
    ...[side, amount, price, params = {}]: [Str, Num?, Num?, Dict?]
  ): Promise<Order> {
    await this.loadMarkets()
    const path = { order_id: id }
    const old = await this.ask('GET /orders/{order_id}', { path, query: { include: 'closed' } })
    if (String(this.market(symbol).id) !== old.instrument_name)
      throw new InvalidOrder(`${this.id} symbol: order ${id} is for ${old.instrument_name}`)
    const given = {
      side: side ?? old.side,
      amount: amount ?? old.amount,
      price: price ?? old.price,
    }
    const edited = await this.newOrder({ symbol, type, ...given, params })
    const order = mergeEdit({ old: replacementOf(old), edit: edited, type, params })
    const rest = { ...this.waitOf(type, params), ...withoutOrderParams(this, params) }
    const send = async (edit: NewOrder) => {
      const body = await this.signOrRefuse(await this.signingVenue(), edit)
      return this.parseOrder(
        await this.ask('POST /orders/{order_id}', { path, body, params: rest }),
      )
    }
    try {
      return await send(order)
    } catch (error) {
      // An older venue reserves the client order id for the order that is being replaced.
      const isKept = error instanceof DuplicateOrderId && /client_order_id/.test(error.message)
      if (!isKept || order.clientOrderId !== old.client_order_id) throw error
      const { clientOrderId: _, ...unnamed } = order
      return send(unnamed)
    }
  }

  /** Closes a position, or `params.amount` of it, with a reduce-only order. */
  override async closePosition(symbol: string, side?: Str, params: Dict = {}): Promise<Order> {
    const { contracts, side: positionSide } = await this.fetchPosition(symbol)
    if (!contracts || (positionSide !== 'long' && positionSide !== 'short'))
      throw new InvalidOrder(`${this.id} no open position in ${symbol}`)
    if (side !== undefined && side !== positionSide && side !== POSITION_SIDES[positionSide])
      throw new InvalidOrder(`${this.id} side: got ${side}, expected ${positionSide} (${symbol})`)
    const amount = Object.hasOwn(params, 'amount') ? params.amount : contracts
    const rest = { ...this.omit(params, 'amount'), reduceOnly: true }
    const closing = positionSide === 'long' ? 'sell' : 'buy'
    return this.createOrder(symbol, 'market', closing, amount, undefined, rest)
  }

  override async cancelOrder(id: string, _symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets()
    const [named, rest] = this.clientIdOf(params)
    const cancel = (body: Dict = {}) =>
      named === undefined
        ? this.ask('DELETE /orders/{order_id}', { path: { order_id: id }, body, params: rest })
        : this.ask('DELETE /orders/by-client-id/{client_order_id}', {
            path: { client_order_id: named },
            body,
            params: rest,
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

  /** Orders that could not be cancelled have the venue's code in their `info`. */
  async cancelledOrders({ order_ids, failed }: shapes.CancelledOrders): Promise<Order[]> {
    const orders = order_ids.map((id) => this.safeOrder({ id, info: { id } }))
    for (const [id, code] of Object.entries(failed)) {
      const isSigned = code === 'CANCEL_SIGNATURE_REQUIRED' && this.privateKey !== undefined
      const refused = () => this.safeOrder({ id, info: { id, error: code } })
      orders.push(isSigned ? await this.cancelOrder(id) : refused())
    }
    return orders
  }

  /** Cancels everything unless it is called again within `timeout` milliseconds; 0 disarms. */
  override async cancelAllOrdersAfter(timeout: number, params: Dict = {}): Promise<Dict> {
    const timeoutMs = wholeNumber('timeout', required(timeout, 'a timeout'))
    const arm = (body: Dict = {}) =>
      this.ask('POST /account/cancel-after', { body: { timeout_ms: timeoutMs, ...body }, params })
    const answer = await arm().catch(async (error: unknown) => {
      if (!(error instanceof CancelSignatureRequired) || this.privateKey === undefined) throw error
      return arm({ cancel_alls: await this.signedCancelAlls(timeoutMs) })
    })
    return { triggerTime: this.msOf(answer.trigger_time), info: answer }
  }

  /**
   * Sets the leverage of a perpetual, which the chain holds. With `options.rpcUrl`, a chain node,
   * the signing key sends the transaction and pays its gas. Otherwise nothing is sent: `isSet` is
   * false and `call` is the transaction for the wallet to send.
   */
  override async setLeverage(leverage: number, symbol?: Str, params: Dict = {}): Promise<Dict> {
    this.checkRequiredArgument('setLeverage', symbol, 'symbol')
    const target = wholeNumber('leverage', required(leverage, 'a leverage'))
    const venue = await this.signingVenue()
    const { id } = this.market(symbol)
    const body = { instrument: String(id), leverage: target }
    const done = (isSet: boolean, info: Dict, more: Dict = {}) => ({
      symbol,
      leverage: target,
      isSet,
      info,
      ...more,
    })
    try {
      return done(true, await this.ask('POST /account/leverage', { body, params }))
    } catch (error) {
      if (!(error instanceof LeverageByWallet)) throw error
    }
    const call = setLeverageCall(venue.market(String(id)), target)
    const { rpcUrl } = this.options
    if (rpcUrl === undefined) return done(false, {}, { call })
    const receipt = await sendCall(call, { rpcUrl, info: venue.info, key: this.privateKey as Hex })
    return done(true, receipt)
  }

  /** Returns signed cancels to send on timeout, one for each market with open orders. */
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
   * Allows the venue to cancel, and only to cancel, for the account: cancels need no signature from
   * then on. Returns once the grant is on the chain.
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
    return this.signOrRefuse(await this.signingVenue(), await this.newOrder(order))
  }

  async newOrder(order: CcxtOrder): Promise<NewOrder> {
    await this.loadMarkets()
    const best = (symbol: string, side: OrderSide) => this.bestPrice(symbol, side)
    return { ...(await readOrder(this, order, best)), account: this.accountAddress() }
  }

  async signOrRefuse(venue: SigningVenue, order: NewOrder) {
    try {
      return await signOrder(venue, this.signer(), order)
    } catch (error) {
      if (error instanceof StepError || error instanceof InputError)
        throw new InvalidOrder(`${this.id} ${error.message}`)
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
    throw new OrderNotFillable(`${this.id} ${symbol}: no orders to ${side} against, pass a price`)
  }

  /** The result of a market order is known when the venue has it in a block. */
  waitOf(type: string, params: Dict): Dict {
    const isTrigger = TRIGGERS.some((name) => Object.hasOwn(params, name))
    return type === 'market' && !isTrigger ? { wait: 'included' } : {}
  }

  /** The contracts for which messages are signed; `options.pinned` refuses any other. */
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
      throw new ArgumentsRequired(`${this.id} privateKey is missing: set that of a signing key`)
    try {
      // viem types each message statically; here the types are part of the message.
      return privateKeyToAccount(this.privateKey as Hex) as unknown as Signer
    } catch {
      // viem's message would repeat a part of the key.
      throw new AuthenticationError(`${this.id} privateKey: expected 0x and 64 hex digits`)
    }
  }

  /** The account of the orders, which differs from the address of a signing key. */
  accountAddress(): Address {
    if (!this.walletAddress)
      throw new ArgumentsRequired(`${this.id} walletAddress is missing: set the account`)
    return this.walletAddress as Address
  }
}

// Trades for one account like any bot, with an API key and a signing key: it places over REST,
// edits and cancels over a socket, tracks its live orders, and sends nothing to the chain.
import {
  fromSteps,
  type Message,
  type RefusalFacts,
  RefusedError,
  Rest,
  type shapes,
  toSteps,
  VenueSocket,
} from 'openvenue'
import {
  type NewOrder as OrderToPlace,
  type SignedOrder,
  type SigningVenue,
  signOrder,
} from 'openvenue/signing'
import { privateKeyToAccount } from 'viem/accounts'
import type { Edit, NewOrder } from '../quotes.ts'
import type { BookOrder } from '../resting.ts'
import { ANSWERED_WITHIN_MS, type Credentials } from './credentials.ts'
import { type OrdersMessage, type OrderView, OwnOrders } from './own-orders.ts'

/** Desired changes in one market. Numbers are those of `resting`. */
export type QuotePlan = Readonly<{
  market: shapes.Market
  cancels: readonly number[]
  edits: readonly Edit[]
  places: readonly NewOrder[]
}>

/** Prefix of client order ids of this bot; other orders of the account are ignored. */
const NAME = 'mm-'
/** Time after which an order that is still there is cancelled again. */
const LEAVING_MS = 10_000
const BATCH_MAX = 64
const DEADLINE_SECONDS = 120
const POST_ONLY = { postOnly: true }
/** Refusals after which credentials are useless. */
const STALE_CODES = new Set([
  'UNAUTHORIZED',
  'AUTH_INVALID',
  'AUTH_EXPIRED',
  'AUTH_REQUIRED',
  'ORDER_BAD_SIGNING_KEY',
  'CANCEL_SIGNATURE_REQUIRED',
])

/** Thrown when the venue no longer accepts a trader's credentials. */
export class CredentialsStale extends Error {
  override name = 'CredentialsStale'
}

/** Connections and keys of a trader. */
type Equipment = Readonly<{
  venue: SigningVenue
  credentials: Credentials
  rest: Rest
  socket: VenueSocket
}>

export class Trader {
  readonly #equipment: Equipment
  readonly #orders: OwnOrders
  /** Ids of orders with a requested cancel, and the time until which it counts. */
  readonly #leaving = new Map<string, number>()
  #pausedUntilMs = 0
  #names = 0

  private constructor(equipment: Equipment, orders: OwnOrders) {
    this.#equipment = equipment
    this.#orders = orders
  }

  /** Connects, and continues with the account's orders. */
  static async open(
    apiUrl: string,
    venue: SigningVenue,
    credentials: Credentials,
  ): Promise<Trader> {
    const { apiKey } = credentials
    const rest = new Rest({ url: apiUrl, apiKey, timeoutMs: ANSWERED_WITHIN_MS })
    const socket = new VenueSocket({ url: apiUrl, apiKey })
    const orders = new OwnOrders()
    await listenUntilFirst(socket, ['orders'], (message) => orders.take(message as OrdersMessage))
    return new Trader({ venue, credentials, rest, socket }, orders)
  }

  /** True while it can act: connected and not rate-limited. */
  get isReady(): boolean {
    return this.isOpen && Date.now() >= this.#pausedUntilMs
  }

  get isOpen(): boolean {
    return this.#equipment.socket.state === 'open'
  }

  close(): void {
    this.#equipment.socket.close()
  }

  /** Returns its live orders in a market, under the account number `account`. */
  resting({ instrument_name: name, ...facts }: shapes.Market, account: number): BookOrder[] {
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

  /** Returns the number of orders in a market that have not reached the chain. */
  countPending({ instrument_name: name }: shapes.Market): number {
    const isPending = ({ view }: { view: OrderView }) =>
      view.instrument_name === name && view.order_status === 'pending'
    return this.#orders.list().filter(isPending).length
  }

  /** Sends all desired changes at once. Refusals are tolerated. */
  async carryOut(wanted: readonly QuotePlan[]): Promise<void> {
    const places = wanted.flatMap(({ market, places }) => places.map((one) => ({ market, ...one })))
    await Promise.all([
      this.#cancel(wanted.flatMap(({ cancels }) => cancels)),
      this.#place(places),
      ...wanted.flatMap(({ market, edits }) => edits.map((edit) => this.#edit(market, edit))),
    ])
  }

  async #place(orders: readonly (NewOrder & Readonly<{ market: shapes.Market }>)[]): Promise<void> {
    const bodies = await Promise.all(
      orders.map(({ market, ...order }) =>
        this.#sign(market, order, order.timeInForce === 'IOC' ? { timeInForce: 'IOC' } : POST_ONLY),
      ),
    )
    for (let from = 0; from < bodies.length; from += BATCH_MAX)
      await this.#bear(() => this.#placeBatch(bodies.slice(from, from + BATCH_MAX)))
  }

  async #placeBatch(orders: readonly SignedOrder[]): Promise<void> {
    const { rest } = this.#equipment
    const [only, ...others] = orders
    if (only !== undefined && others.length === 0) {
      this.#orders.add(await rest.call('POST /orders', { body: only }))
      return
    }
    const { results } = await rest.call('POST /batch-orders', { body: { orders: [...orders] } })
    for (const result of results) {
      if ('order_id' in result) this.#orders.add(result)
      else this.#judge({ code: result.error, retryAfterMs: undefined })
    }
  }

  /** An order that the chain does not have cannot be edited. */
  #edit(market: shapes.Market, edit: Edit): Promise<void> {
    return this.#release([edit.number], async ([old]) => {
      if (old === undefined || old.chain_order_id === null) return
      const { chain_order_id: replaces, remaining: replacesAmount } = old
      const body = await this.#sign(market, edit, { ...POST_ONLY, replaces, replacesAmount })
      const { data } = await this.#equipment.socket.ask('edit_order', {
        order_id: old.order_id,
        ...body,
      })
      this.#orders.add(data as OrderView)
    })
  }

  #cancel(numbers: readonly number[]): Promise<void> {
    const { socket } = this.#equipment
    return this.#release(numbers, async (gone) => {
      const ids = gone.map(({ order_id: id }) => id)
      if (ids.length === 1) await socket.ask('cancel_order', { order_id: ids[0] })
      else if (ids.length > 1) await socket.ask('cancel_orders', { order_ids: ids })
    })
  }

  /** Cancels orders without a pending cancel; after a refusal, a cancel may be repeated. */
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

  #sign(
    { instrument_name: market, price_step, amount_step }: shapes.Market,
    { isBuy, tick, lots }: Readonly<{ isBuy: boolean; tick: number; lots: number }>,
    kind: Pick<OrderToPlace, 'timeInForce' | 'postOnly' | 'replaces' | 'replacesAmount'>,
  ): Promise<SignedOrder> {
    const { venue, credentials } = this.#equipment
    const { account, signingKey } = credentials
    return signOrder(venue, privateKeyToAccount(signingKey), {
      ...kind,
      account,
      market,
      side: isBuy ? 'buy' : 'sell',
      price: fromSteps(BigInt(tick), price_step),
      amount: fromSteps(BigInt(lots), amount_step),
      deadlineSeconds: Math.floor(Date.now() / 1_000) + DEADLINE_SECONDS,
      clientOrderId: `${NAME}${Date.now().toString(36)}-${this.#names++}`,
    })
  }

  /** A bot tolerates refusals: the market has moved, the order is gone, or it must wait. */
  async #bear(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      this.#judge(error)
    }
  }

  #judge({ code, retryAfterMs }: Pick<RefusalFacts, 'code' | 'retryAfterMs'>): void {
    if (STALE_CODES.has(code)) throw new CredentialsStale(code)
    if (retryAfterMs !== undefined) this.#pausedUntilMs = Date.now() + retryAfterMs
  }
}

/**
 * Passes every message of the channels to `take`, and resolves after the first one. A permanently
 * lost channel closes the socket; before the first message it also rejects with the reason.
 */
export async function listenUntilFirst(
  socket: VenueSocket,
  channels: Iterable<string>,
  take: (message: Message) => void,
): Promise<void> {
  const { promise: first, resolve, reject } = Promise.withResolvers<void>()
  const onMessage = (message: Message) => {
    take(message)
    resolve()
  }
  const onError = (error: unknown) => {
    reject(error)
    socket.close()
  }
  for (const channel of channels) socket.listen(channel, { onMessage, onError })
  await first
}

/** Earlier orders placed by a wallet have no name. */
const isOwn = ({ client_order_id: name }: OrderView) => name === undefined || name.startsWith(NAME)

const wholeSteps = (text: string, step: string): number => Number(toSteps(text, step, 'down'))

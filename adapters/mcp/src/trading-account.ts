// An account at a venue, and the orders built for it.
import { fromRaw, MismatchError, OpenvenueError, type Rest } from 'openvenue'
import {
  type Address,
  loadVenue,
  type OrderToSign,
  orderToSign,
  type SigningVenue,
} from 'openvenue/signing'
import { newOrder } from './order-input.ts'
import { ToolError } from './tool-error.ts'
import type { Input } from './tool-input.ts'

/** An order with its numbers in human units. */
export type BuiltOrder = OrderToSign &
  Readonly<{
    market: string
    asset: string
    quoteAsset: string
    price: string
    amount: string
    trigger: string | undefined
  }>

export class TradingAccount {
  readonly rest: Rest
  readonly address: Address
  #venue: Promise<SigningVenue> | undefined

  constructor(rest: Rest, address: string) {
    this.rest = rest
    this.address = address as Address
  }

  /** Returns an order to sign, with a salt of its own. */
  async build(input: Input): Promise<BuiltOrder> {
    const order = newOrder(input, this.address)
    const { venue, market } = await this.#marketOf(order.market)
    const { data, body } = orderToSign(venue, this.address, order)
    const priceOf = (raw: string | number) => fromRaw(BigInt(raw), market.quote_decimals)
    return {
      data,
      body,
      market: market.instrument_name,
      asset: market.underlying_asset,
      quoteAsset: market.quote_asset,
      price: priceOf(body.limit_price),
      amount: fromRaw(BigInt(body.amount), market.base_decimals),
      trigger: body.trigger === undefined ? undefined : priceOf(body.trigger),
    }
  }

  /** Returns the venue, which is read once. */
  async venue(): Promise<SigningVenue> {
    this.#venue ??= loadVenue(this.rest)
    try {
      return await this.#venue
    } catch (error) {
      this.#venue = undefined
      throw error
    }
  }

  /** Reloads the venue for an unknown market, which may have been listed since. */
  async #marketOf(name: string) {
    const cached = await this.venue()
    const venue = findMarket(cached, name) === undefined ? await this.#reload(cached) : cached
    const market = findMarket(venue, name)
    if (market !== undefined) return { venue, market }
    throw new ToolError('INSTRUMENT_NOT_FOUND', 'market: expected a name of get_markets', {
      market: name,
    })
  }

  /** Pins the chain and contracts of the first read, whatever the venue reports later. */
  async #reload({ contracts, info }: SigningVenue): Promise<SigningVenue> {
    const pinned = { ...contracts, chainId: info.network.chain_id }
    const venue = await loadVenue(this.rest, { pinned })
    this.#venue = Promise.resolve(venue)
    return venue
  }
}

function findMarket(venue: SigningVenue, name: string) {
  try {
    return venue.market(name).market
  } catch (error) {
    if (!(error instanceof OpenvenueError) || error instanceof MismatchError) throw error
    return undefined
  }
}

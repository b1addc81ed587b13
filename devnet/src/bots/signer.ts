// Signs orders with a signing key, as GET /info publishes them, and writes the bodies that the
// venue takes.
import { type Hex, numberToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { makeSalts } from './salts.ts'
import type { VenueClient } from './venue-client.ts'

/** A market as GET /markets has it. */
export type MarketFacts = Readonly<{
  instrument_id: string
  instrument_name: string
  instrument_type: 'SPOT' | 'PERPETUAL'
  price_step: string
  amount_step: string
  base_decimals: number
  quote_decimals: number
}>

/** What is ordered: prices and amounts as signed. */
export type OrderTerms = Readonly<{
  market: MarketFacts
  isBuy: boolean
  limitPrice: bigint
  amount: bigint
  kind: 'post-only' | 'gtc' | 'ioc'
  clientOrderId: string
  /** Chain id of the resting order that it replaces. */
  replaces?: string | undefined
  /** What rested of it then; what has left it since is taken off the amount. */
  replacesAmount?: bigint | undefined
}>

type OrderMessage = Readonly<{
  domain: Readonly<Record<string, unknown>>
  types: Readonly<Record<string, readonly Readonly<{ name: string; type: string }>[]>>
  primaryType: string
}>
type Info = Readonly<{ typed_data: Readonly<Record<string, Readonly<{ Order: OrderMessage }>>> }>

const NOTHING = numberToHex(0, { size: 32 })
const TIME_IN_FORCE = { gtc: 0, ioc: 1, 'post-only': 3 } as const
/** The last hexadecimal digits of an instrument's id are its number at its engine. */
const NUMBER_DIGITS = 8
const DEADLINE_SECONDS = 120
const nextSalt = makeSalts(Date.now())

export class Signer {
  readonly account: string
  readonly #key: PrivateKeyAccount
  readonly #info: Info

  private constructor(account: string, key: PrivateKeyAccount, info: Info) {
    this.account = account
    this.#key = key
    this.#info = info
  }

  /** Reads what is to be signed from the venue itself. */
  static async open(client: VenueClient, account: string, privateKey: Hex): Promise<Signer> {
    const info = await client.ask<Info>('GET', '/info')
    return new Signer(account, privateKeyToAccount(privateKey), info)
  }

  /** Returns the body of POST /orders. */
  async orderBody({ market, isBuy, limitPrice, amount, kind, ...of }: OrderTerms) {
    const salt = nextSalt()
    const deadline = BigInt(Math.floor(Date.now() / 1_000) + DEADLINE_SECONDS)
    const replaces = of.replaces ?? NOTHING
    const replacesAmount = of.replacesAmount ?? 0n
    const signature = await this.#sign(market, {
      account: this.account,
      market: Number.parseInt(market.instrument_id.slice(-NUMBER_DIGITS), 16),
      isBuy,
      limitPrice,
      amount,
      timeInForce: TIME_IN_FORCE[kind],
      reduceOnly: false,
      triggerKind: 0,
      triggerPrice: 0n,
      goodTil: 0n,
      maxFills: 0,
      replaces,
      replacesAmount,
      salt,
      deadline,
    })
    return {
      instrument: market.instrument_name,
      maker: this.account,
      is_buy: isBuy,
      limit_price: limitPrice.toString(),
      amount: amount.toString(),
      salt: salt.toString(),
      deadline: deadline.toString(),
      signature,
      time_in_force: kind === 'ioc' ? 'IOC' : 'GTC',
      post_only: kind === 'post-only',
      ...(replaces === NOTHING ? {} : { replaces, replaces_amount: replacesAmount.toString() }),
      client_order_id: of.clientOrderId,
    }
  }

  #sign({ instrument_type: type }: MarketFacts, message: object): Promise<Hex> {
    const published = this.#info.typed_data[type === 'SPOT' ? 'spot' : 'perps']?.Order
    if (published === undefined) throw new Error('/info publishes the order of the engine')
    const { domain, types, primaryType } = published
    return this.#key.signTypedData({ domain, types, primaryType, message } as never)
  }
}

// The members of an order: what each may be, and what the library, the API and the MCP server call
// it. The checks, the table of names in README.md and the input of the MCP server are made of it.
import type { Order } from '../../generated/shapes.ts'
import {
  type Check,
  isDecimal,
  isFlag,
  isText,
  isUnixSeconds,
  type Members,
  objectOf,
  oneOf,
  textTo,
  wholeFrom,
} from '../input.ts'
import type { OrderSide } from '../numbers.ts'
import { isHash, isWord } from './checks.ts'
import { isChecked } from './checksum.ts'
import type { Address } from './typed-data.ts'

/**
 * An order in the units that people trade in: prices and amounts are decimal text. A member that is
 * there has a value: leave out what is not wanted.
 */
export type NewOrder = Readonly<{
  /** Name of the market, such as `ETH-PERP`. */
  market: string
  side: OrderSide
  /** In the base asset; rounded down to a whole number of steps. */
  amount: string
  /** The worst price, in the quote asset; rounded to a step that is never worse for you. */
  price: string
  /** GTC unless given. */
  timeInForce?: 'GTC' | 'IOC' | 'FOK'
  /**
   * market: an IOC order that is shown as a market order, whose price is the worst that you accept.
   * Not signed; limit unless given.
   */
  orderType?: 'limit' | 'market'
  /** With GTC only: refused rather than filled at once. */
  postOnly?: boolean
  /** Perpetuals only: never enlarges a position. */
  reduceOnly?: boolean
  /** Held until the mark reaches the price; rounded as a price, which fires no later than asked. */
  trigger?: Readonly<{ kind: 'STOP_LOSS' | 'TAKE_PROFIT'; price: string }>
  /** The last second in which it trades. Unix seconds. */
  goodTilSeconds?: number
  /** Makers that it meets at most, up to 100; 100 unless given. */
  maxFills?: number
  /**
   * The order that it replaces, as the venue answers it: `amount` is then the total, with what has
   * filled of that order and still fills before the chain has the edit. Or only the
   * `chain_order_id` of it, with `replacesAmount`.
   */
  replaces?: string | ReplacedOrder
  /**
   * With an id in `replaces`: how much of that order `amount` counts. What has left it since is
   * taken off `amount`. With its `remaining`, `amount` is what rests beside the fills so far; with
   * its `amount`, the total. Rounded as amount.
   */
  replacesAmount?: string
  /** Two orders of one salt exclude each other. Chosen unless given. */
  salt?: bigint
  /** The last second in which it may be sent; in a day unless given. Unix seconds. */
  deadlineSeconds?: number
  /** The wallet or sub-account, where the signer is a key of it. */
  account?: Address
  /** A name of your own; not signed. */
  clientOrderId?: string
  /** Covered by market-maker protection; not signed. */
  mmp?: boolean
  /** `order_id` of the order whose first fill arms this one; not signed. */
  parentOrderId?: string
}>

/** What an edit reads of the order that it replaces. */
export type ReplacedOrder = Pick<Order, 'chain_order_id' | 'amount' | 'side'>

/** Makers that an order meets at most. */
const MAX_FILLS_MAX = 100
const CLIENT_ORDER_ID_LENGTH_MAX = 36

type Trigger = NonNullable<NewOrder['trigger']>
const isTrigger = /* @__PURE__ */ objectOf<Trigger>(
  { kind: /* @__PURE__ */ oneOf('STOP_LOSS', 'TAKE_PROFIT'), price: isDecimal },
  { stop: 'kind', trigger: 'price' },
)

/** The id of an order, or an order as the venue answers it, which has more members. */
const isReplaced: Check = (value, name) => {
  if (typeof value !== 'object' || value === null) return isHash(value, name)
  const { chain_order_id: id, amount, side } = value as Readonly<Record<string, unknown>>
  if (id !== null && isHash(id, '') !== undefined) return 'an order with its chain_order_id'
  if (isDecimal(amount, '') !== undefined) return 'an order with its amount'
  return isSide(side, '') === undefined ? undefined : 'an order with its side'
}
const isSide = /* @__PURE__ */ oneOf('buy', 'sell')

/** What each member of an order may be. */
export const ORDER: Members<NewOrder> = {
  market: isText,
  side: isSide,
  amount: isDecimal,
  price: isDecimal,
  timeInForce: [/* @__PURE__ */ oneOf('GTC', 'IOC', 'FOK')],
  orderType: [/* @__PURE__ */ oneOf('limit', 'market')],
  postOnly: [isFlag],
  reduceOnly: [isFlag],
  trigger: [isTrigger],
  goodTilSeconds: [isUnixSeconds],
  maxFills: [/* @__PURE__ */ wholeFrom(1, MAX_FILLS_MAX)],
  replaces: [isReplaced],
  replacesAmount: [isDecimal],
  salt: [isWord],
  deadlineSeconds: [isUnixSeconds],
  account: [isChecked],
  clientOrderId: [/* @__PURE__ */ textTo(CLIENT_ORDER_ID_LENGTH_MAX)],
  mmp: [isFlag],
  parentOrderId: [isHash],
}

/** Names of the API that are other words than those of the library. */
const REST_WORDS = {
  market: 'instrument',
  side: 'is_buy',
  price: 'limit_price',
  account: 'maker',
} as const satisfies Partial<Record<keyof NewOrder, string>>

/** What the library calls the members of others. Those that differ in case and `_` are found. */
export const OTHER_NAMES: Readonly<Record<string, keyof NewOrder>> = {
  instrument: 'market',
  instrument_id: 'market',
  instrument_name: 'market',
  symbol: 'market',
  is_buy: 'side',
  direction: 'side',
  limit_price: 'price',
  limitPrice: 'price',
  size: 'amount',
  quantity: 'amount',
  maker: 'account',
  stop: 'trigger',
  triggerPrice: 'trigger',
}

/** Chosen by the MCP server itself. */
const NOT_OF_MCP: readonly string[] = ['salt', 'account', 'mmp', 'orderType']

/** The names of a member. What has no unit in its name elsewhere counts Unix seconds there too. */
export type MemberNames = Readonly<{
  library: keyof NewOrder
  rest: string
  /** Undefined where the MCP server has no such member. */
  mcp: string | undefined
}>

/** Returns what the library, the API and the MCP server call each member of an order. */
export const orderNames = (): readonly MemberNames[] =>
  (Object.keys(ORDER) as (keyof NewOrder)[]).map((library) => {
    const plain = library.replace(/Seconds$/, '')
    const snake = plain.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const words: Readonly<Record<string, string>> = REST_WORDS
    const mcp = NOT_OF_MCP.includes(library) ? undefined : snake
    return { library, rest: words[library] ?? snake, mcp }
  })

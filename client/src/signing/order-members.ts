// Members of an order: their rules, and their names in the library, the API and the MCP server.
// Source of the checks, of the table of names in README.md and of the MCP server's input.
import type { Order } from '../../generated/shapes.ts'
import {
  type Check,
  isDecimal,
  isFlag,
  isText,
  isUnixSeconds,
  type MemberChecks,
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
 * An order in human units: prices and amounts are decimal text. Every member that is present needs
 * a value: leave out those that do not apply.
 */
export type NewOrder = Readonly<{
  /** Name of the market, such as `ETH-PERP`. */
  market: string
  side: OrderSide
  /** In the base asset; rounded down to a whole number of steps. */
  amount: string
  /** Worst price, in the quote asset; rounded to a step in your favour. */
  price: string
  /** GTC by default. */
  timeInForce?: 'GTC' | 'IOC' | 'FOK'
  /**
   * market: an IOC order that is shown as a market order, with the worst acceptable price. Not
   * signed; limit by default.
   */
  orderType?: 'limit' | 'market'
  /** GTC only: the order is refused if it would fill at once. */
  postOnly?: boolean
  /** Perpetuals only: the order never increases a position. */
  reduceOnly?: boolean
  /** Held until the mark reaches the price, which is rounded so that it does not fire later. */
  trigger?: Readonly<{ kind: 'STOP_LOSS' | 'TAKE_PROFIT'; price: string }>
  /** Last second in which the order can trade. Unix seconds. */
  goodTilSeconds?: number
  /** Maximum number of makers to fill against; 100 by default and at most. */
  maxFills?: number
  /**
   * Order that this one replaces, as the venue returned it: `amount` is then the total, including
   * fills of that order before or until the edit reaches the chain. Or only its `chain_order_id`,
   * together with `replacesAmount`.
   */
  replaces?: string | ReplacedOrder
  /**
   * With an id in `replaces`: the part of that order that `amount` accounts for. Fills since then
   * are deducted from `amount`. Pass its `remaining` to make `amount` the resting amount, or its
   * `amount` to make it the total. Rounded like amount.
   */
  replacesAmount?: string
  /** Orders with the same salt exclude each other. Chosen automatically by default. */
  salt?: bigint
  /** Last second in which the order may be sent; in a day by default. Unix seconds. */
  deadlineSeconds?: number
  /** Wallet or sub-account, if the signer is its key. */
  account?: Address
  /** Name of your choice; not signed. */
  clientOrderId?: string
  /** Subject to market-maker protection; not signed. */
  mmp?: boolean
  /** `order_id` of the order whose first fill activates this one; not signed. */
  parentOrderId?: string
}>

/** Members of a replaced order that an edit reads. */
export type ReplacedOrder = Pick<Order, 'chain_order_id' | 'amount' | 'side'>

/** Maximum number of makers per order. */
const MAX_FILLS_MAX = 100
const CLIENT_ORDER_ID_LENGTH_MAX = 36

const isTrigger = /* @__PURE__ */ objectOf<NonNullable<NewOrder['trigger']>>(
  { kind: /* @__PURE__ */ oneOf('STOP_LOSS', 'TAKE_PROFIT'), price: isDecimal },
  { stop: 'kind', trigger: 'price' },
)

/** Accepts the id of an order, or an order as the venue returns it, with more members. */
const isReplaced: Check = (value, name) => {
  if (typeof value !== 'object' || value === null) return isHash(value, name)
  const { chain_order_id: id, amount, side } = value as Readonly<Record<string, unknown>>
  if (id !== null && isHash(id, '') !== undefined) return 'an order with its chain_order_id'
  if (isDecimal(amount, '') !== undefined) return 'an order with its amount'
  return isSide(side, '') === undefined ? undefined : 'an order with its side'
}
const isSide = /* @__PURE__ */ oneOf('buy', 'sell')

/** Rule of each member of an order. */
export const ORDER: MemberChecks<NewOrder> = {
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

/** Names of the API that differ in wording from those of the library. */
const REST_WORDS = {
  market: 'instrument',
  side: 'is_buy',
  price: 'limit_price',
  account: 'maker',
} as const satisfies Partial<Record<keyof NewOrder, string>>

/** Names of members elsewhere. Names that differ only in case and `_` need no entry. */
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

/** Chosen by the MCP server. */
const NOT_OF_MCP: readonly string[] = ['salt', 'account', 'mmp', 'orderType']

/** Names of a member. A time without a unit in its name is in Unix seconds. */
export type MemberNames = Readonly<{
  library: keyof NewOrder
  rest: string
  /** Undefined where the MCP server has no such member. */
  mcp: string | undefined
}>

/** Returns the name of each order member in the library, the API and the MCP server. */
export const orderNames = (): readonly MemberNames[] =>
  (Object.keys(ORDER) as (keyof NewOrder)[]).map((library) => {
    const plain = library.replace(/Seconds$/, '')
    const snake = plain.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const words: Readonly<Record<string, string>> = REST_WORDS
    const mcp = NOT_OF_MCP.includes(library) ? undefined : snake
    return { library, rest: words[library] ?? snake, mcp }
  })

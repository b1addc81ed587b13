// Reads what an order of ccxt says, in the units that are signed: decimal text, never a float.
import {
  ArgumentsRequired,
  type Dict,
  type Exchange,
  InvalidOrder,
  NotSupported,
  type Num,
  Precise,
} from 'ccxt'
import type { OrderSide } from 'openvenue'
import type { NewOrder } from 'openvenue/signing'

/** The arguments of `createOrder`. A type other than `market` has its own price. */
export type CcxtOrder = Readonly<{
  symbol: string
  type: string
  side: string
  amount: Num | string
  price: Num | string
  params: Dict
}>

type Trigger = Readonly<{ kind: 'STOP_LOSS' | 'TAKE_PROFIT'; price: string }>
/** Best prices of the other side, for an order that brings none. */
export type BestPrice = (symbol: string, side: OrderSide) => Promise<string>

/** Members of `params` that say something of an order; all others go with the request. */
const ORDER_PARAMS = [
  'clientOrderId',
  'timeInForce',
  'postOnly',
  'reduceOnly',
  'triggerPrice',
  'stopPrice',
  'triggerDirection',
  'stopLossPrice',
  'takeProfitPrice',
  'slippage',
  'deadlineSeconds',
  'goodTilSeconds',
  'maxFills',
  'mmp',
  'parentOrderId',
  'replaces',
  'replacesAmount',
  'salt',
]
const ATTACHED = ['stopLoss', 'takeProfit', 'trailingAmount', 'trailingPercent']

/** Takes out of `params` what an order is made of. */
export const withoutOrderParams = (ccxt: Exchange, params: Dict): Dict =>
  ccxt.omit(params, ORDER_PARAMS)

/** Returns the order to sign. Throws what ccxt throws of an order that says too little. */
export async function readOrder(
  ccxt: Exchange,
  order: CcxtOrder,
  bestPrice: BestPrice,
): Promise<NewOrder> {
  refuseAttached(ccxt, order.params)
  const { symbol, params } = order
  const side = sideOf(order)
  const trigger = triggerOf(ccxt, order, side)
  return {
    market: String(ccxt.market(symbol).id),
    side,
    amount: String(ccxt.amountToPrecision(symbol, required(order.amount, 'an amount'))),
    price: await priceOf(ccxt, { ...order, side, trigger }, bestPrice),
    ...timeOf(ccxt, order),
    ...(ccxt.safeBool(params, 'reduceOnly', false) && { reduceOnly: true }),
    ...(ccxt.safeBool(params, 'mmp', false) && { mmp: true }),
    ...(trigger && { trigger }),
    ...membersOf(ccxt, params),
  }
}

const required = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new ArgumentsRequired(`openvenue orders need ${what}`)
  return value
}

function sideOf({ side }: CcxtOrder): OrderSide {
  if (side === 'buy' || side === 'sell') return side
  throw new InvalidOrder(`openvenue orders buy or sell, and not ${side}`)
}

/** Each signed order is placed alone: what hangs on another is made by `parentOrderId`. */
function refuseAttached(ccxt: Exchange, params: Dict): void {
  const found = ATTACHED.find((name) => ccxt.safeValue(params, name) !== undefined)
  if (found !== undefined)
    throw new NotSupported(
      `openvenue has no ${found} of an order: place another with parentOrderId, ` +
        'and stopLossPrice or takeProfitPrice',
    )
}

function membersOf(ccxt: Exchange, params: Dict): Partial<NewOrder> {
  const [clientOrderId, parentOrderId, replaces, replacesAmount, salt] = [
    'clientOrderId',
    'parentOrderId',
    'replaces',
    'replacesAmount',
    'salt',
  ].map((name) => ccxt.safeString(params, name))
  const [deadlineSeconds, goodTilSeconds, maxFills] = [
    'deadlineSeconds',
    'goodTilSeconds',
    'maxFills',
  ].map((name) => ccxt.safeInteger(params, name))
  const now = Math.floor(ccxt.milliseconds() / 1000)
  const life = Number(ccxt.safeInteger(ccxt.options, 'deadlineSeconds'))
  return {
    deadlineSeconds: deadlineSeconds ?? now + life,
    ...(clientOrderId !== undefined && { clientOrderId }),
    ...(parentOrderId !== undefined && { parentOrderId }),
    ...(replaces !== undefined && { replaces }),
    ...(replacesAmount !== undefined && { replacesAmount }),
    ...(salt !== undefined && { salt: BigInt(salt) }),
    ...(goodTilSeconds !== undefined && { goodTilSeconds }),
    ...(maxFills !== undefined && { maxFills }),
  }
}

/** A market order takes what it finds at once. */
function timeOf(ccxt: Exchange, { type, params }: CcxtOrder): Partial<NewOrder> {
  const said = ccxt.safeStringUpper(params, 'timeInForce')
  const isPostOnly = said === 'PO' || ccxt.safeBool(params, 'postOnly', false) === true
  if (type === 'market') {
    if (isPostOnly) throw new InvalidOrder('openvenue market orders take, and are never post-only')
    return { timeInForce: said === 'FOK' ? 'FOK' : 'IOC' }
  }
  if (isPostOnly) return { postOnly: true }
  if (said === undefined || said === 'GTC' || said === 'IOC' || said === 'FOK')
    return { timeInForce: said ?? 'GTC' }
  throw new InvalidOrder(`openvenue has GTC, IOC, FOK and PO as timeInForce, and not ${said}`)
}

/** A plain trigger price is that of a stop: a buy fires above, a sell below, unless it says so. */
function triggerOf(ccxt: Exchange, { symbol, params }: CcxtOrder, side: OrderSide) {
  const [stopLoss, takeProfit] = ['stopLossPrice', 'takeProfitPrice'].map((name) =>
    ccxt.safeString(params, name),
  )
  const plain = ccxt.safeString2(params, 'triggerPrice', 'stopPrice')
  const text = stopLoss ?? takeProfit ?? plain
  if (text === undefined) return undefined
  const price = String(ccxt.priceToPrecision(symbol, text))
  if (stopLoss !== undefined) return { kind: 'STOP_LOSS', price } satisfies Trigger
  if (takeProfit !== undefined) return { kind: 'TAKE_PROFIT', price } satisfies Trigger
  const direction = ccxt.safeString(params, 'triggerDirection')
  const isUp = direction === undefined ? side === 'buy' : UPWARDS.includes(direction)
  const kind = isUp === (side === 'buy') ? 'STOP_LOSS' : 'TAKE_PROFIT'
  return { kind, price } satisfies Trigger
}
const UPWARDS = ['ascending', 'above', 'up']

type Priced = CcxtOrder & Readonly<{ side: OrderSide; trigger: Trigger | undefined }>

/** The limit that is signed: of a market order the worst price that it may trade at. */
async function priceOf(ccxt: Exchange, order: Priced, bestPrice: BestPrice): Promise<string> {
  const { symbol, side, type, price, trigger, params } = order
  if (type === 'limit') return String(ccxt.priceToPrecision(symbol, required(price, 'a price')))
  if (type !== 'market')
    throw new InvalidOrder(`openvenue has limit and market orders, and not ${type}`)
  const slippage = ccxt.safeString(params, 'slippage') ?? ccxt.safeString(ccxt.options, 'slippage')
  const from = price === undefined ? trigger?.price : ccxt.numberToString(price)
  const factor =
    side === 'buy' ? Precise.stringAdd('1', slippage) : Precise.stringSub('1', slippage)
  return String(Precise.stringMul(from ?? (await bestPrice(symbol, side)), factor))
}

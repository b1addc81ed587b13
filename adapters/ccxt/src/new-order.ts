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
import {
  flagParam,
  positiveParam,
  positiveText,
  required,
  TRIGGERS,
  textParam,
  wholeNumber,
  wholeParam,
} from './params.ts'

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
  refuseAttached(order.params)
  const { symbol, params } = order
  const side = sideOf(order)
  const trigger = triggerOf(ccxt, order, side)
  const amount = positiveText('amount', required(order.amount, 'an amount'))
  return {
    market: String(ccxt.market(symbol).id),
    side,
    amount: String(ccxt.amountToPrecision(symbol, amount)),
    price: await priceOf(ccxt, { ...order, side, trigger }, bestPrice),
    ...timeOf(order),
    ...(flagParam(params, 'reduceOnly') && { reduceOnly: true }),
    ...(flagParam(params, 'mmp') && { mmp: true }),
    ...(trigger && { trigger }),
    ...membersOf(ccxt, params),
  }
}

function sideOf({ side }: CcxtOrder): OrderSide {
  if (side === 'buy' || side === 'sell') return side
  throw new InvalidOrder(`openvenue orders buy or sell, and not ${side}`)
}

/** Each signed order is placed alone: what hangs on another is made by `parentOrderId`. */
function refuseAttached(params: Dict): void {
  const found = ATTACHED.find((name) => Object.hasOwn(params, name))
  if (found !== undefined)
    throw new NotSupported(
      `openvenue has no ${found} of an order: place another with parentOrderId, ` +
        'and stopLossPrice or takeProfitPrice',
    )
}

function membersOf(ccxt: Exchange, params: Dict): Partial<NewOrder> {
  const [clientOrderId, parentOrderId, replaces] = [
    'clientOrderId',
    'parentOrderId',
    'replaces',
  ].map((name) => textParam(params, name))
  const [deadlineSeconds, goodTilSeconds, maxFills] = [
    'deadlineSeconds',
    'goodTilSeconds',
    'maxFills',
  ].map((name) => wholeParam(params, name))
  const replacesAmount = positiveParam(params, 'replacesAmount')
  const salt = textParam(params, 'salt')
  if (salt !== undefined && !/^\d{1,78}$/.test(salt))
    throw new InvalidOrder('openvenue salt is a whole number in digits')
  const now = Math.floor(ccxt.milliseconds() / 1000)
  const { deadlineSeconds: life } = ccxt.options
  return {
    deadlineSeconds: deadlineSeconds ?? now + wholeNumber('options.deadlineSeconds', life),
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
function timeOf({ type, params }: CcxtOrder): Partial<NewOrder> {
  const said = textParam(params, 'timeInForce')?.toUpperCase()
  const isPostOnly = said === 'PO' || flagParam(params, 'postOnly')
  if (said !== undefined && !TIMES.includes(said))
    throw new InvalidOrder(`openvenue has ${TIMES.join(', ')} as timeInForce, and not ${said}`)
  if (isPostOnly && (said === 'IOC' || said === 'FOK'))
    throw new InvalidOrder(`openvenue ${said} orders are never post-only`)
  if (type === 'market') {
    if (isPostOnly) throw new InvalidOrder('openvenue market orders take, and are never post-only')
    return { timeInForce: said === 'FOK' ? 'FOK' : 'IOC' }
  }
  if (isPostOnly) return { postOnly: true }
  return { timeInForce: (said ?? 'GTC') as 'GTC' | 'IOC' | 'FOK' }
}
const TIMES = ['GTC', 'IOC', 'FOK', 'PO']

/** A plain trigger price is that of a stop: a buy fires above, a sell below, unless it says so. */
function triggerOf(ccxt: Exchange, { symbol, params }: CcxtOrder, side: OrderSide) {
  const given = TRIGGERS.filter((name) => Object.hasOwn(params, name))
  const [name, other] = given
  if (other !== undefined)
    throw new InvalidOrder(`openvenue orders have one trigger, and not ${given.join(' and ')}`)
  const isUp = directionOf(params)
  if (name === undefined) {
    if (isUp === undefined) return undefined
    throw new ArgumentsRequired('openvenue triggerDirection goes with a triggerPrice')
  }
  const price = String(ccxt.priceToPrecision(symbol, positiveText(name, params[name])))
  if (name === 'stopLossPrice') return { kind: 'STOP_LOSS', price } satisfies Trigger
  if (name === 'takeProfitPrice') return { kind: 'TAKE_PROFIT', price } satisfies Trigger
  const kind = (isUp ?? side === 'buy') === (side === 'buy') ? 'STOP_LOSS' : 'TAKE_PROFIT'
  return { kind, price } satisfies Trigger
}
const UPWARDS = ['ascending', 'above', 'up']
const DOWNWARDS = ['descending', 'below', 'down']

/** Whether a trigger fires at or above its price; undefined where nothing says so. */
function directionOf(params: Dict): boolean | undefined {
  const direction = textParam(params, 'triggerDirection')
  if (direction === undefined) return undefined
  if (UPWARDS.includes(direction)) return true
  if (DOWNWARDS.includes(direction)) return false
  const names = [...UPWARDS, ...DOWNWARDS].join(', ')
  throw new InvalidOrder(`openvenue triggerDirection is one of ${names}, and not ${direction}`)
}

type Priced = CcxtOrder & Readonly<{ side: OrderSide; trigger: Trigger | undefined }>

/** The limit that is signed: of a market order the worst price that it may trade at. */
async function priceOf(ccxt: Exchange, order: Priced, bestPrice: BestPrice): Promise<string> {
  const { symbol, side, type, trigger, params } = order
  const price = order.price === undefined ? undefined : positiveText('price', order.price)
  if (type === 'limit') return String(ccxt.priceToPrecision(symbol, required(price, 'a price')))
  if (type !== 'market')
    throw new InvalidOrder(`openvenue has limit and market orders, and not ${type}`)
  const factor = factorOf(side, slippageOf(ccxt, params))
  const from = price ?? trigger?.price ?? (await bestPrice(symbol, side))
  return String(Precise.stringMul(from, factor))
}

/** A fraction of the price below 1. */
function slippageOf(ccxt: Exchange, params: Dict): string {
  const name = Object.hasOwn(params, 'slippage') ? 'slippage' : 'options.slippage'
  const value = name === 'slippage' ? params.slippage : ccxt.options.slippage
  const text = value === 0 || value === '0' ? '0' : positiveText(name, value)
  if (Precise.stringLt(text, '1')) return text
  throw new InvalidOrder(`openvenue ${name} is a fraction below 1, and not ${text}`)
}

const factorOf = (side: OrderSide, slippage: string): string | undefined =>
  side === 'buy' ? Precise.stringAdd('1', slippage) : Precise.stringSub('1', slippage)

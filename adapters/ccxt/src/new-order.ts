// Converts a ccxt order to the units that are signed: decimal text, never floats.
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

/** Arguments of `createOrder`. Types other than `market` need a price. */
export type CcxtOrder = Readonly<{
  symbol: string
  type: string
  side: string
  amount: Num | string
  price: Num | string
  params: Dict
}>

type Trigger = Readonly<{ kind: 'STOP_LOSS' | 'TAKE_PROFIT'; price: string }>
/** Returns the best price of the opposite side, for orders without a price. */
type BestPrice = (symbol: string, side: OrderSide) => Promise<string>

/** Members of `params` that describe an order; all others go with the request. */
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

/** Removes the members of an order from `params`. */
export const withoutOrderParams = (ccxt: Exchange, params: Dict): Dict =>
  ccxt.omit(params, ORDER_PARAMS)

/** Returns the order to sign. Throws ccxt exceptions for incomplete or invalid orders. */
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
  throw new InvalidOrder(`openvenue side: got ${side}, expected buy or sell`)
}

/** Every signed order is placed on its own; `parentOrderId` links dependent orders. */
function refuseAttached(params: Dict): void {
  const attached = ATTACHED.find((name) => Object.hasOwn(params, name))
  if (attached !== undefined)
    throw new NotSupported(
      `openvenue ${attached} is not supported: place a second order with parentOrderId ` +
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
    throw new InvalidOrder(`openvenue salt: got ${salt}, expected up to 78 digits`)
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

/** A market order fills immediately or is cancelled. */
function timeOf({ type, params }: CcxtOrder): Partial<NewOrder> {
  const force = textParam(params, 'timeInForce')?.toUpperCase()
  const isPostOnly = force === 'PO' || flagParam(params, 'postOnly')
  if (force !== undefined && !TIMES.includes(force))
    throw new InvalidOrder(`openvenue timeInForce: got ${force}, expected ${TIMES.join(', ')}`)
  if (isPostOnly && (force === 'IOC' || force === 'FOK'))
    throw new InvalidOrder(`openvenue timeInForce: ${force} orders cannot be post-only`)
  if (type === 'market') {
    if (isPostOnly) throw new InvalidOrder('openvenue market orders cannot be post-only')
    return { timeInForce: force === 'FOK' ? 'FOK' : 'IOC' }
  }
  if (isPostOnly) return { postOnly: true }
  return { timeInForce: (force ?? 'GTC') as 'GTC' | 'IOC' | 'FOK' }
}
const TIMES = ['GTC', 'IOC', 'FOK', 'PO']

/** A plain trigger price is a stop: buys fire above, sells below, unless a direction is given. */
function triggerOf(ccxt: Exchange, { symbol, params }: CcxtOrder, side: OrderSide) {
  const given = TRIGGERS.filter((name) => Object.hasOwn(params, name))
  const [name, other] = given
  if (other !== undefined)
    throw new InvalidOrder(`openvenue params: got ${given.join(' and ')}, expected one trigger`)
  const isUp = directionOf(params)
  if (name === undefined) {
    if (isUp === undefined) return undefined
    throw new ArgumentsRequired('openvenue triggerDirection requires a triggerPrice')
  }
  const price = String(ccxt.priceToPrecision(symbol, positiveText(name, params[name])))
  if (name === 'stopLossPrice') return { kind: 'STOP_LOSS', price } satisfies Trigger
  if (name === 'takeProfitPrice') return { kind: 'TAKE_PROFIT', price } satisfies Trigger
  const kind = (isUp ?? side === 'buy') === (side === 'buy') ? 'STOP_LOSS' : 'TAKE_PROFIT'
  return { kind, price } satisfies Trigger
}
const UPWARDS = ['ascending', 'above', 'up']
const DOWNWARDS = ['descending', 'below', 'down']

/** Returns whether a trigger fires at or above its price; undefined without a direction. */
function directionOf(params: Dict): boolean | undefined {
  const direction = textParam(params, 'triggerDirection')
  if (direction === undefined) return undefined
  if (UPWARDS.includes(direction)) return true
  if (DOWNWARDS.includes(direction)) return false
  const names = [...UPWARDS, ...DOWNWARDS].join(', ')
  throw new InvalidOrder(`openvenue triggerDirection: got ${direction}, expected one of ${names}`)
}

type PricedOrder = CcxtOrder & Readonly<{ side: OrderSide; trigger: Trigger | undefined }>

/** Returns the signed limit price; for a market order, the worst acceptable price. */
async function priceOf(ccxt: Exchange, order: PricedOrder, bestPrice: BestPrice): Promise<string> {
  const { symbol, side, type, trigger, params } = order
  const price = order.price === undefined ? undefined : positiveText('price', order.price)
  if (type === 'limit') return String(ccxt.priceToPrecision(symbol, required(price, 'a price')))
  if (type !== 'market')
    throw new InvalidOrder(`openvenue type: got ${type}, expected limit or market`)
  const factor = factorOf(side, slippageOf(ccxt, params))
  const from = price ?? trigger?.price ?? (await bestPrice(symbol, side))
  return String(Precise.stringMul(from, factor))
}

/** Returns the slippage, a fraction of the price below 1. */
function slippageOf(ccxt: Exchange, params: Dict): string {
  const name = Object.hasOwn(params, 'slippage') ? 'slippage' : 'options.slippage'
  const value = name === 'slippage' ? params.slippage : ccxt.options.slippage
  const text = value === 0 || value === '0' ? '0' : positiveText(name, value)
  if (Precise.stringLt(text, '1')) return text
  throw new InvalidOrder(`openvenue ${name}: got ${text}, expected a fraction below 1`)
}

const factorOf = (side: OrderSide, slippage: string): string | undefined =>
  side === 'buy' ? Precise.stringAdd('1', slippage) : Precise.stringSub('1', slippage)

// Makes of a typed draft the orders to sign, or says which rule it breaks and what would do.
import { type shapes, toSteps } from 'openvenue'
import type { NewOrder } from 'openvenue/signing'
import { DraftFields } from './draft-fields.ts'
import type { OrderDraft, OrderProblem } from './order-protocol.ts'

const SECONDS_PER_HOUR = 3_600

export type OrderContext = Readonly<{
  market: shapes.Market
  /** Decimal text; undefined where nobody is. */
  bestBid: string | undefined
  bestAsk: string | undefined
  nowSeconds: number
}>

/** Exits wait for the first fill of the order, and exclude each other. */
export type OrderPlan = Readonly<{ order: NewOrder; exits: readonly NewOrder[] }>

export type Planned = Readonly<{
  plan: OrderPlan | undefined
  problems: readonly OrderProblem[]
}>

/** Returns the orders of a draft; none where it breaks a rule. */
export function planOrder(draft: OrderDraft, context: OrderContext): Planned {
  const fields = new DraftFields(draft, context.market)
  const slippage = hasSlippage(draft) ? fields.slippage() : undefined
  const planning = { draft, context, fields, slippage }
  const order = planParent(planning)
  const exits = order === undefined ? [] : planExits(planning, order)
  const isWhole = order !== undefined && fields.problems.length === 0
  return { plan: isWhole ? { order, exits } : undefined, problems: fields.problems }
}

type Planning = Readonly<{
  draft: OrderDraft
  context: OrderContext
  fields: DraftFields
  /** Undefined where it is not asked for, or not legal. */
  slippage: bigint | undefined
}>

/** Whether a part of the draft trades at what it finds, within its slippage. */
export const hasSlippage = ({ type, takeProfit, stopLoss }: OrderDraft): boolean =>
  type !== 'limit' || takeProfit.trim() !== '' || stopLoss.trim() !== ''

const isTriggered = ({ type }: OrderDraft): boolean => type === 'stop' || type === 'take-profit'

function planParent({ draft, context, fields, slippage }: Planning): NewOrder | undefined {
  const trigger = isTriggered(draft) ? fields.price('trigger') : undefined
  const price =
    draft.type === 'limit'
      ? fields.price('price')
      : boundedPrice({ draft, context, fields, slippage }, trigger)
  const amount = fields.amount()
  const force = planForce(draft, fields, context.nowSeconds)
  if (draft.isReduceOnly && context.market.instrument_type === 'SPOT')
    fields.refuse('isReduceOnly', 'A spot market has no positions to reduce')
  if (price === undefined || amount === undefined) return undefined
  const kind = draft.type === 'stop' ? 'STOP_LOSS' : 'TAKE_PROFIT'
  return {
    market: context.market.instrument_name,
    side: draft.side,
    ...{ amount, price, ...force },
    ...(draft.isReduceOnly && { reduceOnly: true }),
    ...(trigger !== undefined && { trigger: { kind, price: trigger } as const }),
  }
}

/** The worst price of an order that trades at once: from its trigger, or from who is there. */
function boundedPrice(planning: Planning, trigger: string | undefined): string | undefined {
  const { draft, context, fields, slippage } = planning
  const best = draft.side === 'buy' ? context.bestAsk : context.bestBid
  const from = isTriggered(draft) ? trigger : (best ?? context.market.mark_price ?? undefined)
  if (draft.type === 'market' && from === undefined)
    return fields.refuse('type', 'Nobody is there to trade with, and there is no mark price')
  if (slippage === undefined || from === undefined) return undefined
  return fields.bound(draft.side, from, slippage)
}

function planForce(
  { type, timeInForce, isPostOnly }: OrderDraft,
  fields: DraftFields,
  nowSeconds: number,
): Partial<NewOrder> {
  if (type !== 'limit') return { timeInForce: 'IOC' }
  if (timeInForce === 'IOC' || timeInForce === 'FOK') {
    if (isPostOnly) fields.refuse('isPostOnly', `${timeInForce} is filled at once, and never rests`)
    return { timeInForce }
  }
  const rests = { timeInForce: 'GTC', ...(isPostOnly && { postOnly: true }) } as const
  if (timeInForce === 'GTC') return rests
  const hours = fields.hours()
  if (hours === undefined) return {}
  return { ...rests, goodTilSeconds: nowSeconds + Number(hours) * SECONDS_PER_HOUR }
}

const EXITS = [
  { field: 'takeProfit', kind: 'TAKE_PROFIT', isBeyond: true },
  { field: 'stopLoss', kind: 'STOP_LOSS', isBeyond: false },
] as const

function planExits(planning: Planning, order: NewOrder): readonly NewOrder[] {
  const { draft, context, fields, slippage } = planning
  const step = context.market.price_step
  const side = order.side === 'buy' ? 'sell' : 'buy'
  return EXITS.flatMap(({ field, kind, isBeyond }) => {
    if (draft[field].trim() === '') return []
    const at = fields.price(field)
    if (at === undefined || slippage === undefined) return []
    const isAbove = toSteps(at, step) > toSteps(order.price, step)
    const wantsAbove = isBeyond === (order.side === 'buy')
    if (isAbove !== wantsAbove)
      fields.refuse(field, `It lies ${wantsAbove ? 'above' : 'below'} ${order.price}`)
    const { market, amount } = order
    const price = fields.bound(side, at, slippage)
    const exit = { market, side, amount, price, reduceOnly: true, timeInForce: 'IOC' } as const
    return [{ ...exit, trigger: { kind, price: at } }]
  })
}

// Makes of a typed draft the orders to sign, or says which rule it breaks and what would do.
import { fromSteps, type shapes, toSteps } from 'openvenue'
import type { NewOrder } from 'openvenue/signing'
import { DraftFields } from './draft-fields.ts'
import type { OrderDraft, OrderProblem } from './order-protocol.ts'

/** The last second that a good-til time can have: the contract has 40 bits for it. */
const GOOD_TIL_SECONDS_MAX = 2 ** 40 - 1
/** The last minute that a field of a date can show. */
const FIELD_SECONDS_MAX = Date.UTC(9999, 11, 31) / 1_000
/** What the venue holds until a mark is signed for so long where no key of it ends earlier. */
const HELD_SECONDS = 7 * 86_400

export type OrderContext = Readonly<{
  market: shapes.Market
  /** Decimal text; undefined where nobody is. */
  bestBid: string | undefined
  bestAsk: string | undefined
  nowSeconds: number
  /** When the key ends that signs; absent where nobody trades. */
  keyExpirySeconds?: number
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
  const amount = fields.amount(price)
  const force = isTriggered(draft)
    ? planHeld(draft, fields, context)
    : planForce(draft, fields, context.nowSeconds)
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
  if (type === 'market') return { timeInForce: 'IOC', orderType: 'market' }
  if (type !== 'limit') return { timeInForce: 'IOC' }
  if (timeInForce === 'IOC' || timeInForce === 'FOK') {
    if (isPostOnly) fields.refuse('isPostOnly', `${timeInForce} is filled at once, and never rests`)
    return { timeInForce }
  }
  const rests = { timeInForce: 'GTC', ...(isPostOnly && { postOnly: true }) } as const
  if (timeInForce === 'GTC') return rests
  const lastSeconds = Math.min(GOOD_TIL_SECONDS_MAX, FIELD_SECONDS_MAX)
  const why = 'The contract has no later time'
  const goodTilSeconds = fields.goodTil({ nowSeconds, lastSeconds, why })
  return goodTilSeconds === undefined ? {} : { ...rests, goodTilSeconds }
}

/** Until when an order waits for its mark: the contract asks for a key that still lives then. */
const heldSecondsMax = ({ nowSeconds, keyExpirySeconds }: OrderContext): number =>
  Math.min(nowSeconds + HELD_SECONDS, keyExpirySeconds ?? Number.POSITIVE_INFINITY)

/** One that waits for its trigger is IOC once it fires; its deadline says how long it waits. */
function planHeld(
  { timeInForce }: OrderDraft,
  fields: DraftFields,
  context: OrderContext,
): Partial<NewOrder> {
  const lastSeconds = heldSecondsMax(context)
  if (timeInForce !== 'GTD') return { timeInForce: 'IOC', deadlineSeconds: lastSeconds }
  const why = 'The key that signs it ends then: enable trading anew for longer'
  const { nowSeconds } = context
  const deadlineSeconds = fields.goodTil({ nowSeconds, lastSeconds, why })
  return deadlineSeconds === undefined ? {} : { timeInForce: 'IOC', deadlineSeconds }
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
    const fault = misplaced({
      at,
      step,
      price: order.price,
      wantsAbove: isBeyond === (side === 'sell'),
    })
    if (fault !== undefined) fields.refuse(field, ...fault)
    const { market, amount } = order
    const price = fields.bound(side, at, slippage)
    const exit = { market, side, amount, price, reduceOnly: true, timeInForce: 'IOC' } as const
    const deadlineSeconds = heldSecondsMax(context)
    return [{ ...exit, deadlineSeconds, trigger: { kind, price: at } }]
  })
}

type Exit = Readonly<{ at: string; step: string; price: NewOrder['price']; wantsAbove: boolean }>

/** Returns why an exit would fire at the price of its own order, and what would not. */
function misplaced({ at, step, price, wantsAbove }: Exit): [string, string[]] | undefined {
  const [exit, entry] = [toSteps(at, step), toSteps(price, step)]
  if (wantsAbove ? exit > entry : exit < entry) return undefined
  const beyond = entry + (wantsAbove ? 1n : -1n)
  const nearest = beyond > 0n ? [fromSteps(beyond, step)] : []
  return [`It lies ${wantsAbove ? 'above' : 'below'} ${price}`, nearest]
}

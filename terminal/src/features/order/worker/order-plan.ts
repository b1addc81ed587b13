// Converts a typed draft to the orders to sign, or reports the broken rule with legal values.
import { fromSteps, type shapes, toSteps } from 'openvenue'
import type { NewOrder } from 'openvenue/signing'
import type { OrderDraft, OrderProblem } from '../order-protocol.ts'
import * as text from '../text.ts'
import { DraftFields } from './draft-fields.ts'

/** The last second of a good-til time: the contract has 40 bits for it. */
const GOOD_TIL_SECONDS_MAX = 2 ** 40 - 1
/** The last minute that a date field can show. */
const FIELD_SECONDS_MAX = Date.UTC(9999, 11, 31) / 1_000
/** Lifetime of a trigger order, unless its signing key ends earlier. Seconds. */
const HELD_SECONDS = 7 * 86_400

export type OrderContext = Readonly<{
  market: shapes.Market
  /** Decimal text; undefined for an empty side. */
  bestBid: string | undefined
  bestAsk: string | undefined
  nowSeconds: number
  /** Expiry of the signing key; absent without an account. */
  keyExpirySeconds?: number
}>

/** Exits wait for the first fill of the order, and exclude each other. */
export type OrderPlan = Readonly<{ order: NewOrder; exits: readonly NewOrder[] }>

export type PlanResult = Readonly<{
  plan: OrderPlan | undefined
  problems: readonly OrderProblem[]
}>

/** Returns the orders of a draft; none if it breaks a rule. */
export function planOrder(draft: OrderDraft, context: OrderContext): PlanResult {
  const fields = new DraftFields(draft, context.market)
  const slippage = hasSlippage(draft) ? fields.slippage() : undefined
  const planning = { draft, context, fields, slippage }
  const order = planParent(planning)
  const exits = order === undefined ? [] : planExits(planning, order)
  const isWhole = order !== undefined && fields.problems.length === 0
  return { plan: isWhole ? { order, exits } : undefined, problems: fields.problems }
}

type PlanInput = Readonly<{
  draft: OrderDraft
  context: OrderContext
  fields: DraftFields
  /** Undefined if it is not needed, or not legal. */
  slippage: bigint | undefined
}>

/** Returns true if a part of the draft is a market order, bounded by its slippage. */
const hasSlippage = ({ type, takeProfit, stopLoss }: OrderDraft): boolean =>
  type !== 'limit' || takeProfit.trim() !== '' || stopLoss.trim() !== ''

const isTriggered = ({ type }: OrderDraft): boolean => type === 'stop' || type === 'take-profit'

function planParent({ draft, context, fields, slippage }: PlanInput): NewOrder | undefined {
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
    fields.refuse('isReduceOnly', text.noReduceOnlySpot)
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

/** Returns the price limit of a market order, derived from its trigger or from the best price. */
function boundedPrice(planning: PlanInput, trigger: string | undefined): string | undefined {
  const { draft, context, fields, slippage } = planning
  const best = draft.side === 'buy' ? context.bestAsk : context.bestBid
  const from = isTriggered(draft) ? trigger : (best ?? context.market.mark_price ?? undefined)
  if (draft.type === 'market' && from === undefined)
    return fields.refuse('type', text.noPriceToMatch)
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
    if (isPostOnly) fields.refuse('isPostOnly', text.neverRests(timeInForce))
    return { timeInForce }
  }
  const rests = { timeInForce: 'GTC', ...(isPostOnly && { postOnly: true }) } as const
  if (timeInForce === 'GTC') return rests
  const lastSeconds = Math.min(GOOD_TIL_SECONDS_MAX, FIELD_SECONDS_MAX)
  const goodTilSeconds = fields.goodTil({ nowSeconds, lastSeconds, reason: text.latestTime })
  return goodTilSeconds === undefined ? {} : { ...rests, goodTilSeconds }
}

/** Latest expiry of a trigger order: the contract requires a key that is still valid then. */
const heldSecondsMax = ({ nowSeconds, keyExpirySeconds }: OrderContext): number =>
  Math.min(nowSeconds + HELD_SECONDS, keyExpirySeconds ?? Number.POSITIVE_INFINITY)

/** A trigger order is IOC once it triggers; its deadline limits the wait. */
function planHeld(
  { timeInForce }: OrderDraft,
  fields: DraftFields,
  context: OrderContext,
): Partial<NewOrder> {
  const lastSeconds = heldSecondsMax(context)
  if (timeInForce !== 'GTD') return { timeInForce: 'IOC', deadlineSeconds: lastSeconds }
  const { nowSeconds } = context
  const deadlineSeconds = fields.goodTil({ nowSeconds, lastSeconds, reason: text.keyEndsThen })
  return deadlineSeconds === undefined ? {} : { timeInForce: 'IOC', deadlineSeconds }
}

const EXITS = [
  { field: 'takeProfit', kind: 'TAKE_PROFIT', isBeyond: true },
  { field: 'stopLoss', kind: 'STOP_LOSS', isBeyond: false },
] as const

function planExits(planning: PlanInput, order: NewOrder): readonly NewOrder[] {
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
      mustBeAbove: isBeyond === (side === 'sell'),
    })
    if (fault !== undefined) fields.refuse(field, ...fault)
    const { market, amount } = order
    const price = fields.bound(side, at, slippage)
    const exit = { market, side, amount, price, reduceOnly: true, timeInForce: 'IOC' } as const
    const deadlineSeconds = heldSecondsMax(context)
    return [{ ...exit, deadlineSeconds, trigger: { kind, price: at } }]
  })
}

type ExitOrder = Readonly<{
  at: string
  step: string
  price: NewOrder['price']
  mustBeAbove: boolean
}>

/** Returns why an exit would trigger at the entry price, and the nearest price that would not. */
function misplaced({ at, step, price, mustBeAbove }: ExitOrder): [string, string[]] | undefined {
  const [exit, entry] = [toSteps(at, step), toSteps(price, step)]
  if (mustBeAbove ? exit > entry : exit < entry) return undefined
  const beyond = entry + (mustBeAbove ? 1n : -1n)
  const nearest = beyond > 0n ? [fromSteps(beyond, step)] : []
  return [(mustBeAbove ? text.mustBeAbove : text.mustBeBelow)(`${price}`), nearest]
}

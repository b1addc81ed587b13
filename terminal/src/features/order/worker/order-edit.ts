// Replaces an order with one of another price, trigger or amount. One signature; the chain lets
// only one of the two live.
import {
  ConnectionError,
  fromRaw,
  fromSteps,
  OpenvenueError,
  type shapes,
  toRaw,
  toSteps,
} from 'openvenue'
import { type NewOrder, orderToSign, signOrder } from 'openvenue/signing'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import type { Session, SessionHolder } from '../../session/worker/session.ts'
import type {
  EditDraft,
  EditView,
  OrderCheck,
  OrderDraft,
  OrderProblem,
  PlaceResult,
} from '../order-protocol.ts'
import * as text from '../text.ts'
import { DraftFields } from './draft-fields.ts'
import { isRefusal, viewPreview } from './order-answer.ts'
import type { OrderNewsList } from './order-news.ts'
import { describePlan } from './order-words.ts'
import { viewProblem, viewRefusal } from './refusal-view.ts'

/**
 * Maximum number of sends. The same body is the same order, so it can be resent without an answer.
 */
const SENDS_MAX = 3
const ENDED = 'ORDER_DOES_NOT_EXIST'
const DECIMALS = 18
const NS_PER_SECOND = 1_000_000_000n

export type EditParts = Readonly<{
  sessions: SessionHolder
  news: OrderNewsList
  /** Returns an open order of the account. */
  order: (id: string) => shapes.Order | undefined
  market: (name: string) => shapes.Market | undefined
}>

type OrderInMarket = Readonly<{ order: shapes.Order; market: shapes.Market }>

export class OrderEdit {
  readonly #parts: EditParts
  #previewing = new AbortController()

  constructor(parts: EditParts) {
    this.#parts = parts
  }

  /** Returns an order to be edited; with `at`, moved to the nearest legal price. */
  read({ id, at }: Readonly<{ id: string; at: string }>): EditView {
    const edited = this.#find(id)
    if (edited === undefined) throw new Error(text.noOrderToEdit)
    return viewEdit(edited, at)
  }

  /** Checks and previews an edit. A newer request aborts an older one. */
  async check(draft: EditDraft): Promise<OrderCheck> {
    this.#previewing.abort()
    this.#previewing = new AbortController()
    const { signal } = this.#previewing
    const edited = this.#find(draft.id)
    if (edited === undefined) return { ...NOTHING, problems: [await this.#endedProblem(draft.id)] }
    const { order, problems } = planEdit(draft, edited)
    if (order === undefined) return { ...NOTHING, problems }
    const words = describeEdit(order, edited)
    const described = { ...NOTHING, words, warnings: editWarnings(order, edited) }
    try {
      const { hasty, venue, account } = this.#parts.sessions.require()
      const { body } = orderToSign(venue, account, order)
      const preview = await hasty.call('POST /orders/preview', { body }, { signal })
      const refusals = preview.refusals.map((rule) => viewProblem(rule, FORM, edited.market))
      if (!preview.is_accepted) return { ...described, problems: refusals }
      const previewed = { side: order.side, isTriggered: order.trigger !== undefined }
      return { ...described, preview: viewPreview(preview, edited.market, previewed) }
    } catch (error) {
      if (signal.aborted) return described
      const { problems, retryAfterMs } = await this.#refused(error, edited)
      return { ...described, problems, retryAfterMs }
    }
  }

  /** Signs the new order and sends it as a replacement of the old one. */
  async place(draft: EditDraft): Promise<PlaceResult> {
    const session = this.#parts.sessions.require()
    const edited = this.#find(draft.id)
    if (edited === undefined) return refusal([await this.#endedProblem(draft.id)])
    const { order, problems } = planEdit(draft, edited)
    if (order === undefined) return refusal(problems)
    try {
      const placed = await replace(session, draft.id, order)
      this.#parts.news.add(placedText(placed, edited))
      return { isPlaced: true, problems: [], retryAfterMs: undefined }
    } catch (error) {
      const { problems, retryAfterMs } = await this.#refused(error, edited)
      return { ...refusal(problems), retryAfterMs }
    }
  }

  #find(id: string): OrderInMarket | undefined {
    const order = this.#parts.order(id)
    const market = order && this.#parts.market(order.instrument_name)
    return order === undefined || market === undefined ? undefined : { order, market }
  }

  async #refused(
    error: unknown,
    { order, market }: OrderInMarket,
  ): Promise<Pick<PlaceResult, 'problems' | 'retryAfterMs'>> {
    if (!isRefusal(error)) {
      if (!(error instanceof OpenvenueError)) throw error
      return { problems: [problemOf(error.message)], retryAfterMs: undefined }
    }
    const { code, retryAfterMs } = error
    if (code === ENDED)
      return { problems: [await this.#endedProblem(order.order_id)], retryAfterMs }
    return { problems: viewRefusal(error, FORM, market), retryAfterMs }
  }

  /** Describes the outcome of an order that has ended. */
  async #endedProblem(id: string): Promise<OrderProblem> {
    const { rest } = this.#parts.sessions.require()
    const query = { include: 'closed' } as const
    const reading = rest.call('GET /orders/{order_id}', { path: { order_id: id }, query })
    const order = await reading.catch(() => undefined)
    if (order === undefined) return problemOf(text.endedNotModified)
    const filled = order.filled === '0' ? '' : showDecimal(order.filled)
    return problemOf(text.alreadyEnded(text.statusNames[order.order_status], filled))
  }
}

/** Problems of an edit are reported at the fields of a limit order. */
const FORM: OrderDraft = {
  ...{ market: '', side: 'buy', type: 'limit', price: '', trigger: '', amount: '' },
  ...{ slippage: '', timeInForce: 'GTC', goodTil: '', isPostOnly: false, isReduceOnly: false },
  ...{ takeProfit: '', stopLoss: '', amountUnit: 'base' },
}

const NOTHING: OrderCheck = {
  ...{ problems: [], words: '', warnings: [], hints: {}, preview: undefined },
  retryAfterMs: undefined,
}

const problemOf = (rule: string): OrderProblem => ({ field: undefined, text: rule, nearest: [] })

const refusal = (problems: readonly OrderProblem[]): PlaceResult => ({
  ...{ isPlaced: false, problems, retryAfterMs: undefined },
})

/** Returns the view of an edit. Dragging moves the trigger, if the order has one. */
export function viewEdit({ order, market }: OrderInMarket, at: string): EditView {
  const { order_id: id, side, amount, filled, trigger } = order
  const price = (value: string) => showDecimal(value, decimalsOf(market.price_step))
  const moved = at === '' ? { price: order.price, trigger } : moveTo(order, market.price_step, at)
  return {
    ...{ id, side, amount, price: moved.price },
    trigger: moved.trigger ?? '',
    market: order.instrument_name,
    words: text.editedOrder(
      { side, amount: showDecimal(amount) },
      {
        price: price(order.price),
        trigger: trigger === undefined ? '' : price(trigger),
        filled: filled === '0' ? '' : showDecimal(filled),
      },
    ),
  }
}

/** Moves an order; a triggered order's price limit keeps its distance from the trigger. */
function moveTo({ price, trigger }: shapes.Order, step: string, at: string) {
  const to = atLeastOne(nearestStep(at, step))
  if (trigger === undefined) return { price: fromSteps(to, step), trigger }
  const moved = toSteps(price, step) + to - toSteps(trigger, step)
  return { price: fromSteps(atLeastOne(moved), step), trigger: fromSteps(to, step) }
}

/** A dragged price lies anywhere between two steps. */
function nearestStep(at: string, step: string): bigint {
  const [down, up] = [toSteps(at, step, 'down'), toSteps(at, step, 'up')]
  const raw = toRaw(at, DECIMALS)
  const below = raw - toRaw(fromSteps(down, step), DECIMALS)
  const above = toRaw(fromSteps(up, step), DECIMALS) - raw
  return below <= above ? down : up
}

const atLeastOne = (steps: bigint): bigint => (steps > 0n ? steps : 1n)

type PlannedEdit = Readonly<{
  order: NewOrder | undefined
  problems: readonly OrderProblem[]
}>

/** Returns the replacement order; none if the edit breaks a rule. */
export function planEdit(draft: EditDraft, { order, market }: OrderInMarket): PlannedEdit {
  const { price, trigger, amount } = draft
  const fields = new DraftFields({ ...FORM, price, trigger, amount }, market)
  const at = order.trigger === undefined ? undefined : fields.price('trigger')
  const limit = fields.price('price')
  const size = fields.amount(limit)
  const gone = goneOf(order)
  if (size !== undefined && gone > 0n && toRaw(size, DECIMALS) <= gone) {
    const step = market.amount_step
    const least = fromSteps(toSteps(fromRaw(gone, DECIMALS), step, 'up') + 1n, step)
    fields.refuse('amount', text.alreadyFilled(showDecimal(fromRaw(gone, DECIMALS))), [least])
  }
  if (limit === undefined || size === undefined || fields.problems.length > 0)
    return { order: undefined, problems: fields.problems }
  const isSame = limit === order.price && size === order.amount && at === order.trigger
  if (isSame) return { order: undefined, problems: [problemOf(text.noChanges)] }
  return {
    order: { ...termsOf(order), amount: size, price: limit, ...triggerOf(order, at) },
    problems: [],
  }
}

/** Raw units, 18 decimals, that no longer rest: filled, or removed by a reduction. */
const goneOf = ({ amount, remaining }: shapes.Order): bigint =>
  toRaw(amount, DECIMALS) - toRaw(remaining, DECIMALS)

/** Describes what is signed, and how much of it has already filled. */
function describeEdit(order: NewOrder, edited: OrderInMarket): string {
  const words = describePlan({ order, exits: [] }, edited.market)
  const gone = goneOf(edited.order)
  if (gone === 0n) return words
  const rests = fromRaw(toRaw(order.amount, DECIMALS) - gone, DECIMALS)
  const filled = showDecimal(fromRaw(gone, DECIMALS))
  return text.alreadyFilledLeft(words, filled, showDecimal(rests))
}

const triggerOf = ({ stop }: shapes.Order, price: string | undefined): Partial<NewOrder> =>
  stop === undefined || price === undefined ? {} : { trigger: { kind: stop, price } }

/**
 * Returns the terms that an edit keeps. Only a resting order is named on the chain; a held one is
 * withdrawn first.
 */
function termsOf(order: shapes.Order): Pick<NewOrder, 'market' | 'side'> & Partial<NewOrder> {
  const { time_in_force: force, expires_timestamp: expires, parent_order_id: parent } = order
  const rests = order.order_status === 'opened' || order.order_status === 'partial'
  return {
    market: order.instrument_name,
    side: order.side,
    timeInForce: force === 'GTD' ? 'GTC' : force,
    ...(force === 'GTD' &&
      expires !== undefined && { goodTilSeconds: Number(BigInt(expires) / NS_PER_SECOND) }),
    ...(order.post_only && { postOnly: true }),
    ...(order.reduce_only && { reduceOnly: true }),
    ...(rests &&
      order.chain_order_id !== null && {
        // The chain also subtracts later fills, so the amount stays the total.
        replaces: order.chain_order_id,
        replacesAmount: order.amount,
      }),
    ...(parent !== undefined && { parentOrderId: parent }),
  }
}

/** Returns warnings about legal but unusual terms. */
function editWarnings({ side, price, trigger }: NewOrder, { order, market }: OrderInMarket) {
  const step = market.price_step
  const warnings: string[] = []
  if (order.parent_order_id !== undefined) warnings.push(text.unlinksPair)
  if (trigger === undefined) return warnings
  const [worst, at] = [toSteps(price, step), toSteps(trigger.price, step)]
  if (side === 'buy' ? worst < at : worst > at) warnings.push(text.limitBeyondTrigger)
  return warnings
}

async function replace(
  { venue, signer, account, hasty }: Session,
  id: string,
  order: NewOrder,
): Promise<shapes.PlacedOrder> {
  const body = await signOrder(venue, await signer(), { ...order, account })
  const request = { path: { order_id: id }, body }
  for (let sends = 1; ; sends++) {
    try {
      return await hasty.call('POST /orders/{order_id}', request)
    } catch (error) {
      if (sends === SENDS_MAX || !(error instanceof ConnectionError)) throw error
    }
  }
}

function placedText(placed: shapes.PlacedOrder, { order, market }: OrderInMarket): string {
  const price = (value: string) => showDecimal(value, decimalsOf(market.price_step))
  const { side, instrument_name: name, receipt } = placed
  const size = { side, amount: showDecimal(placed.amount), market: name }
  const from = price(order.trigger ?? order.price)
  const to = price(placed.trigger ?? placed.price)
  const write = receipt?.include_by_block ? text.newsEditSubmitted : text.newsEdited
  return write(size, from, to)
}

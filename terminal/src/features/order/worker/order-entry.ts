// Checks, previews and places the orders of the form.
import {
  ConnectionError,
  OpenvenueError,
  type Rest,
  type shapes,
  UnavailableError,
  UnexpectedAnswerError,
} from 'openvenue'
import { type NewOrder, nextSalt, orderToSign, signOrder } from 'openvenue/signing'
import { showDecimal } from '../../../text/decimal-text.ts'
import { sizeFor } from '../../account/worker/buying-power.ts'
import type { Session, SessionHolder } from '../../session/worker/session.ts'
import type { OrderCheck, OrderDraft, OrderProblem, PlaceResult } from '../order-protocol.ts'
import * as text from '../text.ts'
import { isRefusal, viewPreview } from './order-answer.ts'
import type { OrderNewsList } from './order-news.ts'
import { type OrderContext, type OrderPlan, type PlanResult, planOrder } from './order-plan.ts'
import { describePlan, hintsOf, warningsOf } from './order-words.ts'
import type { PlacedOrders } from './placed-orders.ts'

/**
 * Maximum number of sends. The same body is the same order, so it can be resent without an answer.
 */
const SENDS_MAX = 3
/** Maximum age of a description, in seconds, at which exactly the described orders are signed. */
const SHOWN_SECONDS_MAX = 10

type OrderEntryDeps = Readonly<{
  sessions: SessionHolder
  news: OrderNewsList
  placed: Pick<PlacedOrders, 'add'>
  /** Returns a market, with best prices if it is displayed; undefined if it does not exist. */
  context: (market: string) => OrderContext | undefined
}>

export class OrderEntry {
  readonly #parts: OrderEntryDeps
  #previewing = new AbortController()
  /** The last body sent without an answer. Resending the same body cannot place a second order. */
  #unanswered: Readonly<{ of: string; body: shapes.OrderRequest }> | undefined
  #shown: Readonly<{ draft: string; plan: OrderPlan; atSeconds: number }> | undefined

  constructor(parts: OrderEntryDeps) {
    this.#parts = parts
  }

  /** Checks and previews a draft. A newer request aborts an older one. */
  async check(draft: OrderDraft): Promise<OrderCheck> {
    this.#previewing.abort()
    this.#previewing = new AbortController()
    const { signal } = this.#previewing
    const context = this.#contextOf(draft)
    if (context === undefined) return NOTHING
    const { plan, problems } = planOrder(draft, context)
    if (plan === undefined) return { ...NOTHING, problems }
    this.#shown = { draft: JSON.stringify(draft), plan, atSeconds: context.nowSeconds }
    const words = describePlan(plan, context.market)
    const hints = hintsOf(plan, draft, context.market)
    const described = { ...NOTHING, words, hints, warnings: warningsOf(plan, context) }
    const session = this.#parts.sessions.current
    if (session === undefined) return described
    // The user is about to sign, so the signer is loaded early.
    session.signer().catch(() => {})
    return { ...described, ...(await this.#preview(session, plan, { draft, context, signal })) }
  }

  async #preview(
    { hasty, venue, account }: Session,
    { order }: OrderPlan,
    {
      draft,
      context,
      signal,
    }: Readonly<{
      draft: OrderDraft
      context: OrderContext
      signal: AbortSignal
    }>,
  ): Promise<Partial<OrderCheck>> {
    const { market } = context
    try {
      const { body } = orderToSign(venue, account, order)
      const preview = await hasty.call('POST /orders/preview', { body }, { signal })
      const problems = await viewProblems(preview.refusals, draft, market)
      if (!preview.is_accepted)
        return { problems: await this.#offerSize(preview.refusals, problems, draft) }
      const previewed = { side: order.side, isTriggered: order.trigger !== undefined }
      const { cancelled } = preview
      const isShort = draft.type === 'market' && cancelled !== '0'
      return {
        problems,
        preview: viewPreview(preview, market, previewed),
        ...(isShort && { warnings: [text.bookTooThin(showDecimal(cancelled))] }),
      }
    } catch (error) {
      if (signal.aborted) return {}
      return await refused(error, draft, market)
    }
  }

  /** Signs the orders of a draft and sends them. */
  async place(draft: OrderDraft): Promise<PlaceResult> {
    const session = this.#parts.sessions.require()
    const context = this.#contextOf(draft)
    if (context === undefined) throw new OpenvenueError(text.notListed)
    const { plan, problems } = this.#planShown(draft, context)
    if (plan === undefined) return { isPlaced: false, problems, retryAfterMs: undefined }
    try {
      const placed = await this.#send(session, draft, plan)
      this.#parts.placed.add(placed)
      this.#parts.news.begin(placedText(placed), placed.order_id)
      await this.#placeExits(session, plan, placed.order_id)
      return { isPlaced: true, problems: [], retryAfterMs: undefined }
    } catch (error) {
      const { retryAfterMs, problems = [] } = await refused(error, draft, context.market)
      return { isPlaced: false, problems, retryAfterMs }
    }
  }

  /** Resends the same body if the answer was lost, so that no second order is placed. */
  async #send(session: Session, draft: OrderDraft, plan: OrderPlan): Promise<shapes.PlacedOrder> {
    const of = `${session.account} ${JSON.stringify(draft)}`
    const sent = this.#unanswered?.of === of ? this.#unanswered.body : undefined
    const body = sent ?? (await signed(session, plan.order))
    this.#unanswered = undefined
    try {
      return await sendBody(session.hasty, body, SENDS_MAX)
    } catch (error) {
      if (isUndecided(error)) this.#unanswered = { of, body }
      throw error
    }
  }

  #planShown(draft: OrderDraft, context: OrderContext): PlanResult {
    const shown = this.#shown
    const isNew = context.nowSeconds - (shown?.atSeconds ?? 0) <= SHOWN_SECONDS_MAX
    if (shown?.draft === JSON.stringify(draft) && isNew) return { plan: shown.plan, problems: [] }
    return planOrder(draft, context)
  }

  /** The order is placed by now: failures here are news, not a reason to place it again. */
  async #placeExits(session: Session, { exits }: OrderPlan, parentOrderId: string): Promise<void> {
    const salt = nextSalt()
    for (const exit of exits) {
      try {
        await send(session, { ...exit, salt, parentOrderId })
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        const isStop = exit.trigger?.kind === 'STOP_LOSS'
        const write = isStop ? text.placedWithoutStop : text.placedWithoutTakeProfit
        this.#parts.news.add(write(reason), 'bad')
      }
    }
  }

  /** Returns an amount that is `percent` of what the account can trade with this draft. */
  async size(draft: OrderDraft, percent: number): Promise<string> {
    const { rest } = this.#parts.sessions.require()
    const context = this.#contextOf(draft)
    if (context === undefined) return ''
    const account = await rest.call('GET /account')
    const { side, isReduceOnly } = draft
    const price = priceOf(draft, context)
    if (price === undefined) return ''
    return sizeFor({ market: context.market, account, side, price, isReduceOnly, percent })
  }

  #contextOf({ market }: OrderDraft): OrderContext | undefined {
    const context = this.#parts.context(market)
    const keyExpirySeconds = this.#parts.sessions.current?.keyExpirySeconds
    if (context === undefined || keyExpirySeconds === undefined) return context
    return { ...context, keyExpirySeconds }
  }

  /** If money is missing, offers the largest affordable amount. */
  async #offerSize(
    refusals: readonly shapes.FieldProblem[],
    problems: readonly OrderProblem[],
    draft: OrderDraft,
  ): Promise<readonly OrderProblem[]> {
    const at = refusals.findIndex(({ code, nearest }) => isShort(code) && nearest === undefined)
    if (at < 0) return problems
    const size = await this.size(draft, 100).catch(() => '')
    if (size === '' || size === '0' || size === draft.amount) return problems
    const offer = { field: 'amount', nearest: [size], amountUnit: 'base' } as const
    return problems.map((problem, index) => (index === at ? { ...problem, ...offer } : problem))
  }
}

const SHORT: readonly string[] = [
  'INSUFFICIENT_MARGIN',
  'SPOT_NO_QUOTE_BALANCE',
  'SPOT_NO_BASE_BALANCE',
]
const isShort = (code: string): boolean => SHORT.includes(code)

const NOTHING: OrderCheck = {
  problems: [],
  words: '',
  warnings: [],
  hints: {},
  preview: undefined,
  retryAfterMs: undefined,
}

/** Returns the price limit of the draft, whatever its amount; the mark if none is typed yet. */
function priceOf(draft: OrderDraft, context: OrderContext): string | undefined {
  const least = { amount: context.market.amount_step, amountUnit: 'base' } as const
  const { plan } = planOrder({ ...draft, ...least }, context)
  return plan === undefined ? (context.market.mark_price ?? undefined) : String(plan.order.price)
}

const signed = async ({ venue, signer, account }: Session, order: NewOrder) =>
  signOrder(venue, await signer(), { ...order, account })

const send = async (session: Session, order: NewOrder): Promise<shapes.PlacedOrder> =>
  sendBody(session.hasty, await signed(session, order), SENDS_MAX)

/** Returns true if it is unknown whether the order was accepted. */
const isUndecided = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof UnavailableError ||
  error instanceof UnexpectedAnswerError

async function sendBody(
  rest: Rest,
  body: shapes.OrderRequest,
  sends: number,
): Promise<shapes.PlacedOrder> {
  try {
    return await rest.call('POST /orders', { body })
  } catch (error) {
    if (sends > 1 && error instanceof ConnectionError) return sendBody(rest, body, sends - 1)
    throw error
  }
}

function placedText({ side, amount, instrument_name: name, receipt }: shapes.PlacedOrder): string {
  const size = { side, amount: showDecimal(amount), market: name }
  return receipt?.include_by_block ? text.newsSubmitted(size) : text.newsUntriggered(size)
}

async function viewProblems(
  refusals: readonly shapes.FieldProblem[],
  draft: OrderDraft,
  market: shapes.Market,
): Promise<readonly OrderProblem[]> {
  if (refusals.length === 0) return []
  const { viewProblem } = await import('./refusal-view.ts')
  return refusals.map((rule) => viewProblem(rule, draft, market))
}

/** Errors that are not refusals by the venue are problems without a field. */
async function refused(
  error: unknown,
  draft: OrderDraft,
  market: shapes.Market,
): Promise<Readonly<{ problems?: readonly OrderProblem[]; retryAfterMs: number | undefined }>> {
  if (isRefusal(error)) {
    const { viewRefusal } = await import('./refusal-view.ts')
    return { problems: viewRefusal(error, draft, market), retryAfterMs: error.retryAfterMs }
  }
  if (!(error instanceof OpenvenueError)) throw error
  const reason = error instanceof ConnectionError ? text.unanswered : error.message
  const problems = [{ field: undefined, text: reason, nearest: [] }]
  return { problems, retryAfterMs: undefined }
}

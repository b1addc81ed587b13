// Places orders as a pipeline: parse, dedupe, authorise, check, simulate, reserve, commit, answer.
// A list takes the path of one order, with one question to the chain. Interface 4.6.
import type { AddResult, Intent, NewIntent } from '@openvenue/store/intents/intents'
import type { BatchAnswer, PlacedOrder } from '@openvenue/wire/order-answers'
import { loadOwner, type Owner } from '../../account/owner.ts'
import { historyUnavailable, Refusal } from '../../http/refusals.ts'
import type { Caller } from '../../identity/caller.ts'
import type { OrderParts } from '../order-parts.ts'
import { followIntent, inFamilyWords, type OrderLookup, showOrder } from '../relay/find-order.ts'
import type { WaitEnd, WaitResult } from '../relay/included-waits.ts'
import { closedRefusal, requireLiveRelay, tradingNotLive } from '../relay/relay-status.ts'
import { parseOrder } from '../rules/order-body.ts'
import {
  type AdmittedOrder,
  admit,
  advance,
  type BatchItem,
  isOrder,
  isReserved,
  type OrderBatch,
  refuse,
} from './admission.ts'
import type { OrderConnection } from './connection-ends.ts'
import {
  nameTaken,
  type PendingReplacement,
  release,
  reserve,
  takeReplacedBack,
} from './reservation.ts'

type PlaceOptions = Readonly<{
  /** The request, for the log; undefined over a socket. */
  requestId?: string | undefined
  /** Its trace context, not validated. */
  traceparent?: string | undefined
  /** The connection of the request: its end cancels the orders where the account wants that. */
  connection?: OrderConnection | undefined
  /** A pending order that the only one replaces, taken back once that is admitted. */
  replaced?: PendingReplacement | undefined
}>

type PlaceResult = AdmittedOrder | Refusal

/** Accepts or refuses each body, in their order. A refused one affects no other. */
const placeOrders = (
  parts: OrderParts,
  caller: Caller,
  bodies: readonly unknown[],
  options: PlaceOptions,
): Promise<readonly PlaceResult[]> =>
  parts.orderMeter.count(
    { orders: bodies.length, reqId: options.requestId, account: caller.account },
    () =>
      traceAcceptance(parts, options, (traceparent) =>
        decideOrders(parts, caller, bodies, { ...options, traceparent }),
      ),
  )

/** Reports a span of `decide`, which gets its context, and the number of accepted orders. */
async function traceAcceptance(
  { tracer }: OrderParts,
  { traceparent: parent, requestId }: PlaceOptions,
  decide: (traceparent: string | undefined) => Promise<readonly PlaceResult[]>,
): Promise<readonly PlaceResult[]> {
  const span = tracer.start('accept orders', { parent })
  const facts = { 'openvenue.request_id': requestId }
  try {
    const results = await decide(span.traceparent)
    const accepted = results.filter((result) => !(result instanceof Refusal)).length
    const counts = { 'openvenue.orders': results.length, 'openvenue.accepted': accepted }
    span.end({ attributes: { ...facts, ...counts } })
    return results
  } catch (error) {
    span.end({ attributes: facts, error: error instanceof Refusal ? error.code : 'INTERNAL_ERROR' })
    throw error
  }
}

async function decideOrders(
  parts: OrderParts,
  caller: Caller,
  bodies: readonly unknown[],
  options: PlaceOptions,
): Promise<readonly PlaceResult[]> {
  const parsed = bodies.map((body) => parse(parts, caller, body, options.replaced?.id))
  const fresh = await dedupe(parts, parsed)
  if (!fresh.some(isOrder)) return fresh as readonly PlaceResult[]
  requireOpen(parts)
  const owner = await loadOwner(parts, caller.account, (owner) => owner)
  const admitted = await refuse(parts, owner, await admit(parts, owner, fresh))
  const { requestId: id, traceparent } = options
  const request = id === undefined && traceparent === undefined ? undefined : { id, traceparent }
  const write = async (connection?: string) => {
    const reserved = await reserve(parts, { owner, connection, request }, admitted)
    return commit(parts, await takeReplacedBack(parts, options.replaced, reserved))
  }
  const connection = boundConnection(parts, owner, options)
  return (await (connection?.bind(write) ?? write())) as readonly PlaceResult[]
}

/* PARSE, DEDUPE */

/** Returns a body as an order of the caller's account, or its refusal. */
function parse(
  parts: OrderParts,
  { account }: Caller,
  body: unknown,
  takesPlaceOf: string | undefined,
): BatchItem {
  try {
    const order = parseOrder(body, parts)
    if (order.order.account === account) return { order: { ...order, takesPlaceOf }, problems: [] }
    return foreignAccount(account)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Returns the refusal of an order of another account than the caller's. */
export function foreignAccount(account: string): Refusal {
  const code = 'FORBIDDEN_ACCOUNT'
  const message = `maker is another account: expected ${account}, the account of the API key`
  return new Refusal(code, { details: [{ field: 'maker', code, message, nearest: account }] })
}

/** Returns orders that this node has accepted before with their intents. */
const dedupe = ({ intentBook }: OrderParts, batch: OrderBatch): Promise<OrderBatch> =>
  advance(batch, isOrder, (items) =>
    items.map((item) => {
      const intent = intentBook.find(item.order.digest)
      return intent === undefined ? item : { intent, isReplay: true }
    }),
  )

/** Refuses a request for new orders while the venue takes none. */
function requireOpen({ settings, receipts, intentBook, clock }: OrderParts): void {
  const closed = closedRefusal(settings.trading)
  if (closed !== undefined) throw closed
  if (receipts === undefined) throw tradingNotLive()
  requireLiveRelay(intentBook, clock.nowMs())
}

/** Returns the connection whose end cancels the orders of an account; undefined: none does. */
function boundConnection(
  { safeguardBook }: OrderParts,
  { account }: Owner,
  { connection }: PlaceOptions,
): OrderConnection | undefined {
  if (connection === undefined || account === undefined) return undefined
  const ends = safeguardBook.endsWithConnection(account)
  if (ends === undefined) throw historyUnavailable()
  return ends ? connection : undefined
}

/* COMMIT */

/** Writes intents: an order is accepted when that is committed. */
const commit = (parts: OrderParts, batch: OrderBatch): Promise<OrderBatch> =>
  advance(batch, isReserved, async (items) => {
    if (items.length === 0) return []
    const { budgets, intents } = parts
    const added = await intents
      .add(items.map(({ reserved }) => reserved))
      .catch((error: unknown) => {
        release(parts, items)
        throw error
      })
    return items.map((item, index) => {
      const outcome = added[index] as AddResult
      if ('added' in outcome) budgets.settle(item.reserved.account, outcome.ordersEver)
      else release(parts, [item])
      return outcomeOf(item.reserved, outcome)
    })
  })

function outcomeOf({ clientOrderId }: NewIntent, outcome: AddResult): PlaceResult {
  if ('added' in outcome) return { intent: outcome.added, isReplay: false }
  if ('known' in outcome) return { intent: outcome.known, isReplay: true }
  return nameTaken(clientOrderId, outcome.clientOrderIdTaken)
}

/* ANSWER */

export type AnswerOptions = PlaceOptions &
  Readonly<{
    /** Absent: the answer waits for no block. Aborts when the client has gone. */
    waiting?: AbortSignal | undefined
  }>

/** The answer to an order; a replay is that of an earlier one. */
export type OrderAnswer = Readonly<{
  order: PlacedOrder
  isReplay: boolean
  waitEnd: WaitEnd | undefined
}>

/** The answer to a batch, and how its wait ended. */
type OrdersAnswer = Readonly<{ batch: BatchAnswer; waitEnd: WaitEnd | undefined }>

/** Places an order and returns the answer, or refuses. */
export async function answerOrder(
  parts: OrderParts,
  caller: Caller,
  body: unknown,
  options: AnswerOptions = {},
): Promise<OrderAnswer> {
  const [placed] = await placeOrders(parts, caller, [body], options)
  if (placed === undefined || placed instanceof Refusal) throw placed
  const waited = await waitFor(parts, [placed], options)
  const order = await showPlaced(parts, caller, placed, waited)
  return { order, isReplay: placed.isReplay, waitEnd: waited?.end }
}

/** Places a list of orders and returns the answer, with an order or a refusal for each. */
export async function answerBatch(
  parts: OrderParts,
  caller: Caller,
  bodies: readonly unknown[],
  options: AnswerOptions & Readonly<{ requestId: string }>,
): Promise<OrdersAnswer> {
  const outcomes = await placeOrders(parts, caller, bodies, options)
  const isPlaced = (outcome: PlaceResult): outcome is AdmittedOrder => !(outcome instanceof Refusal)
  const waited = await waitFor(parts, outcomes.filter(isPlaced), options)
  const results = await Promise.all(
    outcomes.map((outcome) =>
      outcome instanceof Refusal
        ? outcome.body(options.requestId)
        : showPlaced(parts, caller, outcome, waited),
    ),
  )
  return { batch: { success: outcomes.every(isPlaced), results }, waitEnd: waited?.end }
}

/** Waits until each is in a block, where the caller asked for that. */
async function waitFor(
  { waits }: OrderParts,
  placed: readonly AdmittedOrder[],
  { waiting }: AnswerOptions,
): Promise<WaitResult | undefined> {
  return (
    waiting &&
    waits.wait(
      placed.map(({ intent }) => intent),
      waiting,
    )
  )
}

async function showPlaced(
  parts: OrderParts,
  { isLegacy }: Caller,
  { intent }: AdmittedOrder,
  waited: WaitResult | undefined,
): Promise<PlacedOrder> {
  const { account, wallet } = intent
  if (parts.receipts === undefined) throw tradingNotLive()
  const receipt = parts.receipts.of(intent)
  const placedOrder = await followPlaced(parts, intent, waited)
  const item = showOrder(parts.model, { account, wallet }, placedOrder)
  if (item === undefined) throw new Refusal('INSTRUMENT_NOT_FOUND')
  return { ...inFamilyWords(item, isLegacy), receipt }
}

/** Returns the order after a wait in its state by then; its receipt is the promised one. */
async function followPlaced(
  parts: OrderParts,
  intent: Intent,
  waited: WaitResult | undefined,
): Promise<OrderLookup> {
  if (waited === undefined) return followIntent(parts, intent)
  const now = parts.intentBook.find(intent.id) ?? intent
  const order = waited.orders.get(intent.id)
  return order === undefined ? followIntent(parts, now) : { order, intent: now }
}

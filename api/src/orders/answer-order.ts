// Places one order, or a list, and answers as REST and the sockets do. Interface 4.6.
import type { Intent } from '@openvenue/store/intents'
import type { BatchAnswer, PlacedOrder } from '@openvenue/wire/order-answers'
import type { OrderItem } from '@openvenue/wire/orders'
import { Refusal } from '../http/refusals.ts'
import type { Caller } from '../identity/caller.ts'
import { type FoundOrder, followIntent, showOrder } from './find-order.ts'
import type { WaitEnd, Waited } from './included-waits.ts'
import type { OrderParts } from './order-parts.ts'
import { type Placed, type PlaceOptions, placeOrders } from './place-orders.ts'
import type { Receipts } from './receipt.ts'
import { tradingNotLive } from './relay-room.ts'

export type AnswerOptions = PlaceOptions &
  Readonly<{
    /** Absent: the answer waits for no block. Aborts when nobody listens to it any more. */
    waiting?: AbortSignal | undefined
  }>

/** The answer to an order, whether it is that of an earlier one, and how its wait ended. */
export type OrderAnswer = Readonly<{
  order: PlacedOrder
  isReplay: boolean
  waitEnd: WaitEnd | undefined
}>

/** What became of a batch, and how its wait ended. */
export type OrdersAnswer = Readonly<{ batch: BatchAnswer; waitEnd: WaitEnd | undefined }>

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

/** Places a list of orders and returns what became of each. */
export async function answerBatch(
  parts: OrderParts,
  caller: Caller,
  bodies: readonly unknown[],
  options: AnswerOptions & Readonly<{ requestId: string }>,
): Promise<OrdersAnswer> {
  const outcomes = await placeOrders(parts, caller, bodies, options)
  const isPlaced = (outcome: Placed | Refusal) => !(outcome instanceof Refusal)
  const waited = await waitFor(parts, outcomes.filter(isPlaced) as Placed[], options)
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
  placed: readonly Placed[],
  { waiting }: AnswerOptions,
): Promise<Waited | undefined> {
  return (
    waiting &&
    waits.wait(
      placed.map(({ intent }) => intent),
      waiting,
    )
  )
}

function requireReceipts({ receipts }: OrderParts): Receipts {
  if (receipts === undefined) throw tradingNotLive()
  return receipts
}

async function showPlaced(
  parts: OrderParts,
  { isLegacy }: Caller,
  { intent }: Placed,
  waited: Waited | undefined,
): Promise<PlacedOrder> {
  const { account, wallet } = intent
  const receipt = requireReceipts(parts).of(intent)
  const found = await followPlaced(parts, intent, waited)
  const item = showOrder(parts.model, { account, wallet }, found)
  if (item === undefined) throw new Refusal('INSTRUMENT_NOT_FOUND')
  return { ...inFamilyWords(item, isLegacy), receipt }
}

/** After a wait the order is shown as it is by then, and its receipt as it was promised. */
async function followPlaced(
  parts: OrderParts,
  intent: Intent,
  waited: Waited | undefined,
): Promise<FoundOrder> {
  if (waited === undefined) return followIntent(parts, intent)
  const now = parts.intentBook.find(intent.id) ?? intent
  const order = waited.orders.get(intent.id)
  return order === undefined ? followIntent(parts, now) : { order, intent: now }
}

/** Returns an order in the words of the family, whose programs take any other for a failure. */
export const inFamilyWords = (item: OrderItem, isLegacy = false): OrderItem =>
  isLegacy && item.order_status === 'pending' ? { ...item, order_status: 'opened' } : item

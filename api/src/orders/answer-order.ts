// Places one order, or a list, and answers as REST and the sockets do. Interface 4.6.
import type { BatchAnswer, PlacedOrder } from '@openvenue/wire/order-answers'
import type { OrderItem } from '@openvenue/wire/orders'
import { Refusal } from '../http/refusals.ts'
import type { Caller } from '../identity/caller.ts'
import { followIntent, showOrder } from './find-order.ts'
import type { OrderParts } from './order-parts.ts'
import { type Placed, type PlaceOptions, placeOrders } from './place-orders.ts'
import type { Receipts } from './receipt.ts'
import { tradingNotLive } from './relay-room.ts'

export type AnswerOptions = PlaceOptions

/** The answer to an order, and whether it is that of an earlier one. */
export type OrderAnswer = Readonly<{ order: PlacedOrder; isReplay: boolean }>

/** Places an order and returns the answer, or refuses. */
export async function answerOrder(
  parts: OrderParts,
  caller: Caller,
  body: unknown,
  options: AnswerOptions = {},
): Promise<OrderAnswer> {
  const [placed] = await placeOrders(parts, caller, [body], options)
  if (placed === undefined || placed instanceof Refusal) throw placed
  return {
    order: await showPlaced(parts, caller, placed),
    isReplay: placed.isReplay,
  }
}

/** Places a list of orders and returns what became of each. */
export async function answerBatch(
  parts: OrderParts,
  caller: Caller,
  bodies: readonly unknown[],
  options: AnswerOptions & Readonly<{ requestId: string }>,
): Promise<BatchAnswer> {
  const outcomes = await placeOrders(parts, caller, bodies, options)
  const results = await Promise.all(
    outcomes.map((outcome) =>
      outcome instanceof Refusal
        ? outcome.body(options.requestId)
        : showPlaced(parts, caller, outcome),
    ),
  )
  return { success: outcomes.every((outcome) => !(outcome instanceof Refusal)), results }
}

function requireReceipts({ receipts }: OrderParts): Receipts {
  if (receipts === undefined) throw tradingNotLive()
  return receipts
}

async function showPlaced(
  parts: OrderParts,
  { isLegacy }: Caller,
  { intent }: Placed,
): Promise<PlacedOrder> {
  const { account, wallet } = intent
  const [found, receipt] = await Promise.all([
    followIntent(parts, intent),
    requireReceipts(parts).of(intent),
  ])
  const item = showOrder(parts.model, { account, wallet }, found)
  if (item === undefined) throw new Refusal('INSTRUMENT_NOT_FOUND')
  return { ...inFamilyWords(item, isLegacy), receipt }
}

/** Returns an order in the words of the family, whose programs take any other for a failure. */
export const inFamilyWords = (item: OrderItem, isLegacy = false): OrderItem =>
  isLegacy && item.order_status === 'pending' ? { ...item, order_status: 'opened' } : item

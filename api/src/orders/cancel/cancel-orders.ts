// Cancels orders, one or many: an order that no transaction carries is withdrawn, and for any other
// the venue promises a cancel on the chain. Interface 4.6.
import { max } from '@openvenue/core/integers'
import type { Intent } from '@openvenue/store/intents/intents'
import type { MarketFilter } from '@openvenue/wire/account-query'
import {
  CANCELLED_IDS_MAX,
  type CancelledOrder,
  type CancelledOrders,
} from '@openvenue/wire/order-answers'
import type { OrderItem } from '@openvenue/wire/orders'
import type { Receipt } from '@openvenue/wire/relay'
import { filterMarkets } from '../../account/account-filter.ts'
import { loadOwner, type Owner } from '../../account/owner.ts'
import { Refusal } from '../../http/refusals.ts'
import { fieldRefusal, invalid } from '../../http/validation.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Members } from '../../identity/registration-body.ts'
import type { OrderParts } from '../order-parts.ts'
import {
  findByClientOrderId,
  findOrder,
  findToEnd,
  type OrderLookup,
  showOrder,
} from '../relay/find-order.ts'
import type { WaitEnd } from '../relay/included-waits.ts'
import type { ReceiptFacts } from '../relay/receipt.ts'
import {
  type CancelContext,
  type CancelSignature,
  nowNs,
  promiseCancel,
  refuseUnknown,
  targetOf,
  wrongMember,
} from './cancel-authority.ts'

/* PARSE */

const TEXT_LENGTH_MAX = 256

type CancelFilter = MarketFilter & Readonly<{ side?: 'buy' | 'sell' | undefined }>

/** Ids, or a filter. */
type CancelSelection = Readonly<{ ids: readonly string[] }> | Readonly<{ filter: CancelFilter }>

/** Returns the members of a body and of a query together. */
export function cancelMembers(query: unknown, body: unknown): Members {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw wrongMember('body', 'a JSON object', { given: body })
  return { ...(query as object | undefined), ...(body as object | null | undefined) }
}

/** Returns the selection of DELETE /orders: ids, a filter, or all where that is confirmed. */
export function parseCancelOrders(members: Members): CancelSelection {
  const { order_ids, confirm, ...filter } = members
  if (order_ids !== undefined) {
    refuseUnknown(filter, [])
    return { ids: parseIds(order_ids) }
  }
  if (confirm !== undefined && confirm !== 'all')
    throw wrongMember('confirm', 'all', { given: confirm, allowed: ['all'] })
  const parsed = parseFilter(filter, ['instrument_name', 'asset', 'instrument_type', 'side'])
  if (Object.keys(parsed).length === 0 && confirm !== 'all')
    throw fieldRefusal([
      {
        ...invalid('confirm', 'all, since no filter selects orders', {
          fault: 'is required',
          allowed: ['all'],
        }),
        code: 'MISSING_PARAMETER',
      },
    ])
  return { filter: parsed }
}

/** Returns the filter of DELETE /orders-all. */
export const parseCancelAll = (members: Members): CancelFilter =>
  parseFilter(members, ['asset', 'instrument_type'])

/** A list, or text with commas between. */
function parseIds(given: unknown): readonly string[] {
  const ids = typeof given === 'string' ? given.split(',') : given
  const isList =
    Array.isArray(ids) &&
    ids.length > 0 &&
    ids.length <= CANCELLED_IDS_MAX &&
    ids.every((id) => typeof id === 'string' && id.length <= TEXT_LENGTH_MAX)
  if (!isList)
    throw wrongMember('order_ids', `a list of 1 to ${CANCELLED_IDS_MAX} ids`, { given: ids })
  return ids
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  instrument_type: ['SPOT', 'PERPETUAL'],
  side: ['buy', 'sell'],
}

function parseFilter(members: Members, known: readonly string[]): CancelFilter {
  refuseUnknown(members, known)
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(given.map(([field, value]) => [field, parseWord(field, value)]))
}

function parseWord(field: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX)
    throw wrongMember(field, `text of at most ${TEXT_LENGTH_MAX} characters`, { given: value })
  const choices = CHOICES[field]
  const word = choices?.find((choice) => choice.toLowerCase() === value.toLowerCase())
  if (choices !== undefined && word === undefined)
    throw wrongMember(field, `one of ${choices.join(', ')}`, { given: value, allowed: choices })
  return word ?? value
}

/* FIND, AND WITHDRAW OR PROMISE */

/** Cancels under way at a time: the database takes as many in a few commits. */
const TOGETHER_MAX = 256

/** A cancelled order, and the promise of its cancel unless it was withdrawn. */
type CancelResult = Readonly<{ found: OrderLookup; promised?: ReceiptFacts }>

/** Cancelled orders, and the codes of refusals, by the ids that named the orders. */
export type CancelledSet = Readonly<{
  owner: Owner
  done: ReadonlyMap<string, CancelResult>
  failed: ReadonlyMap<string, string>
}>

/** Cancels a live order: withdraws it, or promises its cancel on the chain. */
async function cancelFound(cancelling: CancelContext): Promise<CancelResult> {
  const withdrawn = await withdraw(cancelling.parts, cancelling.found)
  if (withdrawn !== undefined) return { found: withdrawn }
  return { found: cancelling.found, promised: await promiseCancel(cancelling) }
}

async function withdraw(
  parts: OrderParts,
  { order, intent }: OrderLookup,
): Promise<OrderLookup | undefined> {
  if (order !== undefined || intent === undefined || intent.state === 'sent') return undefined
  const withdrawn = await takeBack(parts, intent)
  return withdrawn && { order, intent: withdrawn }
}

/**
 * Takes an order back that no transaction carries; undefined: one does, or may by now. `reason`
 * names the edit that replaces it.
 */
export async function takeBack(
  { intents, clock }: Pick<OrderParts, 'intents' | 'clock'>,
  intent: Intent,
  reason = 'USER',
): Promise<Intent | undefined> {
  const atNs = nowNs(clock)
  const step = { to: 'withdrawn', reason, isUnsent: true } as const
  const [isMade] = await intents.move([
    { id: intent.id, from: ['received', 'queued'], ...step, atNs },
  ])
  if (isMade !== true) return undefined
  return { ...intent, state: step.to, reason: step.reason, updatedNs: max(atNs, intent.updatedNs) }
}

/** Returns the refusal of an order that has ended, with its last known state. */
export function orderEnded(parts: OrderParts, owner: Owner, found?: OrderLookup): Refusal {
  const code = 'ORDER_DOES_NOT_EXIST'
  const order = found && showOrder(parts.model, owner, found)
  if (order === undefined) return new Refusal(code)
  const { order_id, order_status } = order
  const message = `Order is not open: its status is ${order_status}`
  const details = [{ field: 'order_id', code, message, facts: { order_id, order_status } } as const]
  return new Refusal(code, { details })
}

/** Returns the caller's live order of that id, either form; refuses any other. */
async function requireLive(parts: OrderParts, owner: Owner, id: string): Promise<OrderLookup> {
  const found = await findToEnd(parts, owner, id)
  if (found.live === undefined) throw orderEnded(parts, owner, found.ended)
  return found.live
}

/** Cancels the caller's orders of these ids, either form. */
export async function cancelNamed(
  parts: OrderParts,
  caller: Caller,
  ids: readonly string[],
): Promise<CancelledSet> {
  const owner = await loadOwner(parts, caller.account, (owner) => owner)
  return cancelEach(owner, new Set(ids.map((id) => id.toLowerCase())), async (id) =>
    cancelFound({ parts, owner, found: await requireLive(parts, owner, id) }),
  )
}

/** Cancels the caller's orders that a filter leaves: resting, on their way and held. */
export async function cancelMatching(
  parts: OrderParts,
  caller: Caller,
  filter: CancelFilter,
): Promise<CancelledSet> {
  const owner = await loadOwner(parts, caller.account, (owner) => owner)
  await parts.intentBook.current()
  const orders = new Map(matching(parts, owner, filter).map((order) => [targetOf(order), order]))
  return cancelEach(owner, orders.keys(), (id) =>
    cancelFound({ parts, owner, found: orders.get(id) as OrderLookup }),
  )
}

function matching(parts: OrderParts, { account }: Owner, filter: CancelFilter): OrderLookup[] {
  const { model, intentBook } = parts
  const markets = new Set(filterMarkets(model, filter).map(({ market }) => market.id))
  if (account === undefined) return []
  const matches = (market: string, isBuy: boolean) =>
    markets.has(market) && (filter.side === undefined || (filter.side === 'buy') === isBuy)
  const resting = model.accountOrders
    .of(account)
    .filter(({ market, isBuy }) => matches(market, isBuy))
    .map((order) => ({
      order,
      intent: order.ref === null ? undefined : intentBook.find(order.ref),
    }))
  const heldOrders = intentBook
    .liveOrders(account)
    .filter(({ id, market, payload }) => {
      const isBuy = payload.kind === 'order' && payload.order.isBuy
      return matches(market, isBuy) && model.accountOrders.signed(id) === undefined
    })
    .map((intent) => ({ order: undefined, intent }))
  return [...resting, ...heldOrders]
}

/** Cancels each; a refusal affects its own order only. */
async function cancelEach(
  owner: Owner,
  ids: Iterable<string>,
  cancel: (id: string) => Promise<CancelResult>,
): Promise<CancelledSet> {
  const done = new Map<string, CancelResult>()
  const failed = new Map<string, string>()
  const cancelOne = async (id: string) => {
    try {
      done.set(id, await cancel(id))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      failed.set(id, error.code)
    }
  }
  const all = [...ids]
  for (let from = 0; from < all.length; from += TOGETHER_MAX)
    await Promise.all(all.slice(from, from + TOGETHER_MAX).map(cancelOne))
  return { owner, done, failed }
}

/** Joins the sets of two attempts by one caller: an order that the second cancels did not fail. */
export function joinCancels(first: CancelledSet, second: CancelledSet): CancelledSet {
  const done = new Map([...first.done, ...second.done])
  const failed = [...first.failed, ...second.failed].filter(([id]) => !done.has(id))
  return { owner: first.owner, done, failed: new Map(failed) }
}

/* ANSWER */

/** Orders that are looked up at a time once their cancels are in a block. */
const READS_MAX = 8

export type CancelOptions = Readonly<{
  signed?: CancelSignature | undefined
  /** Absent: the answer waits for no block. Aborts when the client has gone. */
  waiting?: AbortSignal | undefined
}>

/** The answer to a cancel, and how its wait ended. `receipt` is that of a promised cancel. */
export type CancelAnswer = Readonly<{
  cancelled: Readonly<{
    order_id: string
    success: true
    status: CancelledOrder['status']
    order: OrderItem
    receipt?: Receipt
  }>
  waitEnd: WaitEnd | undefined
}>

/** The answer to several cancels, and how its wait ended. */
type CancelsAnswer = Readonly<{ cancelled: CancelledOrders; waitEnd: WaitEnd | undefined }>

/** Cancels the caller's order of that id, either form; refuses one that has ended, or is none. */
export async function cancelOrder(
  parts: OrderParts,
  caller: Caller,
  id: string,
  options: CancelOptions = {},
): Promise<CancelAnswer> {
  const owner = await loadOwner(parts, caller.account, (owner) => owner)
  const found = await requireLive(parts, owner, id.toLowerCase())
  return answerCancel({ parts, owner, found, ...options })
}

/** Cancels the order with that client order id, like `cancelOrder`. */
export async function cancelByClientOrderId(
  parts: OrderParts,
  caller: Caller,
  name: string,
  options: CancelOptions = {},
): Promise<CancelAnswer> {
  const owner = await loadOwner(parts, caller.account, (owner) => owner)
  const found = await findByClientOrderId(parts, owner, name)
  if (found?.intent === undefined) throw orderEnded(parts, owner, found)
  const { live } = await findToEnd(parts, owner, found.intent.id)
  if (live === undefined) throw orderEnded(parts, owner, found)
  return answerCancel({ parts, owner, found: live, ...options })
}

async function answerCancel(cancelling: CancelContext & CancelOptions): Promise<CancelAnswer> {
  const { parts, owner, waiting } = cancelling
  const { found, promised } = await cancelFound(cancelling)
  const waitEnd =
    promised && waiting && (await parts.waits.wait([awaitedCancel(owner, promised)], waiting)).end
  const last = waitEnd === undefined ? found : await findOrder(parts, owner, targetOf(found))
  const order = last && showOrder(parts.model, owner, last)
  if (order === undefined) throw new Refusal('INSTRUMENT_NOT_FOUND')
  const receipt = promised && parts.receipts?.of(promised)
  const cancelled = {
    order_id: order.order_id,
    success: true as const,
    status: endOf(order),
    order,
    ...(receipt === undefined ? {} : { receipt }),
  }
  return { cancelled, waitEnd: waitEnd ?? (waiting && 'done') }
}

/** Returns a promised cancel in the form that waits take. */
const awaitedCancel = ({ account = 0 }: Owner, { id }: ReceiptFacts) =>
  ({ id, account, state: 'queued', blockNumber: undefined }) as const

const ENDS = ['filled', 'cancelled', 'rejected', 'expired'] as const

const endOf = ({ order_status }: OrderItem): CancelledOrder['status'] =>
  ENDS.find((end) => end === order_status) ?? 'accepted'

/**
 * Answers several cancels. With `waiting`, waits until each is in a block or has come to nothing,
 * or the time is over, and shows every order as it is then.
 */
export async function answerCancels(
  parts: OrderParts,
  { owner, done, failed }: CancelledSet,
  { waiting }: Readonly<{ waiting?: AbortSignal | undefined }> = {},
): Promise<CancelsAnswer> {
  const isPromised = (id: string) => done.get(id)?.promised !== undefined
  const answer = {
    success: failed.size === 0,
    order_ids: [...done.keys()],
    accepted: [...done.keys()].filter(isPromised),
    failed: Object.fromEntries(failed),
  }
  if (waiting === undefined) return { cancelled: answer, waitEnd: undefined }
  const promises = [...done.values()].flatMap(({ promised }) => promised ?? [])
  const awaited = promises.map((promised) => awaitedCancel(owner, promised))
  const { end: waitEnd } = await parts.waits.wait(awaited, waiting)
  const isLookedUp = (id: string) => waitEnd !== 'busy' && isPromised(id)
  const last = await lookUpEach(parts, { owner, done }, isLookedUp)
  const shown = [...last].flatMap(([id, found]) => {
    const order = showOrder(parts.model, owner, found)
    return order === undefined ? [] : [{ id, order }]
  })
  const ended = new Set(shown.flatMap(({ id, order }) => (endOf(order) === 'accepted' ? [] : [id])))
  const accepted = answer.accepted.filter((id) => !ended.has(id))
  return { cancelled: { ...answer, accepted, orders: shown.map(({ order }) => order) }, waitEnd }
}

/** Returns the orders of `done`, re-read where `isLookedUp` holds. */
async function lookUpEach(
  parts: OrderParts,
  { owner, done }: Pick<CancelledSet, 'owner' | 'done'>,
  isLookedUp: (id: string) => boolean,
): Promise<ReadonlyMap<string, OrderLookup>> {
  const last = new Map([...done].map(([id, { found }]) => [id, found]))
  const waiting = [...last].filter(([id]) => isLookedUp(id))
  const read = async () => {
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      const [id, found] = entry
      last.set(id, (await findOrder(parts, owner, targetOf(found))) ?? found)
    }
  }
  await Promise.all(Array.from({ length: READS_MAX }, read))
  return last
}

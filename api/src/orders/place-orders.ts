// Places orders: parses and checks them, promises to bring them to the chain, and answers each with
// what became of it. A list is as one order, with one question to the chain. Interface 4.6.
import { heldPositions } from '@openvenue/core/account-positions'
import { orderId } from '@openvenue/core/ids'
import { gasOf, laneOf, orderLanesOf, promiseBlock, type RelayStatus } from '@openvenue/core/relay'
import type { AddOutcome, Intent, NewIntent } from '@openvenue/store/intents'
import { lookAtOwner, type Owner } from '../account/owner.ts'
import { historyUnavailable, orUnavailable, Refusal } from '../http/refusals.ts'
import type { Caller } from '../identity/caller.ts'
import type { OrderConnection } from './connection-ends.ts'
import { findOrder, showOrder } from './find-order.ts'
import { type ParsedOrder, parseOrder } from './order-body.ts'
import { replacedOrder } from './order-edits.ts'
import type { OrderParts } from './order-parts.ts'
import {
  closedRefusal,
  overHeld,
  overQueue,
  QUEUE_SHARES,
  requireLiveRelay,
  requireRelay,
  tradingNotLive,
  unfunded,
} from './relay-room.ts'
import { orderMembers } from './signed-order.ts'

/** An order that the venue has accepted, and whether it had before. */
export type Placed = Readonly<{ intent: Intent; isReplay: boolean }>

export type PlaceOptions = Readonly<{
  /** The connection over which they come: its end cancels them where the account wants that. */
  connection?: OrderConnection | undefined
  /** What the one order replaces before the chain has it, taken back once that is admitted. */
  replaced?: PendingReplaced | undefined
}>

/** An order that is on its way or held; `takeBack` returns why it cannot be taken back. */
export type PendingReplaced = Readonly<{
  id: string
  takeBack: () => Promise<Refusal | undefined>
}>

/** Intents of an account that may be live at a time: on their way, or held for a trigger. */
export const LIVE_PER_ACCOUNT_MAX = 1000
/** When to come back with more than that. */
const LIVE_RETRY_MS = 2000
const NS_PER_MS = 1_000_000
const MS_PER_SECOND = 1000
const [IOC, FOK, POST_ONLY] = [1, 2, 3]

/** What is known of an order on its way through. */
type Entry = Readonly<{ order: ParsedOrder; at: number }>
type Outcome = Placed | Refusal

/**
 * Returns what became of each body, in their order: it is accepted, and that is committed, or
 * refused. One that is refused spoils no other.
 */
export async function placeOrders(
  parts: OrderParts,
  caller: Caller,
  bodies: readonly unknown[],
  options: PlaceOptions = {},
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const fresh: Entry[] = []
  for (const [at, body] of bodies.entries()) {
    const order = parse(parts, caller, body)
    const known = order instanceof Refusal ? order : replay(parts, order)
    if (known !== undefined) outcomes[at] = known
    else {
      const takesPlaceOf = options.replaced?.id
      fresh.push({ order: { ...(order as ParsedOrder), takesPlaceOf }, at })
    }
  }
  if (fresh.length > 0) await placeFresh(parts, { caller, fresh, options }, outcomes)
  return outcomes
}

/** Returns a body as an order of the caller's account, or why it is none. */
function parse(parts: OrderParts, caller: Caller, body: unknown): ParsedOrder | Refusal {
  try {
    const parsed = parseOrder(body, parts)
    if (parsed.order.account === caller.account) return parsed
    const code = 'FORBIDDEN_ACCOUNT'
    const message = `maker is the account of the API key: ${caller.account}`
    return new Refusal(code, {
      details: [{ field: 'maker', code, message, nearest: caller.account }],
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Returns an order that is known already as it stands. */
function replay({ intentBook }: OrderParts, { digest }: ParsedOrder): Placed | undefined {
  const intent = intentBook.find(digest)
  return intent && { intent, isReplay: true }
}

type Fresh = Readonly<{ caller: Caller; fresh: readonly Entry[]; options: PlaceOptions }>

/** Puts the outcome of each order that this node does not know into `outcomes`. */
async function placeFresh(parts: OrderParts, given: Fresh, outcomes: Outcome[]): Promise<void> {
  const { caller, fresh } = given
  const closed = closedRefusal(parts.settings.trading)
  if (closed !== undefined) throw closed
  if (parts.receipts === undefined) throw tradingNotLive()
  requireLiveRelay(parts.intentBook, parts.clock.nowMs())
  const owner = await lookAtOwner(parts, caller.account, (found) => found)
  const refusals = await parts.admit(
    owner,
    fresh.map(({ order }) => order),
  )
  const refused = fresh.filter((_, index) => refusals[index] !== undefined)
  const earlier = await findEarlier(parts, refused)
  for (const [index, { order, at }] of fresh.entries()) {
    const refusal = refusals[index]
    if (refusal === undefined) continue
    outcomes[at] = earlier.get(order.digest) ?? (await withLastState(parts, owner, order, refusal))
  }
  const admitted = fresh.filter((_, index) => refusals[index] === undefined)
  const accepting = { ...given, fresh: admitted }
  const accepted = (connection?: string) =>
    accept(parts, { ...accepting, connection }, owner, outcomes)
  await (boundConnection(parts, owner, given.options)?.bind(accepted) ?? accepted())
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

/** Adds what is last known of the order that was to be replaced, where that does not rest. */
async function withLastState(
  parts: OrderParts,
  owner: Owner,
  { order }: ParsedOrder,
  refusal: Refusal,
): Promise<Refusal> {
  if (refusal.code !== 'ORDER_DOES_NOT_EXIST') return refusal
  // Without the database the refusal stands as it is.
  const found = await findOrder(parts, owner, order.replaces).catch(() => undefined)
  const shown = found && showOrder(parts.model, owner, found)
  if (shown === undefined) return refusal
  const { order_id, order_status } = shown
  const { details = [] } = refusal.options
  const named = details.map((one) =>
    one.field === 'replaces' ? { ...one, facts: { ...one.facts, order_id, order_status } } : one,
  )
  return new Refusal(refusal.code, { ...refusal.options, details: named })
}

/** What ended is no longer in memory: a repeat of it is refused by the chain, and known here. */
async function findEarlier(
  { intents }: OrderParts,
  refused: readonly Entry[],
): Promise<ReadonlyMap<string, Placed>> {
  if (refused.length === 0) return new Map()
  const found = await intents.find(refused.map(({ order }) => order.digest))
  return new Map(found.map((intent) => [intent.id, { intent, isReplay: true }]))
}

type Accepting = Pick<Fresh, 'fresh' | 'options'> & Readonly<{ connection?: string | undefined }>

/** Writes what was admitted and finds room; an order is accepted when that is committed. */
async function accept(
  parts: OrderParts,
  { fresh, connection, options }: Accepting,
  owner: Owner,
  outcomes: Outcome[],
): Promise<void> {
  const { budgets } = parts
  await orUnavailable(budgets.prepare(owner.account ?? 0))
  const making: Making = {
    parts,
    owner,
    connection,
    waiting: 0,
    held: 0,
    live: liveOf(parts, owner),
  }
  const made: Made[] = []
  for (const { order, at } of fresh) {
    const intent = makeIntent(making, order)
    if (intent instanceof Refusal) outcomes[at] = intent
    else made.push({ at, intent })
  }
  const [first] = made
  if (first === undefined) return
  const putBack = () => {
    for (const { intent } of made) budgets.putBack(intent.account)
  }
  const refusal = await takeReplacedBack(parts, first.intent, options).catch((error: unknown) => {
    putBack()
    throw error
  })
  if (refusal === undefined) return commit(parts, made, outcomes)
  putBack()
  outcomes[first.at] = refusal
}

/** Returns why what the order replaces cannot be taken back; undefined: it is, or it rests. */
async function takeReplacedBack(
  { intentBook }: OrderParts,
  { account, clientOrderId, takesNameOf }: NewIntent,
  { replaced }: PlaceOptions,
): Promise<Refusal | undefined> {
  if (replaced === undefined) return undefined
  const named =
    clientOrderId === undefined ? undefined : intentBook.findByClientOrderId(account, clientOrderId)
  // Refused before anything is lost.
  if (named !== undefined && named.id !== takesNameOf) return nameTaken(clientOrderId, named.id)
  return replaced.takeBack()
}

type Made = Readonly<{ at: number; intent: NewIntent }>

/** Writes what was made. What was not added is put back into the budget of its account. */
async function commit(
  { budgets, intents }: OrderParts,
  made: readonly Made[],
  outcomes: Outcome[],
): Promise<void> {
  const found = await intents.add(made.map(({ intent }) => intent)).catch((error: unknown) => {
    for (const { intent } of made) budgets.putBack(intent.account)
    throw error
  })
  for (const [index, { at, intent }] of made.entries()) {
    const outcome = found[index] as AddOutcome
    outcomes[at] = placedOf(intent, outcome)
    if ('added' in outcome) budgets.settle(intent.account, outcome.ordersEver)
    else budgets.putBack(intent.account)
  }
}

const liveOf = ({ intentBook }: OrderParts, { account }: Owner) =>
  account === undefined ? 0 : intentBook.liveOf(account)

function placedOf({ clientOrderId }: NewIntent, outcome: AddOutcome): Outcome {
  if ('added' in outcome) return { intent: outcome.added, isReplay: false }
  if ('known' in outcome) return { intent: outcome.known, isReplay: true }
  return nameTaken(clientOrderId, outcome.clientOrderIdTaken)
}

function nameTaken(clientOrderId = '', takenBy: string): Refusal {
  const code = 'ORDER_EXISTS'
  const message = 'client_order_id names a live order already'
  const facts = { order_id: takenBy }
  const details = [
    { field: 'client_order_id', code, message, value: clientOrderId, facts } as const,
  ]
  return new Refusal(code, { message, details })
}

/** The intents of one list as they are made: each finds less room than the one before. */
type Making = {
  readonly parts: OrderParts
  readonly owner: Owner
  readonly connection: string | undefined
  waiting: number
  held: number
  live: number
}

/** Returns the intent of an order, or why there is no room for it. */
function makeIntent(making: Making, parsed: ParsedOrder): NewIntent | Refusal {
  const { parts, owner, connection } = making
  const { order, market, digest, signature = '', unsigned } = parsed
  const relay = requireRelay(parts.intentBook)
  const lane = laneOf('order', market.id, orderLanesOf(relay))
  const gas = gasOf(gasFacts(parts, owner, parsed))
  const isHeld = order.triggerKind !== 0 || unsigned.parentOrderId !== undefined
  const refusal = roomRefusal(making, relay, { lane, gas, isHeld, parsed })
  if (refusal !== undefined) return refusal
  making.live++
  const replaced = replacedOrder(parts.model, parsed)
  const edits = replaced === undefined ? parsed.takesPlaceOf : orderId(replaced)
  if (isHeld) making.held++
  else making.waiting += gas
  return {
    id: digest,
    account: owner.account ?? 0,
    wallet: owner.wallet,
    market: market.id,
    ...{ lane, gas, state: isHeld ? 'received' : 'queued' },
    payload: {
      kind: 'order',
      order: orderMembers(order),
      signature,
      ...(unsigned.isMmp ? { isMmp: true } : {}),
      ...(connection === undefined ? {} : { connection }),
      acceptedSeconds: acceptedAt(parts),
      ...(unsigned.isMarket ? { isMarket: true } : {}),
      ...(edits === undefined ? {} : { edits }),
    },
    clientOrderId: unsigned.clientOrderId,
    takesNameOf: edits,
    parentId: unsigned.parentOrderId,
    deadlineSeconds: order.deadline,
    receivedNs: BigInt(Math.trunc(parts.clock.nowMs() * NS_PER_MS)),
    includeByBlock: isHeld ? 0 : promisedBy(making, relay, lane),
  }
}

/** The chain's time, where its clock is not ahead of this one: no later block is before it. */
function acceptedAt({ model, clock }: OrderParts): number {
  const seconds = Math.floor(clock.nowMs() / MS_PER_SECOND)
  return Math.min(seconds, model.head?.seconds ?? seconds)
}

function promisedBy({ parts, waiting }: Making, relay: RelayStatus, lane: string): number {
  const { model, intentBook } = parts
  const head = Math.max(model.head?.number ?? 0, relay.block)
  const lanes = orderLanesOf(relay)
  // Lanes share a block: what waits in all of them counts where it is more.
  const before = Math.max(intentBook.waitingGas(lane) * lanes, intentBook.waitingGas())
  return promiseBlock(head, before + waiting, relay.gasPerBlock)
}

type Wanted = Readonly<{ lane: string; gas: number; isHeld: boolean; parsed: ParsedOrder }>

function roomRefusal(
  { parts, owner, waiting, held, live }: Making,
  relay: RelayStatus,
  { lane, gas, isHeld, parsed: { order } }: Wanted,
): Refusal | undefined {
  if (live >= LIVE_PER_ACCOUNT_MAX) return tooManyLive()
  const share = order.reduceOnly
    ? QUEUE_SHARES.reduceOnly
    : order.timeInForce === POST_ONLY
      ? QUEUE_SHARES.postOnly
      : QUEUE_SHARES.rest
  const now = parts.intentBook.waitingGas() + waiting
  const over = isHeld
    ? overHeld(parts.intentBook.held + held)
    : overQueue(relay, { waiting: now, gas, share })
  return unfunded(relay, lane) ?? over ?? parts.budgets.take(owner.account ?? 0)
}

function tooManyLive(): Refusal {
  const code = 'TOO_MANY_PENDING_ORDERS'
  const message = `an account has at most ${LIVE_PER_ACCOUNT_MAX} orders on their way or held`
  const details = [{ field: 'maker', code, message, nearest: LIVE_PER_ACCOUNT_MAX } as const]
  return new Refusal(code, { message, retryAfterMs: LIVE_RETRY_MS, details })
}

/** An order that takes what rests is expected to meet one maker. */
function gasFacts({ model }: OrderParts, { account }: Owner, { market, order }: ParsedOrder) {
  const held = account === undefined ? [] : heldPositions(model.state, account)
  return {
    kind: 'order' as const,
    isPerpetual: market.type === 'PERPETUAL',
    fills: order.timeInForce === IOC || order.timeInForce === FOK ? 1 : 0,
    positions: held.filter((position) => position.market !== market.id).length,
  }
}

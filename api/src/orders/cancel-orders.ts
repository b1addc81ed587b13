// Cancels orders: one that has not been sent is withdrawn; of one on its way or on the book the
// venue promises the cancel, as the account's canceller or by its signature. Interface 4.6.
import { marketEngine, orderId } from '@openvenue/core/ids'
import { CANCEL_LANE, gasOf, promiseBlock } from '@openvenue/core/relay'
import type { Intent, IntentPayload, IntentState, NewIntent } from '@openvenue/store/intents'
import type { CancelledOrder } from '@openvenue/wire/order-answers'
import type { OrderItem } from '@openvenue/wire/orders'
import type { Receipt } from '@openvenue/wire/relay'
import { ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import { hashTypedData } from 'viem'
import { liveCancellers } from '../account/cancellers.ts'
import { lookAtOwner, type Owner } from '../account/owner.ts'
import { Refusal } from '../http/refusals.ts'
import type { Caller } from '../identity/caller.ts'
import { messageTypes } from '../identity/typed-data.ts'
import {
  type FoundOrder,
  findByClientOrderId,
  findOrder,
  findToEnd,
  showOrder,
} from './find-order.ts'
import type { WaitEnd } from './included-waits.ts'
import type { OrderParts } from './order-parts.ts'
import type { Promised } from './receipt.ts'
import { requireRelay } from './relay-room.ts'
import { recoverSigner } from './signer.ts'

const NS_PER_MS = 1_000_000
const UINT256_MAX = 2n ** 256n - 1n
/** How long a signature that is asked for may be used. */
const SIGNED_SECONDS = 600

/** A signature of `Cancel`, where the account has not allowed the venue to cancel. */
export type CancelSignature = Readonly<{ signature: string; deadline: bigint }>

/** `receipt` is of the promised cancel; an order that was withdrawn has ended, and needs none. */
export type Cancelled = Readonly<{
  order_id: string
  success: true
  status: CancelledOrder['status']
  order: OrderItem
  receipt?: Receipt
}>

export type CancelOptions = Readonly<{
  signed?: CancelSignature | undefined
  /** Absent: the answer waits for no block. Aborts when nobody listens to it any more. */
  waiting?: AbortSignal | undefined
}>

/** The answer to a cancel, and how its wait ended. */
export type CancelAnswer = Readonly<{ cancelled: Cancelled; waitEnd: WaitEnd | undefined }>

export type Cancelling = CancelOptions &
  Readonly<{ parts: OrderParts; owner: Owner; found: FoundOrder }>

/** Cancels the caller's order of that id, either form; refuses one that has ended, or is none. */
export async function cancelOrder(
  parts: OrderParts,
  caller: Caller,
  id: string,
  options: CancelOptions = {},
): Promise<CancelAnswer> {
  const asked = id.toLowerCase()
  const owner = await lookAtOwner(parts, caller.account, (known) => known)
  const found = await findToEnd(parts, owner, asked)
  if (found.live === undefined) throw orderEnded(parts, owner, found.ended)
  return answerCancel({ parts, owner, found: found.live, ...options })
}

/**
 * Cancels a live order: takes it back, or promises what cancels it on the chain. Returns the order,
 * and the promise where there is one.
 */
export async function cancelFound(
  cancelling: Cancelling,
): Promise<Readonly<{ found: FoundOrder; promised?: Promised }>> {
  const withdrawn = await withdraw(cancelling.parts, cancelling.found)
  if (withdrawn !== undefined) return { found: withdrawn }
  const promised = await promiseCancel(cancelling, await authority(cancelling))
  return { found: cancelling.found, promised }
}

async function answerCancel(cancelling: Cancelling): Promise<CancelAnswer> {
  const { parts, owner, waiting } = cancelling
  const { found, promised } = await cancelFound(cancelling)
  const waitEnd = promised && waiting && (await waitForCancel(cancelling, promised, waiting))
  const last = waitEnd === undefined ? found : await findOrder(parts, owner, targetOf(found))
  const order = last && showOrder(parts.model, owner, last)
  if (order === undefined) throw new Refusal('INSTRUMENT_NOT_FOUND')
  const receipt = promised && parts.receipts?.of(promised)
  const cancelled = {
    ...{ order_id: order.order_id, success: true as const, status: endOf(order), order },
    ...(receipt === undefined ? {} : { receipt }),
  }
  return { cancelled, waitEnd: waitEnd ?? (waiting && 'done') }
}

/** Waits until the cancel is in a block that this node has, or has come to nothing. */
async function waitForCancel(
  { parts, owner }: Cancelling,
  { id }: Promised,
  waiting: AbortSignal,
): Promise<WaitEnd> {
  const cancel = {
    id,
    account: owner.account ?? 0,
    state: 'queued',
    blockNumber: undefined,
  } as const
  return (await parts.waits.wait([cancel], waiting)).end
}

const ENDS = ['filled', 'cancelled', 'rejected', 'expired'] as const

const endOf = ({ order_status }: OrderItem): CancelledOrder['status'] =>
  ENDS.find((end) => end === order_status) ?? 'accepted'

/** As `cancelOrder`, of the order whose client calls it so. */
export async function cancelByClientOrderId(
  parts: OrderParts,
  caller: Caller,
  name: string,
  options: CancelOptions = {},
): Promise<CancelAnswer> {
  const owner = await lookAtOwner(parts, caller.account, (known) => known)
  const found = await findByClientOrderId(parts, owner, name)
  if (found?.intent === undefined) throw orderEnded(parts, owner, found)
  const { live } = await findToEnd(parts, owner, found.intent.id)
  if (live === undefined) throw orderEnded(parts, owner, found)
  return answerCancel({ parts, owner, found: live, ...options })
}

/** Returns the refusal of an order that no longer lives, with what is last known of it. */
export function orderEnded(parts: OrderParts, owner: Owner, found?: FoundOrder): Refusal {
  const code = 'ORDER_DOES_NOT_EXIST'
  const order = found && showOrder(parts.model, owner, found)
  if (order === undefined) return new Refusal(code)
  const { order_id, order_status } = order
  const message = `the order is ${order_status}`
  const details = [{ field: 'order_id', code, message, facts: { order_id, order_status } } as const]
  return new Refusal(code, { details })
}

async function withdraw(
  parts: OrderParts,
  { order, intent }: FoundOrder,
): Promise<FoundOrder | undefined> {
  if (order !== undefined || intent === undefined || intent.state === 'sent') return undefined
  const taken = await takeBack(parts, intent)
  return taken && { order, intent: taken }
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
  return { ...intent, state: step.to, reason: step.reason, updatedNs: atNs }
}

const nowNs = ({ nowMs }: OrderParts['clock']) => BigInt(Math.trunc(nowMs() * NS_PER_MS))

type Authority = Readonly<{ id: string; payload: IntentPayload; deadlineSeconds: bigint }>

/** Returns what cancels the order on the chain; refuses where nothing allows it. */
async function authority(cancelling: Cancelling): Promise<Authority> {
  const { parts, owner, found, signed } = cancelling
  if (signed !== undefined) return signedCancel(cancelling, signed)
  const { canceller } = requireRelay(parts.intentBook)
  const isAllowed = await parts.owned.look(owner, () =>
    liveCancellers(parts.model, owner).some((allowed) => allowed.canceller === canceller),
  )
  if (!isAllowed) throw signatureRequired(cancelling)
  const target = targetOf(found)
  const payload = { kind: 'cancel', target } as const
  return { id: `cancel:${target}`, payload, deadlineSeconds: UINT256_MAX }
}

const targetOf = ({ order, intent }: FoundOrder) =>
  order === undefined ? (intent?.id ?? '') : orderId(order)

function cancelData({ parts, owner, found }: Cancelling, deadline: bigint) {
  const { settings } = parts
  const market = marketOf(found)
  const domain = {
    name: settings.domainName,
    version: '1',
    chainId: settings.chainId,
    verifyingContract: marketEngine(market),
  }
  const orders = found.order === undefined ? [] : [orderId({ ...found.order, ref: null })]
  return {
    domain,
    types: messageTypes(domain, 'Cancel', ENGINE_MESSAGES.Cancel),
    primaryType: 'Cancel',
    message: {
      account: owner.wallet,
      market: Number.parseInt(market.slice(-8), 16),
      orders,
      deadline: deadline.toString(),
    },
  }
}

const marketOf = ({ order, intent }: FoundOrder) => order?.market ?? intent?.market ?? ''

function signatureRequired(cancelling: Cancelling): Refusal {
  const { parts } = cancelling
  const code = 'CANCEL_SIGNATURE_REQUIRED'
  const message =
    'the account lets the venue cancel for it (GET /account/cancellers), or signature and ' +
    'deadline come with the cancel'
  const seconds = Math.floor(parts.clock.nowMs() / 1000)
  const typed_data = cancelData(cancelling, BigInt(seconds + SIGNED_SECONDS))
  // What has no number on the chain yet cannot be named in a signature.
  const given = cancelling.found.order === undefined ? {} : { typed_data }
  return new Refusal(code, { message, details: [{ field: 'signature', code, message, ...given }] })
}

async function signedCancel(
  cancelling: Cancelling,
  { signature, deadline }: CancelSignature,
): Promise<Authority> {
  const { parts, owner, found } = cancelling
  if (found.order === undefined) throw signatureRequired(cancelling)
  const typed_data = cancelData(cancelling, deadline)
  const digest = hashTypedData(typed_data as never)
  const signer = recoverSigner(digest, signature)
  if (signer === undefined || !(await maySign(parts, owner, signer))) {
    const code = 'ORDER_BAD_SIGNING_KEY'
    const message = 'signature is of the typed data, by the wallet or a live signing key of it'
    const recovered = signer === undefined ? {} : { recovered: signer }
    const details = [
      { field: 'signature', code, message, digest, typed_data, ...recovered } as const,
    ]
    throw new Refusal(code, { message, details })
  }
  const { orders } = typed_data.message
  const payload = {
    kind: 'signed_cancel',
    orders,
    deadline: deadline.toString(),
    signature,
  } as const
  return { id: digest, payload, deadlineSeconds: deadline }
}

async function maySign({ signers, model }: OrderParts, owner: Owner, signer: string) {
  if (signer === owner.wallet) return true
  const key = await signers.find(signer)
  const seconds = model.head?.seconds ?? 0
  return key?.account === owner.account && key?.isRevoked === false && key.expirySeconds > seconds
}

/** Writes the promise of a cancel; one that came to nothing is promised anew. */
async function promiseCancel(
  { parts, owner, found }: Cancelling,
  { id, payload, deadlineSeconds }: Authority,
): Promise<Promised> {
  const { intentBook, intents, clock, model } = parts
  const relay = requireRelay(intentBook)
  const market = marketOf(found)
  const gas = gasOf({ kind: payload.kind, isPerpetual: isPerpetual(parts, market) })
  const head = Math.max(model.head?.number ?? 0, relay.block)
  const includeByBlock = promiseBlock(head, intentBook.waitingGas(CANCEL_LANE), relay.gasPerBlock)
  const times = { receivedNs: nowNs(clock), includeByBlock, deadlineSeconds }
  const at = { account: owner.account ?? 0, wallet: owner.wallet, market, lane: CANCEL_LANE }
  const intent: NewIntent = { id, ...at, state: 'queued', gas, payload, ...times }
  const [outcome] = await intents.add([intent])
  if (outcome !== undefined && 'added' in outcome) return outcome.added
  const known = outcome !== undefined && 'known' in outcome ? outcome.known : undefined
  return promiseAgain(parts, intent, known)
}

const ENDED: readonly IntentState[] = ['included', 'refused', 'expired', 'withdrawn']

/**
 * Returns the promise of a cancel that was asked for before: that which it has, or a new one where
 * it came to nothing, or where the venue made it for itself.
 */
async function promiseAgain(
  { intents, model }: OrderParts,
  intent: NewIntent,
  known: Intent | undefined,
): Promise<Promised> {
  const { id, includeByBlock, receivedNs: atNs, lane } = intent
  const before = (await intents.promisesOf([id])).get(id)
  // In a block that this node has not seen.
  const isDone = known?.state === 'included' && (known.blockNumber ?? 0) > (model.head?.number ?? 0)
  const from = before?.includeByBlock === 0 ? [...ENDED, 'queued' as const] : ENDED
  const step = { id, from, to: 'queued', atNs, includeByBlock } as const
  const [isMade] = isDone ? [] : await intents.move([step])
  const promise = (isMade === true ? (await intents.promisesOf([id])).get(id) : before) ?? {
    seq: 0,
    ...step,
  }
  return { id, lane, ...promise, receivedNs: promise.atNs }
}

const isPerpetual = ({ model }: OrderParts, market: string) =>
  model.state.records.market.get(market)?.type === 'PERPETUAL'

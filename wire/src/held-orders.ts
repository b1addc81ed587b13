// An order that came through the venue and is not on the chain, or not yet, as its owner sees it:
// received, on its way, refused, expired or withdrawn. Interface 4.6.
import { TIMES_IN_FORCE } from '@openvenue/core/events'
import { max } from '@openvenue/core/integers'
import type { Market, Order } from '@openvenue/core/records'
import { encodeOrder, type OrderItem } from './orders.ts'

/** Why an order ended: a code, and the name of the contract's error where it was one. */
export type EndReason = Readonly<{
  code: string | undefined
  contractError: string | undefined
  /** Of an order that an edit replaced: the id of that. */
  replacedBy?: string | undefined
}>

/** What is known of an order that the chain does not have. Integers are decimal text. */
export type HeldOrder = Readonly<{
  digest: string
  /** Wallet of its account, lower case. */
  account: string
  state: 'received' | 'queued' | 'sent' | 'included' | 'refused' | 'expired' | 'withdrawn'
  isBuy: boolean
  limitPrice: string
  amount: string
  /** 0 GTC, 1 IOC, 2 FOK, 3 POST_ONLY. */
  timeInForce: number
  isMarket: boolean
  reduceOnly: boolean
  /** 0 none, 1 at or above, 2 at or below the trigger price. */
  triggerKind: number
  triggerPrice: string
  goodTil: string
  deadline: string
  clientOrderId: string | undefined
  parentId: string | undefined
  /** Public id of the order that it replaces. */
  edits: string | undefined
  reason: EndReason
  txHash: string | undefined
  /** The chain's time when it was accepted. */
  acceptedSeconds: number
  updatedNs: bigint
}>

const STATUS = {
  received: 'stop_order',
  queued: 'pending',
  sent: 'pending',
  // The chain has it, and this node does not know that order yet.
  included: 'pending',
  refused: 'rejected',
  expired: 'expired',
  withdrawn: 'cancelled',
} as const satisfies Record<HeldOrder['state'], OrderItem['order_status']>

/** Returns an order that the chain does not have as JSON: as one of the chain, less its block. */
export function encodeHeldOrder(market: Market, held: HeldOrder): OrderItem {
  const { state, reason } = held
  const hasEnded = state === 'refused' || state === 'expired' || state === 'withdrawn'
  const item: OrderItem = {
    ...encodeOrder(market, recordOf(market, held), { account: held.account, leverage: 0 }),
    chain_order_id: null,
    block_number: null,
    ...(market.maxLeverage === null ? {} : { initial_margin: '0' }),
    order_status: STATUS[state],
    tx_hash: held.txHash ?? null,
  }
  if (!hasEnded) return item
  const endedNs = max(held.updatedNs, BigInt(item.created_timestamp)).toString()
  const cancelReason = state === 'withdrawn' ? (reason.code ?? 'USER') : null
  return {
    ...item,
    cancel_reason: cancelReason,
    reject_reason: state === 'withdrawn' ? null : (reason.code ?? null),
    error: cancelReason === 'USER' || cancelReason === 'REPLACED' ? null : cancelReason,
    ...(reason.contractError === undefined ? {} : { contract_error: reason.contractError }),
    valid_until: held.deadline,
    timestamp: endedNs,
    closed_timestamp: endedNs,
  }
}

/** Returns the order as the chain would have it once it rests. */
function recordOf(market: Market, held: HeldOrder): Order {
  const lots = BigInt(held.amount) / market.amountStep
  const isTriggered = held.triggerKind !== 0
  return {
    market: market.id,
    number: 0,
    ref: held.digest,
    account: 0,
    isBuy: held.isBuy,
    tick: Number(BigInt(held.limitPrice) / market.priceStep),
    lots,
    restingLots: lots,
    filledLots: 0n,
    filledUnits: 0n,
    fees: 0n,
    timeInForce: TIMES_IN_FORCE[held.timeInForce] ?? 'GTC',
    isReduceOnly: held.reduceOnly,
    isForced: false,
    goodTilSeconds: Number(held.goodTil),
    status: 'open',
    reason: null,
    blockNumber: 0,
    logIndex: 0,
    txHash: '',
    createdSeconds: held.acceptedSeconds,
    updatedSeconds: held.acceptedSeconds,
    isMarket: held.isMarket,
    clientOrderId: held.clientOrderId ?? null,
    parentRef: held.parentId ?? null,
    triggerKind: isTriggered ? held.triggerKind : null,
    triggerPrice: isTriggered ? BigInt(held.triggerPrice) : null,
    replaces: held.edits ?? null,
    replacedBy: held.reason.replacedBy ?? null,
  }
}

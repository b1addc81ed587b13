// An order submitted to the venue that is not, or not yet, on the chain, as its owner sees it:
// received, on its way, rejected, expired or withdrawn. Interface 4.6.
import { TIMES_IN_FORCE } from '@openvenue/core/events'
import { max } from '@openvenue/core/integers'
import type { Market, Order } from '@openvenue/core/records'
import { encodeOrder, type OrderItem } from './orders.ts'

/** Reason for the end of an order: a code, and the name of the contract's error if any. */
export type EndReason = Readonly<{
  code: string | undefined
  contractError: string | undefined
  /** Id of the edit that replaced the order. */
  replacedBy?: string | undefined
}>

/** Data of an order that is not on the chain. Integers are decimal text. */
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
  /** Chain time of its acceptance. */
  acceptedSeconds: number
  /** Chain time of its last state change. */
  updatedNs: bigint
}>

const STATUS = {
  received: 'stop_order',
  queued: 'pending',
  sent: 'pending',
  // The chain has it, but this node has not seen it yet.
  included: 'pending',
  refused: 'rejected',
  expired: 'expired',
  withdrawn: 'cancelled',
} as const satisfies Record<HeldOrder['state'], OrderItem['order_status']>

/** Returns an off-chain order as JSON, in the form of an on-chain one without block. */
export function encodeHeldOrder(market: Market, order: HeldOrder): OrderItem {
  const { state, reason } = order
  const hasEnded = state === 'refused' || state === 'expired' || state === 'withdrawn'
  const item: OrderItem = {
    ...encodeOrder(market, recordOf(market, order), { account: order.account, leverage: 0 }),
    chain_order_id: null,
    block_number: null,
    ...(market.maxLeverage === null ? {} : { initial_margin: '0' }),
    order_status: STATUS[state],
    tx_hash: order.txHash ?? null,
  }
  if (!hasEnded) return item
  const endedNs = max(order.updatedNs, BigInt(item.created_timestamp)).toString()
  const cancelReason = state === 'withdrawn' ? (reason.code ?? 'USER') : null
  return {
    ...item,
    cancel_reason: cancelReason,
    reject_reason: state === 'withdrawn' ? null : (reason.code ?? null),
    error: cancelReason === 'USER' || cancelReason === 'REPLACED' ? null : cancelReason,
    ...(reason.contractError === undefined ? {} : { contract_error: reason.contractError }),
    valid_until: order.deadline,
    timestamp: endedNs,
    closed_timestamp: endedNs,
  }
}

/** Returns the order as it would rest on the chain. */
function recordOf(market: Market, order: HeldOrder): Order {
  const lots = BigInt(order.amount) / market.amountStep
  const isTriggered = order.triggerKind !== 0
  return {
    market: market.id,
    number: 0,
    ref: order.digest,
    account: 0,
    isBuy: order.isBuy,
    tick: Number(BigInt(order.limitPrice) / market.priceStep),
    lots,
    restingLots: lots,
    filledLots: 0n,
    filledUnits: 0n,
    fees: 0n,
    timeInForce: TIMES_IN_FORCE[order.timeInForce] ?? 'GTC',
    isReduceOnly: order.reduceOnly,
    isForced: false,
    goodTilSeconds: Number(order.goodTil),
    status: 'open',
    reason: null,
    blockNumber: 0,
    logIndex: 0,
    txHash: '',
    createdSeconds: order.acceptedSeconds,
    updatedSeconds: order.acceptedSeconds,
    isMarket: order.isMarket,
    clientOrderId: order.clientOrderId ?? null,
    parentRef: order.parentId ?? null,
    triggerKind: isTriggered ? order.triggerKind : null,
    triggerPrice: isTriggered ? BigInt(order.triggerPrice) : null,
    replaces: order.edits ?? null,
    replacedBy: order.reason.replacedBy ?? null,
  }
}

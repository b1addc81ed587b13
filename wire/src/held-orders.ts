// An order that came through the venue and is not on the chain, or not yet, as its owner sees it:
// received, on its way, refused, expired or withdrawn. Interface 4.6.
import type { Market } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import type { OrderItem } from './orders.ts'

/** Why an order ended: a code, and the name of the contract's error where it was one. */
export type EndReason = Readonly<{ code: string | undefined; contractError: string | undefined }>

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
  reduceOnly: boolean
  /** 0 none, 1 at or above, 2 at or below the trigger price. */
  triggerKind: number
  triggerPrice: string
  goodTil: string
  deadline: string
  clientOrderId: string | undefined
  parentId: string | undefined
  reason: EndReason
  txHash: string | undefined
  receivedNs: bigint
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

const [IOC, FOK, POST_ONLY] = [1, 2, 3]
const NS = '000000000'

/** Returns an order that the chain does not have as JSON. */
export function encodeHeldOrder(market: Market, held: HeldOrder): OrderItem {
  const { state, isBuy, timeInForce, reason, goodTil } = held
  const status = STATUS[state]
  const amount = formatRaw(BigInt(held.amount), market.baseDecimals)
  const hasEnded = state === 'refused' || state === 'expired' || state === 'withdrawn'
  return {
    order_id: held.digest,
    chain_order_id: null,
    ...(held.clientOrderId === undefined ? {} : { client_order_id: held.clientOrderId }),
    account: held.account,
    instrument_id: market.id,
    instrument_name: market.name,
    instrument_type: market.type as OrderItem['instrument_type'],
    asset: market.asset,
    order_type: timeInForce === IOC ? 'market' : 'limit',
    side: isBuy ? 'buy' : 'sell',
    price: formatRaw(BigInt(held.limitPrice), market.quoteDecimals),
    amount,
    filled: '0',
    remaining: amount,
    avg_price: '0',
    order_status: status,
    time_in_force: timeInForceText(held),
    ...(goodTil === '0' ? {} : { expires_timestamp: goodTil + NS }),
    post_only: timeInForce === POST_ONLY,
    reduce_only: held.reduceOnly,
    close_position: false,
    ...(market.maxLeverage === null ? {} : { initial_margin: '0' }),
    fees: '0',
    self_trade_prevention: 'EXPIRE_MAKER',
    cancel_reason: state === 'withdrawn' ? (reason.code ?? 'USER') : null,
    reject_reason: state === 'refused' || state === 'expired' ? (reason.code ?? null) : null,
    ...(reason.contractError === undefined ? {} : { contract_error: reason.contractError }),
    ...trigger(market, held),
    ...(held.parentId === undefined ? {} : { parent_order_id: held.parentId }),
    ...(hasEnded ? { valid_until: held.deadline } : {}),
    tx_hash: held.txHash ?? null,
    block_number: null,
    created_timestamp: held.receivedNs.toString(),
    timestamp: held.updatedNs.toString(),
  }
}

function timeInForceText({ timeInForce, goodTil }: HeldOrder): OrderItem['time_in_force'] {
  if (timeInForce === IOC) return 'IOC'
  if (timeInForce === FOK) return 'FOK'
  return goodTil === '0' ? 'GTC' : 'GTD'
}

/** A selling stop-loss and a buying take-profit fire at or below their price. */
function trigger(market: Market, { triggerKind, triggerPrice, isBuy }: HeldOrder) {
  if (triggerKind === 0) return {}
  const isBelow = triggerKind === 2
  return {
    stop: isBelow === isBuy ? ('TAKE_PROFIT' as const) : ('STOP_LOSS' as const),
    trigger: formatRaw(BigInt(triggerPrice), market.quoteDecimals),
  }
}

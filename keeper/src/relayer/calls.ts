// Encodes intents as calls of the engines.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { marketEngine } from '@openvenue/core/ids'
import type { Intent, IntentPayload, OrderMembers } from '@openvenue/store/intents/intents'
import { encodeFunctionData, type Hex } from 'viem'
import type { TxRequest } from '../pending-tx.ts'

// Both engines have the same order functions.
const abi = perpsAbi

/** Hex digits of the market's id in its engine. */
const MARKET_CHARS = 8

const marketNumber = (market: string): number => Number.parseInt(market.slice(-MARKET_CHARS), 16)

export const engineOf = ({ market }: Intent): string => marketEngine(market)

/** Returns the transaction that places `intents`, all of one engine, in this order. */
export function placeRequest(intents: readonly Intent[], gasLimit: number): TxRequest {
  const orders = intents.map(({ payload }) => {
    if (payload.kind !== 'order') throw new Error(`cannot place an intent of kind ${payload.kind}`)
    return payload
  })
  return {
    to: intents[0] === undefined ? '' : engineOf(intents[0]),
    // A single order also uses `placeMany`, so that its refusal and reason are in the receipt.
    data: encodeFunctionData({
      abi,
      functionName: 'placeMany',
      args: [
        orders.map(({ order }) => decodeMembers(order)),
        orders.map(({ signature }) => signature as Hex),
      ],
    }),
    description: `${intents.length} orders`,
    gas: BigInt(gasLimit),
  }
}

const decodeMembers = (order: OrderMembers) => ({
  account: order.account as Hex,
  market: order.market,
  isBuy: order.isBuy,
  limitPrice: BigInt(order.limitPrice),
  amount: BigInt(order.amount),
  timeInForce: order.timeInForce,
  reduceOnly: order.reduceOnly,
  triggerKind: order.triggerKind,
  triggerPrice: BigInt(order.triggerPrice),
  goodTil: BigInt(order.goodTil),
  maxFills: order.maxFills,
  replaces: order.replaces as Hex,
  replacesAmount: BigInt(order.replacesAmount),
  salt: BigInt(order.salt),
  deadline: BigInt(order.deadline),
})

const ORDER_CHARS = 16

/** Returns the ids of the orders that a cancel targets; none for an order. */
export function targetsOf(payload: IntentPayload, market: string): readonly string[] {
  if (payload.kind === 'cancel') return [payload.target]
  if (payload.kind === 'signed_cancel') return payload.orders
  if (payload.kind === 'order') return []
  return payload.orders.map((number) => market + number.toString(16).padStart(ORDER_CHARS, '0'))
}

/** A cancel with its order's number on chain; undefined for a signed cancel. */
export type CancelItem = Readonly<{ intent: Intent; number: number | undefined }>

/** Returns the transaction of `items`, all of one engine. A single call reverts with its reason. */
export function cancelRequest(items: readonly CancelItem[], gasLimit: number): TxRequest {
  const calls = [...unsignedCalls(items), ...items.flatMap(signedCall)]
  const [first] = items
  return {
    to: first === undefined ? '' : engineOf(first.intent),
    data:
      calls.length === 1
        ? (calls[0] as Hex)
        : encodeFunctionData({ abi, functionName: 'multicall', args: [calls] }),
    description: `${items.length} cancels`,
    gas: BigInt(gasLimit),
  }
}

/** Returns one call for all orders of an account in a market. */
function unsignedCalls(items: readonly CancelItem[]): Hex[] {
  const groups = new Map<string, { market: number; account: number; numbers: number[] }>()
  for (const { intent, number } of items) {
    if (number === undefined) continue
    const { market, account } = intent
    const key = `${market} ${account}`
    const group = groups.get(key) ?? { market: marketNumber(market), account, numbers: [] }
    groups.set(key, group)
    group.numbers.push(number)
  }
  return [...groups.values()].map(({ market, account, numbers }) =>
    encodeFunctionData({ abi, functionName: 'cancelFor', args: [market, account, numbers] }),
  )
}

function signedCall({ intent }: CancelItem): Hex[] {
  const { payload, wallet, market } = intent
  const account = wallet as Hex
  if (payload.kind === 'signed_cancel')
    return [encodeSignedCancel(payload, account, marketNumber(market))]
  if (payload.kind === 'signed_cancel_all')
    return [encodeSignedCancelAll(payload, account, marketNumber(market))]
  return []
}

type Payload<K extends IntentPayload['kind']> = Extract<IntentPayload, { kind: K }>

const encodeSignedCancel = (
  { orders, deadline, signature }: Payload<'signed_cancel'>,
  account: Hex,
  market: number,
): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'cancelSigned',
    args: [
      { account, market, orders: orders as readonly Hex[], deadline: BigInt(deadline) },
      signature as Hex,
    ],
  })

const encodeSignedCancelAll = (
  { orders, salt, deadline, signature }: Payload<'signed_cancel_all'>,
  account: Hex,
  market: number,
): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'cancelAllSigned',
    args: [
      { account, market, salt: BigInt(salt), deadline: BigInt(deadline) },
      orders,
      signature as Hex,
    ],
  })

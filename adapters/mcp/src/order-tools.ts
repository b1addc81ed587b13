// Tools that build orders for the user to sign, and submit the signed orders.
import { fromRaw } from 'openvenue'
import { digestOf, type TypedData } from 'openvenue/signing'
import { answerOf } from './answer.ts'
import { ORDER_ID, ORDER_INPUT } from './order-input.ts'
import { READS, type Tool, TRADES } from './server.ts'
import { DECIMALS, orderValueUp } from './spending-caps.ts'
import { ToolError } from './tool-error.ts'
import type { BuiltOrder, TradingAccount } from './trading-account.ts'

/** Maximum number of built orders that are kept; the oldest are dropped first. */
const BUILT_MAX = 100

/** Built orders by id: the submitted order is exactly the one that was shown. */
export class BuiltOrders {
  readonly #orders = new Map<string, BuiltOrder>()

  add(orderId: string, order: BuiltOrder): void {
    this.#orders.set(orderId, order)
    const [oldest] = this.#orders.keys()
    if (oldest !== undefined && this.#orders.size > BUILT_MAX) this.#orders.delete(oldest)
  }

  find(orderId: string): BuiltOrder {
    const order = this.#orders.get(orderId.toLowerCase())
    if (order !== undefined) return order
    throw new ToolError('ORDER_NOT_BUILT', 'order_id: expected an order that this process built', {
      order_id: orderId,
    })
  }
}

export const previewTool = (account: TradingAccount): Tool => ({
  name: 'preview_order',
  title: 'Preview an order',
  description:
    'Previews an order at the newest block: its fills, fees and margin, and every rule that ' +
    'would refuse it. Signs nothing and changes nothing. Needs the scope `read`.',
  inputSchema: ORDER_INPUT,
  hints: READS,
  call: async (input, signal) => {
    const { body } = await account.build(input)
    const answer = await account.rest.ask('POST /orders/preview', { body }, { signal })
    return answerOf(answer.body, { blockNumber: answer.blockNumber, inputs: [] })
  },
})

export const buildTool = (account: TradingAccount, built: BuiltOrders): Tool => ({
  name: 'build_order',
  title: 'Build an order for the user to sign',
  description:
    'Returns the EIP-712 typed data of an order for the user to sign with a wallet or a signing ' +
    'key of the account. Sends nothing: an order needs the signature.',
  inputSchema: ORDER_INPUT,
  hints: READS,
  call: async (input) => {
    const order = await account.build(input)
    const orderId = digestOf(order.data)
    built.add(orderId, order)
    const answer = {
      order_id: orderId,
      means: meaningOf(order),
      typed_data: asJson(order.data),
      next: 'the user signs typed_data; submit_order takes order_id and the signature',
    }
    return answerOf(answer, { inputs: [] })
  },
})

export const submitTool = (account: TradingAccount, built: BuiltOrders): Tool => ({
  name: 'submit_order',
  title: 'Submit an order that the user has signed',
  description:
    'Submits an order from build_order with the signature of the user. The order is pending ' +
    'until it is on the chain, by the block of its receipt; get_orders_by_order_id with ' +
    'include=closed returns its result. Submitting it again does not create a second order.',
  inputSchema: {
    type: 'object',
    properties: {
      order_id: ORDER_ID,
      signature: {
        type: 'string',
        pattern: '^0x[0-9a-fA-F]{130}$',
        description: 'EIP-712 signature of typed_data by the wallet or a key of the account.',
      },
    },
    required: ['order_id', 'signature'],
    additionalProperties: false,
  },
  hints: { ...TRADES, idempotentHint: true },
  call: async ({ order_id, signature }, signal) => {
    const { body } = built.find(String(order_id))
    const signed = { body: { ...body, signature: String(signature) } }
    const answer = await account.rest.ask('POST /orders', signed, { signal })
    return answerOf(answer.body, { blockNumber: answer.blockNumber, inputs: [] })
  },
})

/** Returns the signed order in human units: raw integers hide a wrong digit. */
export function meaningOf({ market, price, amount, quoteAsset, trigger, body }: BuiltOrder) {
  const side = body.is_buy ? 'buy' : 'sell'
  const value = fromRaw(orderValueUp(price, amount), DECIMALS)
  return {
    market,
    side,
    amount,
    price,
    quote_asset: quoteAsset,
    value_at_price: value,
    ...(trigger === undefined ? {} : { stop: body.stop, trigger }),
    sendable_until_seconds: Number(body.deadline),
  }
}

/** JSON has no 256-bit integers: wallets take them as decimal text. */
const asJson = (data: TypedData): unknown =>
  JSON.parse(
    JSON.stringify(data, (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  )

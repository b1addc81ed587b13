// Tools that sign: only at level `trade`, and within caps except on a devnet.
import { RefusedError } from 'openvenue'
import { type Signer, signCancel } from 'openvenue/signing'
import { answerOf } from './answer.ts'
import { ORDER_INPUT } from './order-input.ts'
import { meaningOf } from './order-tools.ts'
import { type Tool, TRADES } from './server.ts'
import { type SpendingCaps, worstValue } from './spending-caps.ts'
import type { BuiltOrder, TradingAccount } from './trading-account.ts'

type TradingContext = Readonly<{
  account: TradingAccount
  signer: Signer
  /** Undefined on a devnet. */
  caps: SpendingCaps | undefined
}>

export const placeTool = ({ account, signer, caps }: TradingContext): Tool => ({
  name: 'place_order',
  title: 'Sign and place an order',
  description:
    'Signs an order with the key that this program holds and places it. The order is ' +
    'pending until it is on the chain, by the block of its receipt; ' +
    'get_orders_by_order_id with include=closed returns its result. Orders above the caps ' +
    'of this program are refused with CAP_ORDER or CAP_DAY; every signed order counts.',
  inputSchema: ORDER_INPUT,
  hints: TRADES,
  call: async (input, signal) => {
    const order = await account.build(input)
    // Deducted before signing, so that concurrent orders share the remaining caps.
    if (caps !== undefined) caps.take(order.quoteAsset, await askValue(account, order))
    const body = { ...order.body, signature: await signer.signTypedData(order.data) }
    const { body: placed, blockNumber } = await account.rest.ask(
      'POST /orders',
      { body },
      { signal },
    )
    return answerOf({ means: meaningOf(order), order: placed }, { blockNumber, inputs: [] })
  },
})

/** A sell may fill at the market price, or at the price when its trigger fires. */
async function askValue({ rest }: TradingAccount, order: BuiltOrder): Promise<bigint> {
  const { price, amount, market, asset, trigger, body } = order
  if (body.is_buy) return worstValue({ side: 'buy', price, amount, marketPrices: [] })
  const { tickers } = await rest.call('GET /tickers', { query: { asset } })
  const ticker = tickers.find(({ instrument_name }) => instrument_name === market)
  const marketPrices = [ticker?.bid?.price, ticker?.mark.price, ticker?.index.price, trigger]
  return worstValue({ side: 'sell', price, amount, marketPrices })
}

const SIGNATURE_NEEDED = 'CANCEL_SIGNATURE_REQUIRED'

/** Signs the cancel if the account has not allowed the venue to cancel. */
export const signingCancel = (tool: Tool, { account, signer }: TradingContext): Tool => ({
  ...tool,
  call: async (input, signal) => {
    try {
      return await tool.call(input, signal)
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== SIGNATURE_NEEDED) throw error
      const path = { order_id: String(input.order_id) }
      const order = await account.rest.call('GET /orders/{order_id}', { path }, { signal })
      if (order.chain_order_id === null) throw error
      const signature = await signCancel(await account.venue(), signer, {
        account: account.address,
        market: order.instrument_name,
        orders: [order.chain_order_id],
      })
      return tool.call({ ...input, ...signature }, signal)
    }
  },
})

// Returns order books in decimal numbers, since models make mistakes when dividing by 10^18.
import { fromRaw, type Rest, type shapes } from 'openvenue'
import { answerOf } from './answer.ts'
import type { Tool } from './server.ts'

/** Replaces the generated tool, whose answer has raw integers. */
export const decimalBook = (tool: Tool, rest: Rest): Tool => ({
  ...tool,
  title: 'Order book',
  description:
    'Order book of a market in decimal numbers, best level first, from up to 500 orders per side. ' +
    'Refused while the data of this node is stale.',
  call: async (input, signal) => {
    const query = input as Readonly<{ instrument_name: string; depth?: number; group?: number }>
    const path = { instrument_id: query.instrument_name }
    const [book, market] = await Promise.all([
      rest.ask('GET /orderbook', { query }, { signal }),
      rest.call('GET /markets/{instrument_id}', { path }, { signal }),
    ])
    const side = (levels: readonly shapes.OrderBookLevel[]) =>
      levels.map(({ price, amount, orders }) => ({
        price: fromRaw(BigInt(price), market.quote_decimals),
        amount: fromRaw(BigInt(amount), market.base_decimals),
        orders,
      }))
    const { bids, asks, last_updated_timestamp } = book.body
    const answer = {
      market: market.instrument_name,
      bids: side(bids),
      asks: side(asks),
      last_updated_timestamp,
    }
    return answerOf(answer, { blockNumber: book.blockNumber, inputs: Object.keys(input) })
  },
})

// Compares an order of the API with the logs of its life and with its resting amount on chain.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { EventOf } from '@openvenue/core/events'
import {
  cancelledOrder,
  filledOrder,
  isExpired,
  placedOrder,
  reducedOrder,
} from '@openvenue/core/orders'
import type { Order as OrderRecord } from '@openvenue/core/records'
import type { Hex } from 'viem'
import type { Order } from '../../generated/shapes.ts'
import { consistent } from '../chain/consistent.ts'
import { encodeOrder } from '../chain/order-text.ts'
import { ChainError, type ChainRpc } from '../chain/rpc.ts'
import { namedContracts, type VenueContracts } from '../chain/venue-contracts.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import type { Rest } from '../rest/rest.ts'
import { BlockView, type VerifiedBlock } from './block-view.ts'
import {
  type ChainMarket,
  type ReadEvent,
  readAccount,
  readEvents,
  readMarket,
} from './contracts.ts'
import { expectSame, membersOf } from './differences.ts'
import type { VerifyOptions } from './verify-book.ts'

/** A verified order. */
export type VerifiedOrder = Readonly<{
  block: VerifiedBlock
  order: Order
  /**
   * False for an order that the venue reports as not on the chain: held, pending, refused, or ended
   * before it was sent. The chain cannot confirm or deny that, and nothing was compared.
   */
  isOnChain: boolean
}>

/**
 * Requests an order by its digest or chain_order_id, and compares it with the contract's logs since
 * its placement and with its resting amount: account, side, price, amount, filled, average price,
 * fees, status and reason of its end. `rest` needs a key of its account.
 *
 * Long-lived orders are read in ranges of blocks, at most 100: see `logRangeBlocks`.
 *
 * @throws MismatchError with each member that differs; ChainError if the node fails.
 */
export async function verifyOrder(
  rest: Rest,
  rpc: ChainRpc,
  orderId: string,
  options: VerifyOptions = {},
): Promise<VerifiedOrder> {
  const contracts = options.contracts ?? (await namedContracts(rest))
  const answer = await rest.ask(
    'GET /orders/{order_id}',
    { path: { order_id: orderId }, query: { include: 'closed' } },
    { signal: options.signal },
  )
  const order = answer.body
  const view = await BlockView.of(answer, rpc, options)
  const { block } = view
  const subject = `order ${orderId} at block ${block.number}`
  const isNamed = [order.order_id, order.chain_order_id].includes(orderId)
  expectSame(subject, [['order_id', isNamed ? orderId : order.order_id, orderId]])
  if (order.chain_order_id === null || order.block_number === null)
    return { block, order, isOnChain: false }
  if (!CHAIN_ORDER_ID.test(order.chain_order_id))
    throw new UnexpectedAnswerError(
      `chain_order_id: got ${order.chain_order_id}, expected the id of an order`,
    )
  const market = await readMarket(view, contracts, order.chain_order_id.slice(0, MARKET_ID_CHARS))
  const life = await readLife(view, contracts, { market, order })
  expectSame(subject, [['chain_order_id', order.chain_order_id, life && order.chain_order_id]])
  if (life === undefined) return { block, order, isOnChain: false }
  await expectResting(view, market, life)
  const account = await readAccount(view, contracts, order.account)
  expectSame(subject, [
    ['account', account, life.account],
    ...membersOf('', asOnChain(order), encodeOrder(market, life)),
  ])
  return { block, order, isOnChain: true }
}

/** Only the venue knows that an edit replaced it: in the contract its owner cancelled it. */
const asOnChain = (order: Order): Order =>
  order.cancel_reason === 'REPLACED' ? { ...order, cancel_reason: 'USER' } : order

const CHAIN_ORDER_ID = /^0x[0-9a-f]{64}$/
const MARKET_ID_CHARS = 50

type Placement = Readonly<{ market: ChainMarket; order: Order }>

/** Returns the order that results from the logs; undefined if they do not contain its placement. */
async function readLife(
  view: BlockView,
  contracts: VenueContracts,
  { market, order }: Placement,
): Promise<OrderRecord | undefined> {
  const number = Number(BigInt(`0x${order.chain_order_id?.slice(MARKET_ID_CHARS)}`))
  const from = order.block_number ?? 0
  const filter = { from, engines: [market.engine], market: market.number }
  let life: OrderRecord | undefined
  let announced = 0
  for await (const events of readEvents(view, contracts, filter))
    for (const read of events) {
      if (read.event.type === 'Liquidating') announced = read.event.order
      if (life !== undefined && (await hasExpired(view, life, read)))
        return cancelledOrder(life, 'EXPIRED', 0)
      life = consistent(() => nextOf(life, read, { number, isForced: announced === number }))
    }
  if (life !== undefined && life.restingLots > 0n && isExpired(life, view.block.seconds))
    return cancelledOrder(life, 'EXPIRED', view.block.seconds)
  return life
}

/** Returns whether an order had already expired when it was cancelled or reduced. */
async function hasExpired(view: BlockView, life: OrderRecord, { event, log }: ReadEvent) {
  const isAbout = event.type === 'Cancelled' || event.type === 'Reduced'
  if (life.goodTilSeconds === 0 || !isAbout || event.order !== life.number) return false
  return isExpired(life, await view.secondsOf(log.blockNumber))
}

/** Returns the order after an event, which may concern another order. */
function nextOf(
  life: OrderRecord | undefined,
  { event, log }: ReadEvent,
  { number, isForced }: Readonly<{ number: number; isForced: boolean }>,
): OrderRecord | undefined {
  // Times are not compared, because the headers of these blocks are not read.
  const header = { number: log.blockNumber, hash: log.blockHash, parentHash: '', seconds: 0 }
  if (event.type === 'Placed' && event.order === number)
    return placedOrder(life, event, { header, isForced })
  if (life === undefined) return undefined
  if (event.type === 'Filled') return filledBy(life, event, number)
  if (event.type === 'Reduced' && event.order === number) return reducedOrder(life, event, 0)
  if (event.type === 'Cancelled' && event.order === number)
    return cancelledOrder(life, event.reason, 0)
  return life
}

function filledBy(life: OrderRecord, event: EventOf<'Filled'>, number: number): OrderRecord {
  if (event.makerOrder === number) return filledOrder(life, event, event.makerFee, 0)
  if (event.takerOrder === number) return filledOrder(life, event, event.takerFee, 0)
  return life
}

/** Cross-checks the contract's state, because a node may leave out logs. */
async function expectResting(view: BlockView, market: ChainMarket, life: OrderRecord) {
  const { lots } = await view.read({
    address: market.engine as Hex,
    abi: spotAbi,
    functionName: 'orderAt',
    args: [market.number, life.number],
  })
  // An expired order stays in the contract until it is swept.
  if (lots !== life.restingLots && life.reason !== 'EXPIRED')
    throw new ChainError(
      `the node contradicts itself: ${lots} resting lots in state, ${life.restingLots} in logs`,
    )
}

// Plans the transactions that the account's own wallet sends while the venue cannot relay orders.
// Each is described with all its relevant terms.
import { fromRaw } from 'openvenue'
import { encodeFunctionData } from 'viem'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import { callWords } from '../../wallet/worker/signing-words.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'
import * as text from '../text.ts'
import type { ChainPosition } from './chain-account.ts'
import type { ChainMarket } from './chain-listing.ts'
import { amountText, priceText } from './chain-views.ts'
import type { OwnRestingOrder } from './own-resting.ts'
import { engineAbi } from './venue-abi.ts'

/** Orders per transaction: each costs some 60,000 gas. */
const ORDERS_PER_CALL = 50
/**
 * Gas limits. Cancels: twice the measured cost of the call and of each order. Close: the matching
 * limit of the contract, plus what follows the matching.
 */
const GAS = { base: 100_000n, cancel: 100_000n, close: 10_000_000n } as const
/** Largest distance from the mark at which a position is closed, in percent, as with the relay. */
const WORST_PERCENT = 3n
const IOC = 1
/** The most makers that the contract lets one order match. */
const MAKERS_MAX = 100

/** Returns the calls that cancel orders: one per market, or per fifty of its orders. */
export function planCancels(orders: readonly OwnRestingOrder[]): readonly PlannedCall[] {
  const byMarket = Map.groupBy(orders, ({ market }) => market.id)
  return [...byMarket.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / ORDERS_PER_CALL) }, (_, page) =>
      planCancel(all.slice(page * ORDERS_PER_CALL, (page + 1) * ORDERS_PER_CALL)),
    ),
  )
}

function planCancel(orders: readonly OwnRestingOrder[]): PlannedCall {
  const [first] = orders
  if (first === undefined) throw new Error('no orders to cancel')
  const { market } = first
  const numbers = orders.map(({ number }) => number)
  const args = [market.number, numbers] as const
  const data = encodeFunctionData({ abi: engineAbi, functionName: 'cancelAll', args })
  return {
    text:
      orders.length === 1
        ? text.cancelOrder(orderText(first))
        : text.cancelOrders(orders.length, market.name),
    call: { to: market.engine, data, gas: GAS.base + GAS.cancel * BigInt(orders.length) },
    words: callWords(
      'cancelAll',
      [
        ['market', `${market.number}`],
        ['orders', numbers.join(', ')],
        ['contract', market.engine],
      ],
      [
        [text.market, market.name],
        ...orders.map((order) => [text.orderName, orderText(order)] as const),
      ],
    ),
  }
}

const orderText = ({ market, isBuy, tick, lots }: OwnRestingOrder): string =>
  text.order(isBuy, sizeText(market, lots), showDecimal(priceText(market, tick)))

const sizeText = (market: ChainMarket, lots: bigint): string =>
  `${showDecimal(amountText(market, lots))} ${market.name}`

/** Returns the order that closes a position. Throws while its mark is unknown. */
export function planClose({ market, lots, mark }: ChainPosition): PlannedCall {
  const isBuy = lots < 0n
  const size = isBuy ? -lots : lots
  const tick = worstTick({ mark, priceStep: market.priceStep, isBuy })
  if (mark === 0n || tick === 0) throw new Error(text.noMark(market.name))
  const request = {
    ...{ market: market.number, buy: isBuy, tick, lots: size, timeInForce: IOC },
    ...{ reduceOnly: true, goodTil: 0, maxFills: MAKERS_MAX },
  }
  const data = encodeFunctionData({ abi: engineAbi, functionName: 'place', args: [request] })
  return {
    text: text.closePosition(market.name, isBuy, showDecimal(amountText(market, size))),
    call: { to: market.engine, data, gas: GAS.close },
    words: callWords(
      'place',
      [
        ...Object.entries(request).map(([name, value]) => [name, `${value}`] as const),
        ['contract', market.engine],
      ],
      [
        [text.closes, text.positionIn(market.name)],
        [text.orderName, text.closingOrder(isBuy, sizeText(market, size))],
        [text.price, text.priceBound(isBuy, showDecimal(priceText(market, tick)))],
        [
          text.mark,
          showDecimal(fromRaw(mark, market.quoteDecimals), decimalsOf(priceText(market, 1))),
        ],
        [text.rules, text.closingRules],
      ],
    ),
  }
}

type PriceBound = Readonly<{ mark: bigint; priceStep: bigint; isBuy: boolean }>

/** Returns the tick of the price limit, rounded to the safe side: down to buy, up to sell. */
export function worstTick({ mark, priceStep, isBuy }: PriceBound): number {
  const percent = isBuy ? 100n + WORST_PERCENT : 100n - WORST_PERCENT
  const price = (mark * percent) / 100n
  return Number((isBuy ? price : price + priceStep - 1n) / priceStep)
}

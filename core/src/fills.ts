// Both sides of a match: what they exchange, and the fill that each account keeps of it.
import { quoteOf, settleSpot } from './balances.ts'
import { moveCycle } from './cycles.ts'
import type { Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import { addPurchase, takeSale } from './holdings.ts'
import { type FilledPosition, settlePerp } from './positions.ts'
import type { Fill, Market, Order } from './records.ts'

/** A match between two orders, which are as it left them. `id` is that of its trade. */
export type Match = Readonly<{
  id: string
  event: EventOf<'Filled'>
  maker: Order
  taker: Order
}>

/** What a fill did to what its account holds. */
type Effect = Pick<Fill, 'heldLots' | 'heldQuote' | 'closedLots' | 'realised'>

/** Settles a match and records both fills of it. */
export function settleMatch(draft: Draft, market: Market, match: Match): void {
  const { id, event, maker, taker } = match
  const mark = draft.find('mark', market.id)?.price ?? null
  const index = draft.find('indexPrice', market.asset)?.price ?? null
  const [made, took] =
    market.type === 'PERPETUAL'
      ? exchangeLots(draft, market, match)
      : exchangeTokens(draft, market, match)
  const prices = { mark, index }
  recordFill(draft, event, { id: `${id}-m`, order: maker, effect: made, ...prices })
  recordFill(draft, event, { id: `${id}-t`, order: taker, effect: took, ...prices })
}

function exchangeLots(draft: Draft, market: Market, match: Match): readonly [Effect, Effect] {
  const { id, event, taker } = match
  const [made, took] = settlePerp(draft, market, event, taker.isBuy)
  moveCycle(draft, market, { id: `${id}-m`, event, fee: event.makerFee, filled: made })
  moveCycle(draft, market, { id: `${id}-t`, event, fee: event.takerFee, filled: took })
  return [positionEffect(made), positionEffect(took)]
}

const positionEffect = ({ before, closedLots, realised }: FilledPosition): Effect => ({
  heldLots: before.lots,
  heldQuote: before.quote,
  closedLots,
  realised,
})

function exchangeTokens(draft: Draft, market: Market, match: Match): readonly [Effect, Effect] {
  const { maker, taker, event } = match
  const { tick, lots } = event
  const [buy, sell] = taker.isBuy ? [taker, maker] : [maker, taker]
  const exchange = { base: lots * market.amountStep, quote: quoteOf(market, tick, lots) }
  addPurchase(draft, market, { ...exchange, account: buy.account })
  const realised = takeSale(draft, market, { ...exchange, account: sell.account })
  settleSpot(draft, market, { buy, sell, tick, lots })
  const bought = { heldLots: null, heldQuote: null, closedLots: null, realised: null }
  const sold = { ...bought, realised }
  return taker.isBuy ? [sold, bought] : [bought, sold]
}

type Side = Readonly<{
  id: string
  order: Order
  effect: Effect
  mark: bigint | null
  index: bigint | null
}>

function recordFill(draft: Draft, event: EventOf<'Filled'>, side: Side): void {
  const { id, order, effect } = side
  const isMaker = order.number === event.makerOrder
  draft.insert('fill', id, {
    id,
    account: order.account,
    market: order.market,
    orderNumber: order.number,
    ref: order.ref,
    timeInForce: order.timeInForce,
    isBuy: order.isBuy,
    isMaker,
    tick: event.tick,
    lots: event.lots,
    fee: isMaker ? event.makerFee : event.takerFee,
    orderFilledLots: order.filledLots,
    orderStatus: order.status,
    heldLots: effect.heldLots,
    heldQuote: effect.heldQuote,
    closedLots: effect.closedLots,
    realised: effect.realised,
    mark: side.mark,
    index: side.index,
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    seconds: draft.header.seconds,
  })
}

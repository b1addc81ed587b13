// Settles both sides of a match, and records the fill of each account.

import { quoteAmount, settleSpot } from './balances.ts'
import { type CycleFill, moveCycle } from './cycles.ts'
import type { Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import { countForced } from './forced-orders.ts'
import { addPurchase, takeSale } from './holdings.ts'
import { type FilledPosition, settlePerp } from './positions.ts'
import type { Lots, PerLot, Quote } from './record-schema.ts'
import type { Fill, Market, Order } from './records.ts'

/** A match between two orders, given in their state after it. `id` is the id of the trade. */
type Match = Readonly<{
  id: string
  event: EventOf<'Filled'>
  maker: Order
  taker: Order
}>

/** The effect of a fill on the position or holding of its account. */
type Effect = Pick<Fill, 'heldLots' | 'heldQuote' | 'closedLots' | 'realised'>

/** Settles a match and records both fills of it. */
export function settleMatch(draft: Draft, market: Market, match: Match): void {
  const { id, event, maker, taker } = match
  const [made, took] =
    market.type === 'PERPETUAL'
      ? exchangeLots(draft, market, match)
      : exchangeTokens(draft, market, match)
  const prices = currentPrices(draft, market)
  recordBooked(draft, event, { id: `${id}-m`, order: maker, effect: made, prices })
  recordBooked(draft, event, { id: `${id}-t`, order: taker, effect: took, prices })
  if (taker.isForced) countForced(draft, event, `${id}-t`)
}

function exchangeLots(draft: Draft, market: Market, match: Match): readonly [Effect, Effect] {
  const { id, event, taker } = match
  const { lots, makerFee, takerFee } = event
  const [made, took] = settlePerp(draft, market, event, taker.isBuy)
  const unit = BigInt(event.tick) * market.quotePerLotTick
  const fill = { event, lots, unit, liquidationFee: 0n }
  const reason = taker.isForced ? 'liquidation' : 'trade'
  moveCycle(draft, market, { ...fill, id: `${id}-m`, fee: makerFee, reason: 'trade', filled: made })
  moveCycle(draft, market, { ...fill, id: `${id}-t`, fee: takerFee, reason, filled: took })
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
  const exchange = { base: lots * market.amountStep, quote: quoteAmount(market, tick, lots) }
  addPurchase(draft, market, { ...exchange, account: buy.account })
  const realised = takeSale(draft, market, { ...exchange, account: sell.account })
  settleSpot(draft, market, { buy, sell, tick, lots })
  const bought = { heldLots: null, heldQuote: null, closedLots: null, realised: null }
  const sold = { ...bought, realised }
  return taker.isBuy ? [sold, bought] : [bought, sold]
}

type Prices = Pick<Fill, 'mark' | 'index'>

const currentPrices = (draft: Draft, market: Market): Prices => ({
  mark: draft.find('mark', market.id)?.price ?? null,
  index: draft.find('indexPrice', market.asset)?.price ?? null,
})

type FillSide = Readonly<{ id: string; order: Order; effect: Effect; prices: Prices }>

function recordBooked(draft: Draft, event: EventOf<'Filled'>, side: FillSide): void {
  const { id, order, effect, prices } = side
  const isMaker = order.number === event.makerOrder
  draft.insert('fill', id, {
    id,
    account: order.account,
    market: order.market,
    kind: order.isForced ? 'liquidation' : 'trade',
    orderNumber: order.number,
    ref: order.ref,
    timeInForce: order.timeInForce,
    isBuy: order.isBuy,
    isMaker,
    tick: event.tick,
    unit: null,
    lots: event.lots,
    fee: isMaker ? event.makerFee : event.takerFee,
    liquidationFee: 0n,
    orderFilledLots: order.filledLots,
    orderStatus: order.status,
    heldLots: effect.heldLots,
    heldQuote: effect.heldQuote,
    closedLots: effect.closedLots,
    realised: effect.realised,
    mark: prices.mark,
    index: prices.index,
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    seconds: draft.header.seconds,
    isMarket: order.isMarket,
    clientOrderId: order.clientOrderId,
  })
}

/** A fill off the book. `lots` are signed: positive when bought. */
type ForcedFill = Readonly<{
  id: string
  kind: 'absorption' | 'deleverage'
  lots: Lots
  unit: PerLot
  liquidationFee: Quote
  filled: FilledPosition
}>

/** Records one side of a position transferred off the book, and updates its cycle. */
export function recordForced(
  draft: Draft,
  market: Market,
  event: CycleFill['event'],
  fill: ForcedFill,
): void {
  const { id, kind, unit, liquidationFee, filled } = fill
  const isBuy = fill.lots > 0n
  const lots = isBuy ? fill.lots : -fill.lots
  const reason = kind === 'deleverage' ? 'adl' : 'liquidation'
  moveCycle(draft, market, { id, event, lots, unit, fee: 0n, liquidationFee, reason, filled })
  draft.insert('fill', id, {
    id,
    account: filled.before.account,
    market: market.id,
    kind,
    orderNumber: null,
    ref: null,
    timeInForce: null,
    isBuy,
    isMaker: false,
    tick: null,
    unit,
    lots,
    fee: 0n,
    liquidationFee,
    orderFilledLots: null,
    orderStatus: null,
    ...positionEffect(filled),
    ...currentPrices(draft, market),
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    seconds: draft.header.seconds,
    isMarket: false,
    clientOrderId: null,
  })
}

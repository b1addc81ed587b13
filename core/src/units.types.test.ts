// Mistakes that the type checker finds: every line below an expected error must not compile.
import { test } from 'node:test'
import { quoteAmount } from './balances.ts'
import { markPerLotDown, unrealised } from './margin.ts'
import type { Lots, Price, Quote, Tick, TickLots } from './record-schema.ts'
import type { Balance, Fill, Mark, Market, Order, Position, Trade } from './records.ts'
import { amountRaw, averagePriceDown, minus, plus, priceRaw, quoteRaw } from './units.ts'

type UnitValues = Readonly<{
  market: Market
  order: Order
  position: Position
  mark: Mark
  trade: Trade
  balance: Balance
}>

/** Compiled but never called. */
export function slips({ market, order, position, mark, trade, balance }: UnitValues) {
  // @ts-expect-error a tick is not a number of lots
  const ticksAndLots = order.tick + order.lots
  // @ts-expect-error a price is not an amount
  plus(priceRaw(market, order.tick), amountRaw(market, order.lots))
  // @ts-expect-error lots are not quote
  plus<Quote>(position.quote, position.lots)
  // @ts-expect-error base is not quote
  minus(quoteRaw(market, order.filledUnits), amountRaw(market, order.lots))
  // @ts-expect-error lots have no cost before they are multiplied by ticks
  quoteRaw(market, order.filledLots)
  // @ts-expect-error ticks times lots are not lots
  amountRaw(market, order.filledUnits)
  // @ts-expect-error lots and their cost in the wrong order
  averagePriceDown(market, order.filledLots, order.filledUnits)
  // @ts-expect-error an account is not a tick
  quoteAmount(market, trade.maker, trade.lots)
  // @ts-expect-error a mark is a price for a whole base, not for a lot
  unrealised(position, mark.price)
  // @ts-expect-error a basis is a rate
  markPerLotDown(market, mark.basis)
  // @ts-expect-error seconds are not a tick
  priceRaw(market, order.goodTilSeconds)
  // @ts-expect-error a fee is quote, not lots
  const fee: Pick<Fill, 'fee'> = { fee: order.lots }
  // @ts-expect-error lots and a balance are never the same
  const isAll = order.lots === balance.free
  // @ts-expect-error not a status
  const status: Order['status'] = 'canceled'
  // @ts-expect-error not a reason of an order
  const reason: Order['reason'] = 'NONE'
  // @ts-expect-error a token is not a market
  const id: Order['market'] = balance.token
  return { ticksAndLots, fee, isAll, status, reason, id }
}

/** Correct use compiles without unit annotations. */
export function meant({ market, order, position, mark }: UnitValues): Quote {
  const tick: Tick = order.tick
  const rest: Lots = order.lots - order.filledLots
  const units: TickLots = BigInt(tick) * rest
  const paid: Quote = plus(position.quote, quoteRaw(market, units))
  const price: Price = minus(mark.price, priceRaw(market, tick))
  return price > 0n ? paid : 0n
}

test('units are checked by the compiler', () => {})

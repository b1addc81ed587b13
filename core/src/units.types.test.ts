// Slips that the type checker finds: every line below an expected error must not compile.
import { test } from 'node:test'
import { quoteAmount } from './balances.ts'
import { markPerLotDown, unrealised } from './margin.ts'
import type { Lots, Price, Quote, Tick, TickLots } from './record-schema.ts'
import type { Balance, Fill, Mark, Market, Order, Position, Trade } from './records.ts'
import { amountRaw, averagePriceDown, minus, plus, priceRaw, quoteRaw } from './units.ts'

type Given = Readonly<{
  market: Market
  order: Order
  position: Position
  mark: Mark
  trade: Trade
  balance: Balance
}>

/** Is compiled and never called. */
export function slips({ market, order, position, mark, trade, balance }: Given) {
  // @ts-expect-error a tick is no number of lots
  const ticksAndLots = order.tick + order.lots
  // @ts-expect-error a price is no amount
  plus(priceRaw(market, order.tick), amountRaw(market, order.lots))
  // @ts-expect-error lots are no quote
  plus<Quote>(position.quote, position.lots)
  // @ts-expect-error what a market trades is not what it is quoted in
  minus(quoteRaw(market, order.filledUnits), amountRaw(market, order.lots))
  // @ts-expect-error lots cost nothing before they are multiplied by ticks
  quoteRaw(market, order.filledLots)
  // @ts-expect-error ticks times lots are no lots
  amountRaw(market, order.filledUnits)
  // @ts-expect-error lots and what they cost, the wrong way round
  averagePriceDown(market, order.filledLots, order.filledUnits)
  // @ts-expect-error an account is no tick
  quoteAmount(market, trade.maker, trade.lots)
  // @ts-expect-error a mark is a price for a whole base, not for a lot
  unrealised(position, mark.price)
  // @ts-expect-error a basis is a rate
  markPerLotDown(market, mark.basis)
  // @ts-expect-error seconds are no tick
  priceRaw(market, order.goodTilSeconds)
  // @ts-expect-error a fee is quote
  const fee: Pick<Fill, 'fee'> = { fee: order.lots }
  // @ts-expect-error lots and a balance are never the same
  const isAll = order.lots === balance.free
  // @ts-expect-error no status has that word
  const status: Order['status'] = 'canceled'
  // @ts-expect-error an order has no such reason
  const reason: Order['reason'] = 'NONE'
  // @ts-expect-error tokens are not markets
  const id: Order['market'] = balance.token
  return { ticksAndLots, fee, isAll, status, reason, id }
}

/** The meant use compiles, without a word about units. */
export function meant({ market, order, position, mark }: Given): Quote {
  const tick: Tick = order.tick
  const rest: Lots = order.lots - order.filledLots
  const units: TickLots = BigInt(tick) * rest
  const paid: Quote = plus(position.quote, quoteRaw(market, units))
  const price: Price = minus(mark.price, priceRaw(market, tick))
  return price > 0n ? paid : 0n
}

test('units are checked by the compiler', () => {})

// Formats chain data in the words and digits of the API.
import { fromRaw, type Level } from 'openvenue'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import { viewAccount } from '../../account/worker/account-view.ts'
import { positionRow } from '../../account/worker/table-rows.ts'
import type { BookSteps, OwnOrder } from '../../book/worker/book-view.ts'
import type { MarketRow } from '../../market/market-protocol.ts'
import type { OwnMarks } from '../../order/order-protocol.ts'
import { type AccountView, NO_BUYING_POWER, type TableRow } from '../../tables/table-protocol.ts'
import * as text from '../text.ts'
import type { AccountAtBlock, ChainPosition, ChainQuote } from './chain-account.ts'
import type { ChainMarket } from './chain-listing.ts'
import type { OwnRestingOrder } from './own-resting.ts'

const NOTHING = '–'
/** Decimals of marks, margins and money in the perpetual engine. */
const DECIMALS = 18
const MONEY_DECIMALS = 2

export const priceText = (market: ChainMarket, tick: number): string =>
  fromRaw(BigInt(tick) * market.priceStep, market.quoteDecimals)

export const amountText = (market: ChainMarket, lots: bigint): string =>
  fromRaw(lots * market.amountStep, market.baseDecimals)

/** Returns the steps of a market as the API names them. */
export const stepsOf = (market: ChainMarket): BookSteps => ({
  price_step: priceText(market, 1),
  amount_step: amountText(market, 1n),
})

/** Returns levels, best first, from orders sorted best first. */
export function levelsOf(
  market: ChainMarket,
  orders: readonly Readonly<{ tick: number; lots: bigint }>[],
): readonly Level[] {
  const levels = new Map<number, { lots: bigint; count: number }>()
  for (const { tick, lots } of orders) {
    const level = levels.get(tick) ?? { lots: 0n, count: 0 }
    levels.set(tick, { lots: level.lots + lots, count: level.count + 1 })
  }
  return [...levels].map(([tick, { lots, count }]) => [
    priceText(market, tick),
    amountText(market, lots),
    String(count),
  ])
}

/** Returns the row of a market. Daily statistics are missing: the chain does not store them. */
export function viewChainMarket(
  market: ChainMarket,
  quote: ChainQuote | undefined,
  { collateral, lossMarket }: Readonly<{ collateral: string; lossMarket: number }>,
): MarketRow {
  const [base = '', second = ''] = market.name.split('-')
  const digits = decimalsOf(stepsOf(market).price_step)
  const price = (raw: bigint | undefined) =>
    raw === undefined ? NOTHING : showDecimal(fromRaw(raw, DECIMALS), digits)
  return {
    ...{ name: market.name, kind: market.kind, base },
    state: quote?.ended === true ? 'ended' : market.isHalted ? 'halted' : 'active',
    withdrawalsStopped: market.kind === 'PERPETUAL' && market.number === lossMarket,
    quote: market.kind === 'SPOT' ? second : collateral,
    maxLeverage: '',
    ...{ last: NOTHING, mark: price(quote?.mark), index: price(quote?.index) },
    ...{ volume: '', openInterest: '', openInterestValue: '', funding: '' },
    ...{ change: '', isUp: true, high: '', low: '' },
    changeRank: 0,
    // Only for sorting.
    ranks: {
      ...{ volume: 0, openInterest: 0, funding: 0 },
      mark: Number(fromRaw(quote?.mark ?? 0n, DECIMALS)),
    },
  }
}

/** Returns the row of a position. The liquidation price, which needs the whole venue, is a dash. */
export function chainPositionRow(position: ChainPosition): TableRow {
  const { market, lots, quote, mark, markPerLot } = position
  const size = lots < 0n ? -lots : lots
  const cost = quote < 0n ? -quote : quote
  const hasMark = mark > 0n
  const decimal = (raw: bigint) => (hasMark ? fromRaw(raw, DECIMALS) : null)
  const entry = (cost * 10n ** BigInt(market.baseDecimals)) / (size * market.amountStep)
  const shown = {
    ...{ instrument_id: market.id, instrument_name: market.name },
    side: lots > 0n ? ('buy' as const) : ('sell' as const),
    amount: amountText(market, size),
    notional_value: decimal(size * markPerLot),
    avg_entry_price: fromRaw(entry, DECIMALS),
    mark_price: decimal(mark),
    unrealized_pnl: decimal(quote + lots * markPerLot),
    ...{ liquidation_price: null, initial_margin: null, accumulated_funding: null },
  }
  return positionRow(shown, decimalsOf(stepsOf(market).price_step))
}

/** Returns the row of a resting order; the amount is what remains. */
export function chainOrderRow(order: OwnRestingOrder): TableRow {
  const { id, market, isBuy, isReduceOnly, tick, lots } = order
  const plain = (content: string) => ({ text: content, side: '' }) as const
  const side = isBuy ? 'buy' : 'sell'
  return {
    ...{ id, market: market.name, action: 'cancel' },
    cells: [
      plain(market.name),
      { text: text.sides[side], side },
      plain(isReduceOnly ? text.limitReduceOnly : text.limit),
      plain(showDecimal(priceText(market, tick))),
      plain(showDecimal(amountText(market, lots))),
      ...[NOTHING, NOTHING].map(plain),
      plain(text.resting),
      plain(NOTHING),
    ],
  }
}

export function viewChainAccount(account: AccountAtBlock, collateral: string): AccountView {
  const { margin, holdings, positions } = account
  const decimal = (raw: bigint) => fromRaw(raw, DECIMALS)
  const hasMarks = positions.every(({ mark }) => mark > 0n)
  const pnl = positions.reduce(
    (sum, { quote, lots, markPerLot }) => sum + quote + lots * markPerLot,
    0n,
  )
  const isBelow = margin.maintenanceMargin > 0n && margin.equity < margin.maintenanceMargin
  const view = viewAccount({
    equity: decimal(margin.equity),
    available_balance: decimal(margin.available),
    unrealized_pnl: hasMarks ? decimal(pnl) : null,
    initial_margin: decimal(margin.initialMargin),
    maintenance_margin: decimal(margin.maintenanceMargin),
    ...{ liquidatable: isBelow, collaterals: [] },
  })
  const perps = {
    ...{ id: 'PERPETUAL', symbol: collateral, kind: 'margin' as const, value: '' },
    total: showDecimal(decimal(margin.collateral), MONEY_DECIMALS),
    free: showDecimal(decimal(margin.available), MONEY_DECIMALS),
  }
  const spot = holdings.map(({ symbol, decimals, free }) => ({
    ...{ id: `SPOT-${symbol}`, symbol, kind: 'spot' as const, total: NOTHING, value: '' },
    free: showDecimal(fromRaw(free, decimals)),
  }))
  // Buying power is empty: the chain mode does not place orders.
  return { ...view, buyingPower: NO_BUYING_POWER, balances: [perps, ...spot] }
}

/** Returns the account's orders of a market for its book. */
export const ownOrders = (
  orders: readonly OwnRestingOrder[],
  { id }: ChainMarket,
): readonly OwnOrder[] =>
  orders
    .filter(({ market }) => market.id === id)
    .map(({ market, isBuy, tick, lots }) => ({
      side: isBuy ? 'buy' : 'sell',
      price: priceText(market, tick),
      remaining: amountText(market, lots),
    }))

/** Returns the account's orders of a market as chart lines. */
export const ownLines = (orders: readonly OwnRestingOrder[], { id }: ChainMarket): OwnMarks => ({
  marks: [],
  lines: orders
    .filter(({ market }) => market.id === id)
    .map(({ id: key, market, isBuy, tick, lots }) => {
      const side = isBuy ? 'buy' : 'sell'
      const line = text.orderLine(isBuy, showDecimal(amountText(market, lots)))
      const at = priceText(market, tick)
      // Orders cannot be edited in chain mode, so the line has no handle.
      return { key, price: Number(at), at: showDecimal(at), text: line, tone: side, orderId: '' }
    }),
})

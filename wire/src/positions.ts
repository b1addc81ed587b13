// Encodes the holdings of an account: perpetual positions and spot tokens. Interface 2.10.

import {
  averageCostDown,
  averageEntryDown,
  heldAmount,
  knownHolding,
  notionalDown,
  spotValueDown,
  unrealisedAt,
} from '@openvenue/core/account'
import { fundingReceived } from '@openvenue/core/cycles'
import { abs } from '@openvenue/core/integers'
import {
  effectiveLeverage,
  initialMarginUp,
  maintenanceMarginUp,
  markPerLotDown,
} from '@openvenue/core/margin'
import type {
  Balance,
  Cycle,
  Holding,
  IndexPrice,
  Mark,
  Market,
  Position,
} from '@openvenue/core/records'
import { amountText, formatRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { marketFilter } from './account-query.ts'
import { nsText, quoteRawText } from './decimal.ts'
import { Address, decimal, named, ns, nullable, Side } from './field.ts'
import { encodeInstrument, instrumentMembers } from './instrument.ts'
import { indexText, markText } from './markets.ts'
import { Pagination, pageParameters } from './pagination.ts'

const priceMembers = {
  mark_price: nullable(decimal('Null when unavailable.')),
  index_price: nullable(decimal('Null when unavailable.')),
}

export const PerpPositionItem = named(
  'PerpetualPosition',
  {
    ...instrumentMembers,
    instrument_type: Type.Literal('PERPETUAL'),
    amount: decimal('Size, never negative; side has the direction.'),
    side: Side,
    ...priceMembers,
    avg_entry_price: decimal('Cost per unit of the position; rounded down.'),
    unrealized_pnl: nullable(decimal('Profit at the mark price, without funding.')),
    realized_pnl: decimal('Realised in this cycle, since flat, before fees and funding.'),
    notional_value: nullable(decimal('Value of amount at the mark price.')),
    initial_margin: nullable(decimal('Initial margin of the position and its resting orders.')),
    maintenance_margin: nullable(decimal('Maintenance margin of the position.')),
    margin_type: Type.Literal('CROSS'),
    leverage: decimal('Leverage in force.'),
    liquidation_price: nullable(decimal('Null when no price would liquidate.')),
    accumulated_funding: decimal("Settled in this cycle; positive in the holder's favour."),
    pending_funding_fee: decimal("Accrued since; positive in the holder's favour."),
    opened_timestamp: ns('Time at which the cycle began.'),
    updated_timestamp: ns('Time of its last fill.'),
  },
  'A perpetual position.',
)
export type PerpPositionItem = Static<typeof PerpPositionItem>

export const SpotPositionItem = named(
  'SpotPosition',
  {
    ...instrumentMembers,
    instrument_type: Type.Literal('SPOT'),
    amount: decimal('Balance of the base token, including locked_amount.'),
    side: Type.Literal('buy'),
    ...priceMembers,
    avg_entry_price: nullable(
      decimal('Average cost of purchases, rounded down; null unless they cover the balance.'),
    ),
    unrealized_pnl: nullable(decimal('Value at the mark price minus cost.')),
    realized_pnl: nullable(decimal('Profit of sales since the holding began.')),
    notional_value: nullable(decimal('Value of amount at the mark price, rounded down.')),
    locked_amount: decimal('Locked by resting orders.'),
    opened_timestamp: nullable(ns('First purchase; null when nothing was bought here.')),
    updated_timestamp: nullable(ns('Last trade; null when nothing was bought here.')),
  },
  'Tokens held in the base of a spot market.',
)
export type SpotPositionItem = Static<typeof SpotPositionItem>

export const PositionItem = Type.Union([PerpPositionItem, SpotPositionItem], { title: 'Position' })
export type PositionItem = Static<typeof PositionItem>

export const PositionsPage = named(
  'PositionsPage',
  {
    account: Address('The wallet.'),
    positions: Type.Array(PositionItem),
    pagination: Pagination,
  },
  'Perpetual positions and spot holdings, in listing order of the markets.',
)
export const PositionsQuery = Type.Object({
  instrument_type: marketFilter.instrument_type,
  asset: marketFilter.asset,
  ...pageParameters,
})
export type PositionsQuery = Static<typeof PositionsQuery>

/** Inputs of a perpetual position. */
export type PerpPositionFacts = Readonly<{
  market: Market
  /** Its lots are not zero. */
  position: Position
  cycle: Cycle
  mark: Mark | undefined
  index: IndexPrice | undefined
  /** Funding index of the market at the time of the head. */
  fundingIndex: bigint
  /** Quote raw; undefined when no price would liquidate, or a mark is missing. */
  liquidationPrice: bigint | undefined
}>

/** Returns a perpetual position as JSON. Without a mark, the members that depend on it are null. */
export function encodePerpPosition(facts: PerpPositionFacts): PerpPositionItem {
  const { market, position, cycle, mark, liquidationPrice } = facts
  const { lots } = position
  const quote = (raw: bigint) => quoteRawText(market, raw)
  const atMark = (value: (mark: bigint) => bigint) =>
    mark === undefined ? null : quote(value(mark.price))
  const marginAtMark = (margin: typeof initialMarginUp) =>
    atMark((price) => margin(market, position, markPerLotDown(market, price)))
  return {
    ...encodeInstrument(market),
    instrument_type: 'PERPETUAL',
    amount: amountText(market, abs(lots)),
    side: lots > 0n ? 'buy' : 'sell',
    mark_price: markText(market, mark),
    index_price: indexText(facts.index),
    avg_entry_price: quote(averageEntryDown(market, position)),
    unrealized_pnl: atMark((price) => unrealisedAt(market, position, price)),
    realized_pnl: quote(cycle.realised),
    notional_value: atMark((price) => notionalDown(market, position, price)),
    initial_margin: marginAtMark(initialMarginUp),
    maintenance_margin: marginAtMark(maintenanceMarginUp),
    margin_type: 'CROSS',
    leverage: String(effectiveLeverage(market, position)),
    liquidation_price: liquidationPrice === undefined ? null : quote(liquidationPrice),
    accumulated_funding: quote(cycle.funding),
    pending_funding_fee: quote(fundingReceived(position, cycle, facts.fundingIndex)),
    opened_timestamp: nsText(cycle.openedSeconds),
    updated_timestamp: nsText(cycle.updatedSeconds),
  }
}

/** Inputs of a spot holding. */
export type SpotPositionFacts = Readonly<{
  market: Market
  /** Balance of the base token. */
  balance: Balance
  holding: Holding | undefined
  mark: Mark | undefined
  index: IndexPrice | undefined
}>

/** Returns a spot holding as JSON. */
export function encodeSpotPosition(facts: SpotPositionFacts): SpotPositionItem {
  const { market, balance, holding, mark } = facts
  const { baseDecimals } = market
  const amount = heldAmount(balance)
  const value = mark && spotValueDown(market, amount, mark.price)
  const holdingValues = knownHolding(holding, balance)
  const quote = (raw: bigint | undefined) => (raw === undefined ? null : quoteRawText(market, raw))
  return {
    ...encodeInstrument(market),
    instrument_type: 'SPOT',
    amount: formatRaw(amount, baseDecimals),
    side: 'buy',
    mark_price: markText(market, mark),
    index_price: indexText(facts.index),
    avg_entry_price: quote(
      holdingValues && averageCostDown(market, holdingValues.cost, holdingValues.amount),
    ),
    unrealized_pnl: quote(
      holdingValues && value !== undefined ? value - holdingValues.cost : undefined,
    ),
    realized_pnl: quote(holdingValues?.realised),
    notional_value: quote(value),
    locked_amount: formatRaw(balance.locked, baseDecimals),
    opened_timestamp: holding === undefined ? null : nsText(holding.openedSeconds),
    updated_timestamp: holding === undefined ? null : nsText(holding.updatedSeconds),
  }
}

export const AccumulatedFundings = named(
  'AccumulatedFundings',
  {
    account: Address('The wallet.'),
    accumulated_fundings: Type.Array(
      named('AccumulatedFunding', {
        instrument_id: Type.String(),
        accumulated_funding: decimal('Settled in this cycle.'),
        pending_funding_fee: decimal('Accrued since.'),
        total_funding_fee: decimal('Sum of both.'),
      }),
    ),
  },
  "Funding of open perpetual positions; positive in the holder's favour.",
)
export type AccumulatedFunding = Static<typeof AccumulatedFundings>['accumulated_fundings'][number]

/** Returns the funding of an open perpetual position. */
export function encodeAccumulatedFunding(facts: PerpPositionFacts): AccumulatedFunding {
  const { market, position, cycle, fundingIndex } = facts
  const pending = fundingReceived(position, cycle, fundingIndex)
  return {
    instrument_id: market.id,
    accumulated_funding: quoteRawText(market, cycle.funding),
    pending_funding_fee: quoteRawText(market, pending),
    total_funding_fee: quoteRawText(market, cycle.funding + pending),
  }
}

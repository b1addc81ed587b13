// Closed perpetual positions, one row per cycle from flat to flat. Interface 2.10 and 4.4.
import type { WrittenRecord } from '@openvenue/core/record-schema'
import type { ClosedCycle, Market } from '@openvenue/core/records'
import { pricePaidDown, wholeRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { marketFilter, sortOrder, timeRange } from './account-query.ts'
import { nsText } from './decimal.ts'
import { Address, choice, decimal, named, ns, nullable, Side } from './field.ts'
import { instrumentMembers } from './instrument.ts'
import { Pagination, pageParameters } from './pagination.ts'
import { isZero, marketScales, signedScale } from './scale.ts'

export const ClosedPosition = named(
  'ClosedPosition',
  {
    position_id: Type.String({
      description: '<account>-<instrument_id>-<trade_id of the opening fill>',
    }),
    account: Address('Wallet of the account.'),
    ...instrumentMembers,
    side: Side,
    max_amount: decimal('Largest size.'),
    opened_amount: decimal('Total opened by fills.'),
    closed_amount: decimal('Total closed by fills; equal to opened_amount.'),
    avg_entry_price: decimal('Average price of the opened amount, rounded down.'),
    avg_exit_price: decimal('Average price of the closed amount, rounded down.'),
    realized_pnl: decimal('Profit from prices only, before fees and funding.'),
    fees: decimal('Paid, including liquidation_fees; negative for a rebate.'),
    liquidation_fees: decimal(
      'Paid because of forced closes, including collateral taken over by insurance; negative if received.',
    ),
    funding: decimal('Positive when the account received.'),
    net_pnl: decimal('realized_pnl - fees + funding.'),
    roi: nullable(
      decimal(
        'net_pnl / (largest cost / leverage), 8 decimals, truncated. Null if the position cost nothing.',
      ),
    ),
    leverage: decimal("Leverage at the end: the account's own, at most the market's."),
    margin_type: Type.Literal('CROSS'),
    close_reason: choice(['trade', 'flip', 'liquidation', 'adl'], {
      description: 'For a forced close: liquidation, or adl if closed against another one.',
    }),
    fill_count: Type.Integer({ minimum: 1 }),
    open_tx_hash: Type.String(),
    close_tx_hash: Type.String(),
    opened_timestamp: ns('Time of the block with the first fill.'),
    closed_timestamp: ns('Time of the block with the last fill.'),
  },
  'A position from flat to flat.',
)
export type ClosedPosition = Static<typeof ClosedPosition>

export const PositionHistory = named(
  'PositionHistory',
  {
    position_history: Type.Array(ClosedPosition),
    pagination: Pagination,
  },
  'Closed perpetual positions, one row per cycle, by the time they closed.',
)
export type PositionHistory = Static<typeof PositionHistory>

const { instrument_name, asset } = marketFilter
export const PositionHistoryQuery = Type.Object({
  instrument_name,
  asset,
  ...timeRange,
  ...sortOrder,
  ...pageParameters,
})

const ROI_DECIMALS = 8
const ROI_ONE = wholeRaw(ROI_DECIMALS)
const roiScale = signedScale(ROI_DECIMALS)

/** Returns a closed cycle of the account whose wallet is `account`. */
export function encodeClosedCycle(
  market: Market,
  cycle: WrittenRecord<ClosedCycle>,
  account: string,
): ClosedPosition {
  const scales = marketScales(market)
  const net = BigInt(cycle.realised) - BigInt(cycle.fees) + BigInt(cycle.funding)
  const entry = pricePaidDown(market, BigInt(cycle.openedQuote), BigInt(cycle.openedLots))
  const exit = pricePaidDown(market, BigInt(cycle.closedQuote), BigInt(cycle.closedLots))
  return {
    position_id: `${account}-${market.id}-${cycle.openId}`,
    account,
    instrument_id: market.id,
    instrument_name: market.name,
    instrument_type: market.type as ClosedPosition['instrument_type'],
    asset: market.asset,
    side: cycle.isLong ? 'buy' : 'sell',
    max_amount: scales.amount(cycle.maxLots),
    opened_amount: scales.amount(cycle.openedLots),
    closed_amount: scales.amount(cycle.closedLots),
    avg_entry_price: scales.quoteRaw(entry),
    avg_exit_price: scales.quoteRaw(exit),
    realized_pnl: scales.quoteRaw(cycle.realised),
    fees: scales.quoteRaw(cycle.fees),
    liquidation_fees: scales.quoteRaw(cycle.liquidationFees),
    funding: scales.quoteRaw(cycle.funding),
    net_pnl: scales.quoteRaw(net),
    roi: roiText(net, cycle),
    leverage: String(cycle.leverage),
    margin_type: 'CROSS',
    close_reason: cycle.reason as ClosedPosition['close_reason'],
    fill_count: cycle.fillCount,
    open_tx_hash: cycle.openTxHash,
    close_tx_hash: cycle.txHash,
    opened_timestamp: nsText(cycle.openedSeconds),
    closed_timestamp: nsText(cycle.seconds),
  }
}

/** Cut towards zero. */
function roiText(net: bigint, { maxQuote, leverage }: WrittenRecord<ClosedCycle>): string | null {
  if (isZero(maxQuote) || leverage === 0) return null
  return roiScale((net * BigInt(leverage) * ROI_ONE) / BigInt(maxQuote))
}

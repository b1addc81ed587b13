// Forced closes of all accounts, without naming any. Ours, beside the interface.
import { abs } from '@openvenue/core/integers'
import type { ForcedClose, Market } from '@openvenue/core/records'
import { amountText, pricePaidDown } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { timeRange } from './account-query.ts'
import { nsText, quoteRawText } from './decimal.ts'
import { choice, decimal, limit, named, ns, nullable, Side } from './field.ts'
import { encodeInstrument, instrumentMembers } from './instrument.ts'

export const LIQUIDATIONS_LIMIT_DEFAULT = 100
const LIQUIDATIONS_LIMIT_MAX = 1000

export const LiquidationItem = named(
  'Liquidation',
  {
    liquidation_id: Type.String({
      description: '<block>-<logIndex>; text order is chain order.',
    }),
    kind: choice(['liquidation', 'absorption', 'deleverage'], {
      description:
        'liquidation: on the order book; absorption: taken over by insurance; deleverage: closed against a winning position.',
    }),
    ...instrumentMembers,
    side: Side,
    price: decimal(
      'Average, human units, rounded down. Off the book it may lie between ticks, or be negative for a deleveraged position.',
    ),
    amount: decimal('Human units.'),
    tx_hash: Type.String(),
    block_number: Type.Integer(),
    log_index: Type.Integer(),
    created_timestamp: ns('Time of the block.'),
  },
  'A position closed by force: sell closed a long position, buy a short one. Names no account.',
)
export type LiquidationItem = Static<typeof LiquidationItem>

export const Liquidations = named(
  'Liquidations',
  {
    liquidations: Type.Array(LiquidationItem, { description: 'Newest first.' }),
    next_cursor: nullable(
      Type.String({ description: 'For older ones; null at the end of the list.' }),
    ),
  },
  'Positions closed by force, newest first.',
)

export const LiquidationsQuery = Type.Object({
  instrument_name: Type.Optional(
    Type.String({ description: 'Exact name, 0x id or decimal id; all markets by default.' }),
  ),
  ...timeRange,
  limit: limit(LIQUIDATIONS_LIMIT_MAX, LIQUIDATIONS_LIMIT_DEFAULT),
  cursor: Type.Optional(
    Type.String({ description: 'next_cursor of an answer to the same query.' }),
  ),
})

/** Returns a forced close without its accounts. `lots` are those of the position: a long sells. */
export const encodeLiquidation = (market: Market, close: ForcedClose): LiquidationItem => ({
  liquidation_id: close.id,
  kind: close.kind,
  ...encodeInstrument(market),
  side: close.lots > 0n ? 'sell' : 'buy',
  price: quoteRawText(market, pricePaidDown(market, close.quote, abs(close.lots))),
  amount: amountText(market, abs(close.lots)),
  tx_hash: close.txHash,
  block_number: close.blockNumber,
  log_index: close.logIndex,
  created_timestamp: nsText(close.seconds),
})

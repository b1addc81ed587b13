// The account object and its parts. Interface 2.8.
import type { Market, Token } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { feeText } from './decimal.ts'
import { Address, choice, decimal, InstrumentType, named, nullable } from './field.ts'
import { encodeInstrument, instrumentMembers } from './instrument.ts'
import { PositionItem } from './positions.ts'

const unread = 'Null while the mark of any market with a position or order is unknown.'

export const CollateralItem = named(
  'Collateral',
  {
    instrument_type: InstrumentType,
    collateral_asset: Type.String({ description: 'Symbol of the token.' }),
    collateral_address: Type.String({ description: 'Address of the token.' }),
    balance: decimal('Total balance, in the decimals of the token; rounded towards zero.'),
    available_balance: nullable(decimal(`SPOT: not locked. PERPETUAL: free margin. ${unread}`)),
    locked_balance: nullable(
      decimal(`SPOT: in resting orders. PERPETUAL: balance minus free margin. ${unread}`),
    ),
    collateral_value: nullable(
      decimal('USD. SPOT: at the index price, null without one. PERPETUAL: one to one.'),
    ),
    margin_value: decimal('USD that backs perpetual positions: 0 for SPOT.'),
    collateral_factor: choice(['0', '1'], {
      description: 'Fraction of it that counts as margin: 0 for SPOT, 1 for PERPETUAL.',
    }),
    pending_withdrawals: Type.Literal('0', { description: 'Withdrawals are immediate.' }),
    withdrawable_balance: nullable(decimal(unread)),
    unrealized_pnl: nullable(
      decimal('Unrealised profit of its positions; 0 for SPOT. Null when a mark is missing.'),
    ),
    decimals: Type.Integer({ minimum: 0 }),
  },
  'Tokens at one engine. PERPETUAL is margin; SPOT is for spot markets and backs no position.',
)
export type CollateralItem = Static<typeof CollateralItem>

const FeeStructure = named('FeeStructure', {
  asset: Type.String({ description: 'The underlying.' }),
  instrument_type: InstrumentType,
  maker_fee: nullable(decimal('Fraction; null when unknown.')),
  taker_fee: nullable(decimal('Fraction; null when unknown.')),
})
type FeeStructure = Static<typeof FeeStructure>

export const LeverageItem = named('Leverage', {
  instrument_id: instrumentMembers.instrument_id,
  instrument_name: instrumentMembers.instrument_name,
  leverage: decimal('Leverage in force.'),
  max_leverage: decimal("The market's."),
  margin_type: Type.Literal('CROSS'),
})
export type LeverageItem = Static<typeof LeverageItem>

export const DepositLimit = named(
  'DepositLimit',
  {
    instrument_type: InstrumentType,
    collateral_asset: Type.String({ description: 'Symbol of the token.' }),
    collateral_address: Type.String({ description: 'Address of the token.' }),
    cap: decimal('Maximum balance of an account after its deposit.'),
    left: decimal('Amount that this account can still deposit; 0 at or above the cap.'),
  },
  'Cap on deposits of a token per account at one engine, and the room left for this account.',
)
export type DepositLimit = Static<typeof DepositLimit>

/** Description of the field in the account object and in /health. */
export const WITHDRAWALS_STOPPED =
  'True while a loss in a perpetual market is more than insurance can carry: no collateral leaves the perpetual engine before it is covered.'

const account = Address('The wallet.')
const collaterals = Type.Array(CollateralItem, {
  description: 'Spot tokens by symbol, then margin: a map by symbol keeps the margin.',
})
const leverages = Type.Array(LeverageItem, { description: 'Leverage in every perpetual market.' })

export const AccountObject = named(
  'Account',
  {
    account,
    equity: nullable(decimal(`At the perpetual engine, at the answer's block. ${unread}`)),
    available_balance: nullable(decimal(`Equity above initial margin, at least 0. ${unread}`)),
    balance: decimal('Margin collateral, before profit and loss; 18 decimals.'),
    collaterals,
    positions: Type.Array(PositionItem, { description: 'Same items as in /positions.' }),
    fee_structures: Type.Array(FeeStructure, { description: 'Fees of every market.' }),
    initial_margin: nullable(decimal(unread)),
    maintenance_margin: nullable(decimal(unread)),
    in_liquidation: Type.Literal(false),
    liquidatable: nullable(
      Type.Boolean({ description: 'Equity is below maintenance margin; null when unknown.' }),
    ),
    leverages,
    realized_pnl: decimal('Realised by the open perpetual positions, before fees and funding.'),
    unrealized_pnl: nullable(
      decimal('Total of the perpetual positions at mark prices. Null when one is missing.'),
    ),
    spot_value: nullable(decimal('USD of the spot tokens at index prices; null without one.')),
    total_value: nullable(decimal('equity + spot_value.')),
    deposit_limits: Type.Array(DepositLimit, {
      description:
        "Empty if accounts have no cap and for the venue's own accounts. Venue-wide caps: GET /info.",
    }),
    withdrawals_stopped: Type.Boolean({ description: WITHDRAWALS_STOPPED }),
  },
  'An account at one block.',
)
export type AccountObject = Static<typeof AccountObject>

export const Collaterals = named('Collaterals', { account, collaterals }, 'Tokens of the account.')
export const Leverages = named(
  'Leverages',
  { account, leverages },
  'Leverage in every perpetual market.',
)

/** The account endpoints without parameters ignore the query. */
export const NoQuery = Type.Object({})

/** USD and margin have 18 decimals. */
const USD_DECIMALS = 18
/** Returns USD or margin, 18 decimals, as text; null for undefined. */
export const usdText = (value: bigint | undefined): string | null =>
  value === undefined ? null : formatRaw(value, USD_DECIMALS)

/** Returns `value` of 18 decimals in raw units of `token`, truncated towards zero. */
export function cutToToken(value: bigint, { decimals }: Token): bigint {
  const places = BigInt(decimals - USD_DECIMALS)
  return places < 0n ? value / 10n ** -places : value * 10n ** places
}

/** Returns the fees of a market. Spot trades have none. */
export const encodeFees = (market: Market): FeeStructure => ({
  asset: market.asset,
  instrument_type: encodeInstrument(market).instrument_type,
  maker_fee: marketFee(market, market.makerFee),
  taker_fee: marketFee(market, market.takerFee),
})

const marketFee = ({ type }: Market, millionths: number | null): string | null => {
  if (type === 'SPOT') return '0'
  return millionths === null ? null : feeText(millionths)
}

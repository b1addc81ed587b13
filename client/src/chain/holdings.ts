// Formats the holdings of an account: positions with their value, tokens and margin.
import { averageEntryDown, notionalDown, unrealisedAt } from '@openvenue/core/account'
import { fundingReceived } from '@openvenue/core/cycles'
import { fundingIndexAt } from '@openvenue/core/funding'
import { accountLiquidationPrice } from '@openvenue/core/liquidation'
import {
  accountMargin,
  availableMargin,
  effectiveLeverage,
  withdrawableCollateral,
} from '@openvenue/core/margin'
import { markAt } from '@openvenue/core/marks'
import type { Market, Position } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import { formatRaw } from '@openvenue/core/units'
import { amountText, quoteText } from './market-text.ts'

/**
 * A perpetual position, with members as in the API. Null if the mark of any market in which the
 * account has a position is unknown.
 */
export type ChainPosition = Readonly<{
  instrument_id: string
  instrument_name: string
  side: 'buy' | 'sell'
  amount: string
  avg_entry_price: string
  mark_price: string | null
  unrealized_pnl: string | null
  notional_value: string | null
  leverage: string
  liquidation_price: string | null
  realized_pnl: string
  accumulated_funding: string
  pending_funding_fee: string
}>

/** Balances of an account. Decimal text; null while a mark is unknown. */
export type ChainBalances = Readonly<{
  /** Tokens at the spot engine. */
  tokens: readonly Readonly<{ symbol: string; address: string; free: string; locked: string }>[]
  /** Margin at the perpetual engine, 18 decimals, before profit and loss. */
  collateral: string
  equity: string | null
  initial_margin: string | null
  maintenance_margin: string | null
  available_balance: string | null
  withdrawable_balance: string | null
}>

/** Decimals of margin amounts. */
const DECIMALS = 18

/** Formats a position that is not flat. */
export function encodePosition(
  state: VenueState,
  { position, market }: Readonly<{ position: Position; market: Market }>,
): ChainPosition {
  const { account, lots } = position
  const seconds = state.head?.seconds ?? 0
  const mark = state.records.mark.get(market.id)
  const price = mark && markAt(mark, seconds).price
  const text = (raw: bigint | undefined) => (raw === undefined ? null : quoteText(market, raw))
  return {
    instrument_id: market.id,
    instrument_name: market.name,
    side: lots > 0n ? 'buy' : 'sell',
    amount: amountText(market, lots < 0n ? -lots : lots),
    avg_entry_price: quoteText(market, averageEntryDown(market, position)),
    mark_price: text(price),
    unrealized_pnl: text(price && unrealisedAt(market, position, price)),
    notional_value: text(price && notionalDown(market, position, price)),
    leverage: String(effectiveLeverage(market, position)),
    liquidation_price: text(accountLiquidationPrice(state, { market, account, seconds })),
    ...fundingMembers(state, { position, market, seconds }),
  }
}

type FundedPosition = Readonly<{ position: Position; market: Market; seconds: number }>

function fundingMembers({ records }: VenueState, { position, market, seconds }: FundedPosition) {
  const cycle = records.cycle.get(`${market.id}|${position.account}`)
  const funding = records.funding.get(market.id)
  const pending =
    cycle && funding && fundingReceived(position, cycle, fundingIndexAt(funding, seconds))
  return {
    realized_pnl: quoteText(market, cycle?.realised ?? 0n),
    accumulated_funding: quoteText(market, cycle?.funding ?? 0n),
    pending_funding_fee: quoteText(market, pending ?? 0n),
  }
}

type Holder = Readonly<{ account: number; perps: string; seconds: number }>

/** Returns the balances of an account at both engines. */
export function readBalances(
  state: VenueState,
  { account, perps, seconds }: Holder,
): ChainBalances {
  const { balance, collateral, token } = state.records
  const margin = accountMargin(state, { engine: perps, account, seconds })
  const text = (raw: bigint | undefined) => (raw === undefined ? null : formatRaw(raw, DECIMALS))
  const tokens = [...token.values()].flatMap(({ address, symbol, decimals }) => {
    const balances = balance.get(`${account}|${address}`)
    if (balances === undefined) return []
    const free = formatRaw(balances.free, decimals)
    return [{ symbol, address, free, locked: formatRaw(balances.locked, decimals) }]
  })
  return {
    tokens,
    collateral: formatRaw(collateral.get(`${perps}|${account}`)?.amount ?? 0n, DECIMALS),
    equity: text(margin?.equity),
    initial_margin: text(margin?.initial),
    maintenance_margin: text(margin?.maintenance),
    available_balance: text(margin && availableMargin(margin)),
    withdrawable_balance: text(margin && withdrawableCollateral(margin)),
  }
}

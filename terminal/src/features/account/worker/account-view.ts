// Formats an account for its panel.
import { type shapes, toRaw } from 'openvenue'
import { showDecimal } from '../../../text/decimal-text.ts'
import type { AccountView, BalanceRow } from '../../tables/table-protocol.ts'
import { BASIS_POINTS, NEAR_MARGIN_BASIS_POINTS } from './liquidation-risk.ts'

const NOTHING = '–'
const DECIMALS = 18
const MONEY_DECIMALS = 2

type AccountFacts = Pick<
  shapes.Account,
  | 'equity'
  | 'available_balance'
  | 'unrealized_pnl'
  | 'initial_margin'
  | 'maintenance_margin'
  | 'liquidatable'
  | 'collaterals'
>

/** Returns the panel of an account. Values that need a missing mark price are dashes. */
export function viewAccount(account: AccountFacts): Omit<AccountView, 'buyingPower'> {
  const used = usedBasisPoints(account)
  const pnl = account.unrealized_pnl
  return {
    isKnown: true,
    equity: money(account.equity),
    free: money(account.available_balance),
    unrealized: pnl === null ? NOTHING : signed(pnl, MONEY_DECIMALS),
    initialMargin: money(account.initial_margin),
    maintenanceMargin: money(account.maintenance_margin),
    used: Number(used) / Number(BASIS_POINTS),
    usedText: `${used / 100n}.${String(used % 100n).padStart(2, '0')}%`,
    warning: warningOf(account, used),
    balances: account.collaterals.map(viewBalance),
  }
}

/** Returns decimal text with an explicit sign, also when positive. */
export function signed(text: string, decimals?: number): string {
  const shown = showDecimal(text, decimals)
  // A loss too small to be shown is not "-0.00".
  if (!/[1-9]/.test(shown)) return shown.replace('-', '')
  return shown.startsWith('-') ? shown : `+${shown}`
}

const money = (text: string | null): string =>
  text === null ? NOTHING : showDecimal(text, MONEY_DECIMALS)

function usedBasisPoints({ equity, maintenance_margin: margin }: AccountFacts): bigint {
  if (equity === null || margin === null) return 0n
  const [all, part] = [toRaw(equity, DECIMALS), toRaw(margin, DECIMALS)]
  if (part === 0n) return 0n
  if (all <= 0n) return BASIS_POINTS
  const used = (part * BASIS_POINTS) / all
  return used > BASIS_POINTS ? BASIS_POINTS : used
}

function warningOf({ liquidatable }: AccountFacts, used: bigint): AccountView['warning'] {
  if (liquidatable === true) return 'liquidatable'
  return used >= NEAR_MARGIN_BASIS_POINTS ? 'near' : ''
}

/** Cuts free margin from 18 decimals to the six that fit the column. Rounds down. */
const shortened = (text: string): string => showDecimal(text).replace(/(\.\d{6})\d+$/, '$1')

const viewBalance = (collateral: shapes.Collateral): BalanceRow => ({
  id: `${collateral.instrument_type}-${collateral.collateral_asset}`,
  symbol: collateral.collateral_asset,
  kind: collateral.instrument_type === 'PERPETUAL' ? 'margin' : 'spot',
  total: shortened(collateral.balance),
  free: collateral.available_balance === null ? NOTHING : shortened(collateral.available_balance),
  value:
    collateral.collateral_value === null
      ? NOTHING
      : showDecimal(collateral.collateral_value, MONEY_DECIMALS),
})

// Builds the account object from the records that the model holds at its head. Interface 2.8.

import { heldAmount, unrealisedAt } from '@openvenue/core/account'
import { invariant } from '@openvenue/core/assert'
import { max } from '@openvenue/core/integers'
import {
  type AccountMargin,
  accountMargin,
  availableMargin,
  effectiveLeverage,
  withdrawableCollateral,
} from '@openvenue/core/margin'
import { emptyPosition, INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import type { Token } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import {
  type AccountObject,
  type CollateralItem,
  cutToToken,
  encodeFees,
  type LeverageItem,
  usdText,
} from '@openvenue/wire/account'
import type { PerpPositionFacts } from '@openvenue/wire/positions'
import { areWithdrawalsStopped } from '../model/facts.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { type AccountPosition, encodePositionItem, heldBy } from './account-positions.ts'
import { depositLimits } from './deposit-limits.ts'
import type { Owner } from './owner.ts'

/** The holdings of an account at a perpetual engine; 18 decimals. */
type EngineHoldings = Readonly<{
  token: Token
  collateral: bigint
  /** Undefined while the mark of one of its markets is missing. */
  margin: AccountMargin | undefined
  /** Undefined while the mark of a position is missing. */
  unrealised: bigint | undefined
  realised: bigint
  hasPositions: boolean
}>

/**
 * A token balance at the spot engine: raw, and in USD (18 decimals) if the index price is known.
 */
type TokenHoldings = Readonly<{
  token: Token
  free: bigint
  locked: bigint
  value: bigint | undefined
}>

/**
 * Returns the account object of `owner`, whose records the model must hold, at the model's head.
 * Margins come from core, equal to the contracts' to the last unit, without a call to a chain node.
 */
export function accountObject(model: VenueModel, owner: Owner): AccountObject {
  const positions = heldBy(model, owner)
  const engines = engineHoldings(model, owner, positions)
  const tokens = tokenHoldings(model, owner)
  const total = (value: (margin: AccountMargin) => bigint) =>
    sumKnown(engines.map(({ margin }) => margin && value(margin)))
  const equity = total((margin) => margin.equity)
  const spotValue = sumKnown(tokens.map(({ value }) => value))
  return {
    account: owner.wallet,
    equity: usdText(equity),
    available_balance: usdText(total(availableMargin)),
    balance: formatRaw(sumAll(engines.map(({ collateral }) => collateral)), USD_DECIMALS),
    collaterals: [...tokens.map(spotCollateral), ...engines.map(perpCollateral)],
    positions: positions.map(encodePositionItem),
    fee_structures: [...model.markets].map(({ market }) => encodeFees(market)),
    initial_margin: usdText(total((margin) => margin.initial)),
    maintenance_margin: usdText(total((margin) => margin.maintenance)),
    in_liquidation: false,
    liquidatable: liquidatable(owner, engines),
    leverages: leverageItems(model, owner),
    realized_pnl: formatRaw(sumAll(engines.map(({ realised }) => realised)), USD_DECIMALS),
    unrealized_pnl: usdText(sumKnown(engines.map((engine) => engine.unrealised))),
    spot_value: usdText(spotValue),
    total_value: usdText(sumKnown([equity, spotValue])),
    deposit_limits: depositLimits(model, owner),
    withdrawals_stopped: areWithdrawalsStopped(model),
  }
}

const USD_DECIMALS = 18

/** Engines where the account has collateral, positions or orders. */
function engineHoldings(
  model: VenueModel,
  { account }: Owner,
  positions: readonly AccountPosition[],
): EngineHoldings[] {
  if (account === undefined) return []
  const { collateral, position } = model.state.records
  const seconds = model.head?.seconds ?? 0
  const holdings = new Map<string, EngineHoldings>()
  for (const { market } of model.markets) {
    const { engine, type, quoteAsset } = market
    if (type !== 'PERPETUAL' || holdings.has(engine)) continue
    const amount = collateral.get(`${engine}|${account}`)?.amount
    const hasAny = [...model.markets].some(
      (live) => live.market.engine === engine && position.has(`${live.market.id}|${account}`),
    )
    if (amount === undefined && !hasAny) continue
    holdings.set(engine, {
      token: findToken(model, quoteAsset),
      collateral: amount ?? 0n,
      margin: accountMargin(model.state, { engine, account, seconds }),
      ...sumProfits(positions.filter((position) => position.facts.market.engine === engine)),
    })
  }
  return [...holdings.values()]
}

function sumProfits(
  open: readonly AccountPosition[],
): Pick<EngineHoldings, 'unrealised' | 'realised' | 'hasPositions'> {
  const perps = open.flatMap((position) => (position.type === 'PERPETUAL' ? [position.facts] : []))
  return {
    unrealised: sumKnown(perps.map(unrealisedProfit)),
    realised: sumAll(perps.map(({ cycle }) => cycle.realised)),
    hasPositions: perps.length > 0,
  }
}

const unrealisedProfit = ({ market, position, mark }: PerpPositionFacts) =>
  mark && unrealisedAt(market, position, mark.price)

/** Returns the token that a perpetual is margined in. */
function findToken(model: VenueModel, symbol: string): Token {
  const token = [...model.tokens].find((token) => token.symbol === symbol)
  if (token === undefined) invariant(false, 'perpetuals are margined in a listed token', { symbol })
  return token
}

/** Balances at the spot engine, sorted by symbol. */
function tokenHoldings(model: VenueModel, { account }: Owner): TokenHoldings[] {
  const rows: TokenHoldings[] = []
  for (const token of account === undefined ? [] : model.tokens) {
    const balance = model.state.records.balance.get(`${account}|${token.address}`)
    if (balance === undefined) continue
    const { free, locked } = balance
    const price = model.indexPrice(token.symbol)?.price
    const unit = 10n ** BigInt(token.decimals)
    rows.push({ token, free, locked, value: price && (heldAmount(balance) * price) / unit })
  }
  return rows.sort((a, b) => (a.token.symbol < b.token.symbol ? -1 : 1))
}

function leverageItems(model: VenueModel, { account = 0 }: Owner): LeverageItem[] {
  const items: LeverageItem[] = []
  for (const { market } of model.markets) {
    if (market.maxLeverage === null) continue
    const position =
      model.state.records.position.get(`${market.id}|${account}`) ??
      emptyPosition(market.id, account)
    items.push({
      instrument_id: market.id,
      instrument_name: market.name,
      leverage: String(effectiveLeverage(market, position)),
      max_leverage: String(market.maxLeverage),
      margin_type: 'CROSS',
    })
  }
  return items
}

function spotCollateral({ token, free, locked, value }: TokenHoldings): CollateralItem {
  const text = (raw: bigint) => formatRaw(raw, token.decimals)
  return {
    instrument_type: 'SPOT',
    collateral_asset: token.symbol,
    collateral_address: token.address,
    balance: text(free + locked),
    available_balance: text(free),
    locked_balance: text(locked),
    collateral_value: usdText(value),
    margin_value: '0',
    collateral_factor: '0',
    pending_withdrawals: '0',
    withdrawable_balance: text(free),
    unrealized_pnl: '0',
    decimals: token.decimals,
  }
}

function perpCollateral({ token, collateral, margin, unrealised }: EngineHoldings): CollateralItem {
  const text = (raw: bigint) => formatRaw(raw, token.decimals)
  const balance = cutToToken(collateral, token)
  const available = margin && cutToToken(availableMargin(margin), token)
  const locked = available === undefined ? undefined : balance - available
  return {
    instrument_type: 'PERPETUAL',
    collateral_asset: token.symbol,
    collateral_address: token.address,
    balance: text(balance),
    available_balance: available === undefined ? null : text(available),
    locked_balance: locked === undefined ? null : text(max(locked, 0n)),
    collateral_value: formatRaw(collateral, USD_DECIMALS),
    margin_value: formatRaw(collateral, USD_DECIMALS),
    collateral_factor: '1',
    pending_withdrawals: '0',
    withdrawable_balance: margin ? text(cutToToken(withdrawableCollateral(margin), token)) : null,
    unrealized_pnl: usdText(unrealised),
    decimals: token.decimals,
  }
}

/** False without positions and for the insurance account; null while a mark is missing. */
function liquidatable({ account }: Owner, engines: readonly EngineHoldings[]): boolean | null {
  if (account === INSURANCE_ACCOUNT) return false
  const verdicts = engines.map(({ hasPositions, margin }) => {
    if (!hasPositions) return false
    return margin === undefined ? null : margin.equity < margin.maintenance
  })
  if (verdicts.includes(true)) return true
  return verdicts.includes(null) ? null : false
}

/** Returns the sum, or undefined when one of `values` is not known. */
function sumKnown(values: readonly (bigint | undefined)[]): bigint | undefined {
  let sum = 0n
  for (const value of values) {
    if (value === undefined) return undefined
    sum += value
  }
  return sum
}

const sumAll = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)

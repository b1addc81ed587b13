// What the account object is made of, and the object itself. Interface 2.8.

import { heldAmount, unrealisedAt } from '@openvenue/core/account'
import { invariant } from '@openvenue/core/assert'
import { leverageOf } from '@openvenue/core/margin'
import { emptyPosition, INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import type { Token } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import {
  type AccountObject,
  type CollateralItem,
  cutToToken,
  encodeFees,
  type FeeStructure,
  type LeverageItem,
  usdText,
} from '@openvenue/wire/account'
import type { PerpPositionFacts, PositionItem } from '@openvenue/wire/positions'
import type { VenueModel } from '../model/venue-model.ts'
import { type Held, heldBy, positionItemOf } from './account-positions.ts'
import type { PerpAccount } from './lens.ts'
import type { Owner } from './owner.ts'

/** What an account has at a perpetual engine; 18 decimals. */
export type EngineMemory = Readonly<{
  engine: string
  token: Token
  collateral: bigint
  /** Undefined while the mark of a position is missing. */
  unrealised: bigint | undefined
  realised: bigint
  hasPositions: boolean
}>

/** Tokens at the spot engine; raw, and in USD of 18 decimals where the index price is known. */
type TokenMemory = Readonly<{
  token: Token
  free: bigint
  locked: bigint
  value: bigint | undefined
}>

/** All that the model holds of an account at one block. */
export type AccountMemory = Readonly<{
  wallet: string
  /** Insurance is never liquidated. */
  isInsurance: boolean
  positions: readonly PositionItem[]
  engines: readonly EngineMemory[]
  tokens: readonly TokenMemory[]
  leverages: readonly LeverageItem[]
  fees: readonly FeeStructure[]
}>

/** Takes what the model holds of `owner` now. */
export function memoryOf(model: VenueModel, owner: Owner): AccountMemory {
  const held = heldBy(model, owner)
  return {
    wallet: owner.wallet,
    isInsurance: owner.account === INSURANCE_ACCOUNT,
    positions: held.map(positionItemOf),
    engines: enginesOf(model, owner, held),
    tokens: tokensOf(model, owner),
    leverages: leveragesOf(model, owner),
    fees: [...model.markets].map(({ market }) => encodeFees(market)),
  }
}

/** What the chain tells of each engine of a memory, in its order; undefined where it does not. */
export type Margins = readonly (PerpAccount | undefined)[]

/** Returns the account object. */
export function accountObject(memory: AccountMemory, margins: Margins): AccountObject {
  const { wallet, positions, engines, tokens, leverages, fees } = memory
  const total = (value: (margin: PerpAccount) => bigint) =>
    sumOf(margins.map((margin) => margin && value(margin)))
  const equity = total((margin) => margin.equity)
  const spotValue = sumOf(tokens.map(({ value }) => value))
  return {
    account: wallet,
    equity: usdText(equity),
    available_balance: usdText(total((margin) => margin.available)),
    balance: formatRaw(exactSumOf(engines.map(({ collateral }) => collateral)), USD_DECIMALS),
    collaterals: [
      ...tokens.map(spotCollateral),
      ...engines.map((engine, at) => perpCollateral(engine, margins[at])),
    ],
    positions: [...positions],
    fee_structures: [...fees],
    initial_margin: usdText(total((margin) => margin.initialMargin)),
    maintenance_margin: usdText(total((margin) => margin.maintenanceMargin)),
    in_liquidation: false,
    liquidatable: liquidatable(memory, margins),
    leverages: [...leverages],
    realized_pnl: formatRaw(exactSumOf(engines.map(({ realised }) => realised)), USD_DECIMALS),
    unrealized_pnl: usdText(sumOf(engines.map((engine) => engine.unrealised))),
    spot_value: usdText(spotValue),
    total_value: usdText(sumOf([equity, spotValue])),
  }
}

const USD_DECIMALS = 18

/** Engines where the account has collateral, positions or orders. Others hold nothing of it. */
function enginesOf(model: VenueModel, { account }: Owner, held: readonly Held[]): EngineMemory[] {
  const { collateral, position } = model.state.records
  const found = new Map<string, EngineMemory>()
  for (const { market } of account === undefined ? [] : model.markets) {
    const { engine, type, quoteAsset } = market
    if (type !== 'PERPETUAL' || found.has(engine)) continue
    const amount = collateral.get(`${engine}|${account}`)?.amount
    const hasAny = [...model.markets].some(
      (live) => live.market.engine === engine && position.has(`${live.market.id}|${account}`),
    )
    if (amount === undefined && !hasAny) continue
    const open = held.filter((one) => one.facts.market.engine === engine)
    found.set(engine, engineMemory(tokenOf(model, quoteAsset), engine, amount ?? 0n, open))
  }
  return [...found.values()]
}

function engineMemory(
  token: Token,
  engine: string,
  collateral: bigint,
  open: readonly Held[],
): EngineMemory {
  const perps = open.flatMap((one) => (one.type === 'PERPETUAL' ? [one.facts] : []))
  return {
    engine,
    token,
    collateral,
    unrealised: sumOf(perps.map(unrealisedOf)),
    realised: exactSumOf(perps.map(({ cycle }) => cycle.realised)),
    hasPositions: perps.length > 0,
  }
}

const unrealisedOf = ({ market, position, mark }: PerpPositionFacts) =>
  mark && unrealisedAt(market, position, mark.price)

/** Returns the token that a perpetual is margined in. */
function tokenOf(model: VenueModel, symbol: string): Token {
  const token = [...model.tokens].find((token) => token.symbol === symbol)
  if (token === undefined) invariant(false, 'perpetuals are margined in a listed token', { symbol })
  return token
}

/** By symbol. */
function tokensOf(model: VenueModel, { account }: Owner): TokenMemory[] {
  const rows: TokenMemory[] = []
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

function leveragesOf(model: VenueModel, { account = 0 }: Owner): LeverageItem[] {
  const items: LeverageItem[] = []
  for (const { market } of model.markets) {
    if (market.maxLeverage === null) continue
    const position =
      model.state.records.position.get(`${market.id}|${account}`) ??
      emptyPosition(market.id, account)
    items.push({
      instrument_id: market.id,
      instrument_name: market.name,
      leverage: String(leverageOf(market, position)),
      max_leverage: String(market.maxLeverage),
      margin_type: 'CROSS',
    })
  }
  return items
}

function spotCollateral({ token, free, locked, value }: TokenMemory): CollateralItem {
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

function perpCollateral(engine: EngineMemory, margin: PerpAccount | undefined): CollateralItem {
  const { token, collateral } = engine
  const text = (raw: bigint) => formatRaw(raw, token.decimals)
  const balance = cutToToken(collateral, token)
  const available = margin && cutToToken(margin.available, token)
  const locked = available === undefined ? undefined : balance - available
  return {
    instrument_type: 'PERPETUAL',
    collateral_asset: token.symbol,
    collateral_address: token.address,
    balance: text(balance),
    available_balance: available === undefined ? null : text(available),
    locked_balance: locked === undefined ? null : text(locked > 0n ? locked : 0n),
    collateral_value: formatRaw(collateral, USD_DECIMALS),
    margin_value: formatRaw(collateral, USD_DECIMALS),
    collateral_factor: '1',
    pending_withdrawals: '0',
    withdrawable_balance: margin ? text(cutToToken(margin.withdrawable, token)) : null,
    unrealized_pnl: usdText(engine.unrealised),
    decimals: token.decimals,
  }
}

/** Without positions nothing can be liquidated; with some the chain must tell. */
function liquidatable({ engines, isInsurance }: AccountMemory, margins: Margins): boolean | null {
  if (isInsurance) return false
  const verdicts = engines.map(({ hasPositions }, at) => {
    const margin = margins[at]
    if (!hasPositions) return false
    return margin === undefined ? null : margin.equity < margin.maintenanceMargin
  })
  if (verdicts.includes(true)) return true
  return verdicts.includes(null) ? null : false
}

/** Returns the sum, or undefined when one of `values` is not known. */
function sumOf(values: readonly (bigint | undefined)[]): bigint | undefined {
  let sum = 0n
  for (const value of values) {
    if (value === undefined) return undefined
    sum += value
  }
  return sum
}

const exactSumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)

// Listed tokens and markets, with their parameters.

import { invariant } from './assert.ts'
import type { Draft, Slot } from './draft.ts'
import type { EventOf, PerpParameters } from './events.ts'
import type { AccountNumber, MarketId } from './record-schema.ts'
import type { Market, Token } from './records.ts'

/** Base and quote decimals of every perpetual. Source: interface 2.1. */
export const PERP_DECIMALS = 18

/** Lists a token. If the other engine listed it before, the decimals must match. */
export function listToken(draft: Draft, event: EventOf<'TokenListed'>): void {
  const { token, symbol, name, decimals } = event
  const slot = draft.slot('token', token)
  const { after } = slot
  invariant(after === undefined || after.decimals === decimals, 'a token keeps its decimals', event)
  slot.after = { address: token, symbol, name, decimals }
}

/** Lists a spot market of two listed tokens. */
export function listSpot(draft: Draft, event: EventOf<'SpotListed'>): void {
  const { market: id, engine, number, name, minOrderValue, maxOrderValue } = event
  const base = listedToken(draft, event.base)
  const quote = listedToken(draft, event.quote)
  addMarket(draft, {
    id,
    engine,
    number,
    name,
    type: 'SPOT',
    asset: base.symbol,
    quoteAsset: quote.symbol,
    baseToken: event.base,
    quoteToken: event.quote,
    baseDecimals: base.decimals,
    quoteDecimals: quote.decimals,
    priceStep: event.priceStep,
    amountStep: event.amountStep,
    quotePerLotTick: quotePerLotTick(event, base.decimals),
    minOrderValue,
    maxOrderValue,
    maxNotionalValue: maxOrderValue,
    maxOpenInterest: null,
    maxLeverage: null,
    makerFee: null,
    takerFee: null,
    isHalted: false,
    isEnded: false,
    lossAccount: null,
    listedSeconds: draft.header.seconds,
  })
}

/** Lists a perpetual market, margined in a listed token. */
export function listPerp(draft: Draft, event: EventOf<'PerpListed'>): void {
  const { market: id, engine, number, name, asset } = event
  addMarket(draft, {
    id,
    engine,
    number,
    name,
    type: 'PERPETUAL',
    asset,
    quoteAsset: listedToken(draft, event.collateral).symbol,
    baseToken: null,
    quoteToken: null,
    baseDecimals: PERP_DECIMALS,
    quoteDecimals: PERP_DECIMALS,
    priceStep: event.priceStep,
    amountStep: event.amountStep,
    quotePerLotTick: quotePerLotTick(event, PERP_DECIMALS),
    ...pickParameters(event),
    isHalted: false,
    isEnded: false,
    lossAccount: null,
    listedSeconds: draft.header.seconds,
  })
}

/** Records the account whose loss in a perpetual market blocks collateral withdrawals. */
export function flagLoss(draft: Draft, event: EventOf<'LossFlagged'>): void {
  writeLoss(draft, event.market, event.account)
}

/** Records that the flagged loss of a market is covered. */
export function clearLoss(draft: Draft, event: EventOf<'LossCleared'>): void {
  writeLoss(draft, event.market, null)
}

function writeLoss(draft: Draft, id: MarketId, lossAccount: AccountNumber | null): void {
  const market = draft.slot('market', id)
  invariant(market.after !== undefined, 'a market is listed before a loss is flagged', { id })
  market.after = { ...market.after, lossAccount }
}

/** Changes the limits of a spot market. */
export function changeSpot(draft: Draft, event: EventOf<'SpotChanged'>): void {
  const { minOrderValue, maxOrderValue } = event
  changeMarket(draft, event, { minOrderValue, maxOrderValue, maxNotionalValue: maxOrderValue })
}

/** Changes the limits and fees of a perpetual market. */
export const changePerp = (draft: Draft, event: EventOf<'PerpChanged'>): void =>
  changeMarket(draft, event, pickParameters(event))

/** Halts or resumes a market. */
export const haltMarket = (draft: Draft, event: EventOf<'Halted'>): void =>
  changeMarket(draft, event, { isHalted: event.halted })

/** Returns a listed market. */
export function listedMarket(draft: Draft, id: string): Market {
  const market = draft.find('market', id)
  if (market === undefined) invariant(false, 'a market is listed before it is used', { id })
  return market
}

/** Returns a listed token. */
export function listedToken(draft: Draft, address: string): Token {
  const token = draft.find('token', address)
  invariant(token !== undefined, 'a token is listed before it is used', { address })
  return token
}

function addMarket(draft: Draft, market: Market): void {
  const slot = draft.slot('market', market.id)
  invariant(slot.after === undefined, 'a market is listed once', { id: market.id })
  slot.after = market
}

function changeMarket(draft: Draft, event: { market: MarketId }, changed: Partial<Market>): void {
  const slot: Slot<'market'> = draft.slot('market', event.market)
  invariant(slot.after !== undefined, 'a market is listed before it changes', event)
  slot.after = { ...slot.after, ...changed }
}

function quotePerLotTick(
  steps: Readonly<{ priceStep: bigint; amountStep: bigint }>,
  baseDecimals: number,
): bigint {
  const product = steps.priceStep * steps.amountStep
  const unit = 10n ** BigInt(baseDecimals)
  invariant(product > 0n && product % unit === 0n, 'a lot costs whole units at every tick', steps)
  return product / unit
}

const pickParameters = (event: PerpParameters) => ({
  minOrderValue: event.minOrderValue,
  maxOrderValue: event.maxOrderValue,
  maxNotionalValue: event.maxNotionalValue,
  maxOpenInterest: event.maxOpenInterest,
  maxLeverage: event.maxLeverage,
  makerFee: event.makerFee,
  takerFee: event.takerFee,
})

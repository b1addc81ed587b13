// What one entry of the feed affects, gathered once for all channels.
import type { Change, ChangeOf } from '@openvenue/core/changes'
import type { Order, Trade } from '@openvenue/core/records'
import type { FeedEntry } from '@openvenue/store/store'
import type { VenueModel } from '../../model/venue-model.ts'

/** By how much a level moved; both 0 when it stands as before. */
export type LevelMove = { readonly isBuy: boolean; readonly tick: number } & {
  lots: bigint
  count: number
}

/** Moves by `levelKey`. */
export type LevelMoves = Map<number, LevelMove>

/** A bid is above zero, an ask below: ticks are above zero. */
const levelKey = (isBuy: boolean, tick: number) => (isBuy ? tick : -tick)

export type AffectedMarket = {
  readonly levels: LevelMoves
  /** In chain order. */
  readonly trades: Trade[]
  /** Taken back, newest first. */
  readonly undone: Trade[]
  readonly candles: ChangeOf<'candle'>[]
  /** Parameters, ticker, mark, funding, index of its asset, hourly candle. */
  isFacts: boolean
  isFunding: boolean
}

/** What changed of an account, in the order of the feed. */
export type AffectedAccount = {
  readonly orders: ChangeOf<'order'>[]
  readonly fills: ChangeOf<'fill'>[]
  readonly payments: ChangeOf<'fundingPayment'>[]
  readonly transfers: ChangeOf<'transfer'>[]
  /** Markets where it holds another position than before. */
  readonly positions: Set<string>
  /** Markets where it set another leverage. */
  readonly leverages: Set<string>
  /** Tokens of which it has another balance. */
  readonly tokens: Set<string>
}

export type Affected = Readonly<{
  /** By id. */
  markets: ReadonlyMap<string, AffectedMarket>
  /** Assets with another index price. */
  assets: ReadonlySet<string>
  /** By number. */
  accounts: ReadonlyMap<number, AffectedAccount>
  /** Accounts that were opened, or opened no longer. */
  opened: readonly ChangeOf<'account'>[]
  /** A market came or went. */
  isListing: boolean
  /** Blocks were taken back. */
  isUndo: boolean
}>

type Gathering = {
  readonly markets: Map<string, AffectedMarket>
  readonly assets: Set<string>
  readonly accounts: Map<number, AffectedAccount>
  readonly opened: ChangeOf<'account'>[]
  isListing: boolean
  readonly isUndo: boolean
}

/** Returns what `entry` affects, which the model has folded in. */
export function affectedBy(model: VenueModel, entry: FeedEntry): Affected {
  const gathering: Gathering = {
    markets: new Map(),
    assets: new Set(),
    accounts: new Map(),
    opened: [],
    isListing: false,
    isUndo: entry.kind === 'undo',
  }
  for (const change of entry.changes) {
    takeOfMarket(gathering, change)
    takeOfAccount(gathering, change)
  }
  for (const id of model.turnedMarks) affectedMarket(gathering, id).isFacts = true
  for (const { market } of model.markets)
    if (gathering.assets.has(market.asset)) affectedMarket(gathering, market.id).isFacts = true
  return gathering
}

function takeOfMarket(gathering: Gathering, change: Change): void {
  switch (change.what) {
    case 'order':
      takeLevel(gathering, change.before, -1)
      takeLevel(gathering, change.after, 1)
      break
    case 'trade':
      if (change.after !== undefined)
        affectedMarket(gathering, change.after.market).trades.push(change.after)
      else if (change.before !== undefined)
        affectedMarket(gathering, change.before.market).undone.push(change.before)
      break
    case 'candle':
      takeCandle(gathering, change)
      break
    case 'market':
      if (change.before === undefined || change.after === undefined) gathering.isListing = true
      affectedMarket(gathering, change.key).isFacts = true
      break
    case 'ticker':
    case 'mark':
      affectedMarket(gathering, change.key).isFacts = true
      break
    case 'funding':
      affectedMarket(gathering, change.key).isFacts = true
      affectedMarket(gathering, change.key).isFunding = true
      break
    case 'indexPrice':
      gathering.assets.add(change.key)
      break
    default:
  }
}

function takeCandle(gathering: Gathering, change: ChangeOf<'candle'>): void {
  const candle = change.after ?? change.before
  if (candle === undefined) return
  const affected = affectedMarket(gathering, candle.market)
  affected.candles.push(change)
  if (candle.resolution === '60') affected.isFacts = true
}

function takeLevel(gathering: Gathering, order: Order | undefined, sign: 1 | -1): void {
  if (order === undefined || order.restingLots === 0n) return
  const { levels } = affectedMarket(gathering, order.market)
  const lots = sign === 1 ? order.restingLots : -order.restingLots
  addMove(levels, { isBuy: order.isBuy, tick: order.tick, lots, count: sign })
}

/** Adds a move to those of its level; a level that stands as before leaves. */
export function addMove(moves: LevelMoves, { isBuy, tick, lots, count }: LevelMove): void {
  const key = levelKey(isBuy, tick)
  const move = moves.get(key)
  if (move === undefined) {
    moves.set(key, { isBuy, tick, lots, count })
    return
  }
  move.lots += lots
  move.count += count
  if (move.lots === 0n && move.count === 0) moves.delete(key)
}

function takeOfAccount(gathering: Gathering, change: Change): void {
  const record = change.after ?? change.before
  switch (change.what) {
    case 'account':
      gathering.opened.push(change)
      break
    case 'order':
      affectedAccount(gathering, record).orders.push(change)
      break
    case 'fill':
      affectedAccount(gathering, record).fills.push(change)
      break
    case 'fundingPayment':
      affectedAccount(gathering, record).payments.push(change)
      break
    case 'transfer':
      affectedAccount(gathering, record).transfers.push(change)
      break
    case 'position':
      takePosition(gathering, change)
      break
    case 'cycle':
    case 'holding':
      affectedAccount(gathering, record).positions.add((record as { market: string }).market)
      break
    case 'balance':
      affectedAccount(gathering, record).tokens.add((record as { token: string }).token)
      break
    case 'collateral':
      affectedAccount(gathering, record)
      break
    default:
  }
}

function takePosition(gathering: Gathering, { before, after }: ChangeOf<'position'>): void {
  const record = after ?? before
  const affected = affectedAccount(gathering, record)
  const { market } = record as { market: string }
  affected.positions.add(market)
  if ((before?.leverage ?? 0) !== (after?.leverage ?? 0)) affected.leverages.add(market)
}

function affectedMarket({ markets }: Gathering, id: string): AffectedMarket {
  const found = markets.get(id)
  if (found !== undefined) return found
  const made: AffectedMarket = {
    levels: new Map(),
    trades: [],
    undone: [],
    candles: [],
    isFacts: false,
    isFunding: false,
  }
  markets.set(id, made)
  return made
}

function affectedAccount({ accounts }: Gathering, record: object | undefined): AffectedAccount {
  const { account } = record as { account: number }
  const found = accounts.get(account)
  if (found !== undefined) return found
  const made: AffectedAccount = {
    orders: [],
    fills: [],
    payments: [],
    transfers: [],
    positions: new Set(),
    leverages: new Set(),
    tokens: new Set(),
  }
  accounts.set(account, made)
  return made
}

// What one entry of the feed touched, gathered once for all channels.
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

export type MarketTouch = {
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
export type AccountTouch = {
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

export type Touches = Readonly<{
  /** By id. */
  markets: ReadonlyMap<string, MarketTouch>
  /** Assets with another index price. */
  assets: ReadonlySet<string>
  /** By number. */
  accounts: ReadonlyMap<number, AccountTouch>
  /** Accounts that were opened, or opened no longer. */
  opened: readonly ChangeOf<'account'>[]
  /** A market came or went. */
  isListing: boolean
  /** Blocks were taken back. */
  isUndo: boolean
}>

type Gathering = {
  readonly markets: Map<string, MarketTouch>
  readonly assets: Set<string>
  readonly accounts: Map<number, AccountTouch>
  readonly opened: ChangeOf<'account'>[]
  isListing: boolean
  readonly isUndo: boolean
}

/** Returns what `entry` touched, which the model has folded in. */
export function touchesOf(model: VenueModel, entry: FeedEntry): Touches {
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
  for (const id of model.turnedMarks) touchOf(gathering, id).isFacts = true
  for (const { market } of model.markets)
    if (gathering.assets.has(market.asset)) touchOf(gathering, market.id).isFacts = true
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
        touchOf(gathering, change.after.market).trades.push(change.after)
      else if (change.before !== undefined)
        touchOf(gathering, change.before.market).undone.push(change.before)
      break
    case 'candle':
      takeCandle(gathering, change)
      break
    case 'market':
      if (change.before === undefined || change.after === undefined) gathering.isListing = true
      touchOf(gathering, change.key).isFacts = true
      break
    case 'ticker':
    case 'mark':
      touchOf(gathering, change.key).isFacts = true
      break
    case 'funding':
      touchOf(gathering, change.key).isFacts = true
      touchOf(gathering, change.key).isFunding = true
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
  const touch = touchOf(gathering, candle.market)
  touch.candles.push(change)
  if (candle.resolution === '60') touch.isFacts = true
}

function takeLevel(gathering: Gathering, order: Order | undefined, sign: 1 | -1): void {
  if (order === undefined || order.restingLots === 0n) return
  const { levels } = touchOf(gathering, order.market)
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
      accountOf(gathering, record).orders.push(change)
      break
    case 'fill':
      accountOf(gathering, record).fills.push(change)
      break
    case 'fundingPayment':
      accountOf(gathering, record).payments.push(change)
      break
    case 'transfer':
      accountOf(gathering, record).transfers.push(change)
      break
    case 'position':
      takePosition(gathering, change)
      break
    case 'cycle':
    case 'holding':
      accountOf(gathering, record).positions.add((record as { market: string }).market)
      break
    case 'balance':
      accountOf(gathering, record).tokens.add((record as { token: string }).token)
      break
    case 'collateral':
      accountOf(gathering, record)
      break
    default:
  }
}

function takePosition(gathering: Gathering, { before, after }: ChangeOf<'position'>): void {
  const record = after ?? before
  const touch = accountOf(gathering, record)
  const { market } = record as { market: string }
  touch.positions.add(market)
  if ((before?.leverage ?? 0) !== (after?.leverage ?? 0)) touch.leverages.add(market)
}

function touchOf({ markets }: Gathering, id: string): MarketTouch {
  const found = markets.get(id)
  if (found !== undefined) return found
  const made: MarketTouch = {
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

function accountOf({ accounts }: Gathering, record: object | undefined): AccountTouch {
  const { account } = record as { account: number }
  const found = accounts.get(account)
  if (found !== undefined) return found
  const made: AccountTouch = {
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

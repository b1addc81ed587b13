// Collects the records that one feed entry affects, once for all open channels.
import { isResting } from '@openvenue/core/book'
import type { ChangeOf } from '@openvenue/core/changes'
import { type LevelMoves, moveLevels } from '@openvenue/core/levels'
import type { RecordKind, Trade } from '@openvenue/core/records'
import type { FeedEntry } from '@openvenue/store/store'
import type { VenueModel } from '../../model/venue-model.ts'

/** The changes of a market. */
export class AffectedMarket {
  readonly levels: LevelMoves = new Map()
  /** In chain order. */
  readonly trades: Trade[] = []
  /** Trades taken back, newest first. */
  readonly undone: Trade[] = []
  readonly candles: ChangeOf<'candle'>[] = []
  /** Parameters, ticker, mark, funding, index of its asset, hourly candle. */
  isFacts = false
  isFunding = false
}

/** The changes of an account, in the order of the feed. */
export class AffectedAccount {
  readonly orders: ChangeOf<'order'>[] = []
  readonly fills: ChangeOf<'fill'>[] = []
  readonly payments: ChangeOf<'fundingPayment'>[] = []
  readonly transfers: ChangeOf<'transfer'>[] = []
  /** Markets in which its position changed. */
  readonly positions = new Set<string>()
  /** Markets in which its leverage changed. */
  readonly leverages = new Set<string>()
  /** Tokens whose balance changed. */
  readonly tokens = new Set<string>()
}

export class Affected {
  /** Keyed by market id. */
  readonly markets = new Map<string, AffectedMarket>()
  /** Assets whose index price changed. */
  readonly assets = new Set<string>()
  /** Keyed by account number. */
  readonly accounts = new Map<number, AffectedAccount>()
  /** Accounts that were opened, or whose opening was undone. */
  readonly opened: ChangeOf<'account'>[] = []
  /** Positions closed by force, in the order of the feed. */
  readonly forcedCloses: ChangeOf<'forcedClose'>[] = []
  /** True when a market was added or removed. */
  isListing = false
  /** True when blocks were taken back. */
  readonly isUndo: boolean

  constructor(isUndo: boolean) {
    this.isUndo = isUndo
  }

  market(id: string): AffectedMarket {
    const existing = this.markets.get(id)
    if (existing !== undefined) return existing
    const made = new AffectedMarket()
    this.markets.set(id, made)
    return made
  }

  account(number: number): AffectedAccount {
    const existing = this.accounts.get(number)
    if (existing !== undefined) return existing
    const made = new AffectedAccount()
    this.accounts.set(number, made)
    return made
  }
}

/** Returns what `entry` affects; the model must have applied it. */
export function affectedBy(model: VenueModel, entry: FeedEntry): Affected {
  const affected = new Affected(entry.kind === 'undo')
  for (const change of entry.changes) {
    const affect: (affected: Affected, change: never) => void = AFFECT[change.what]
    affect(affected, change as never)
  }
  for (const id of model.turnedMarks) affected.market(id).isFacts = true
  for (const { market } of model.markets)
    if (affected.assets.has(market.asset)) affected.market(market.id).isFacts = true
  return affected
}

/**
 * Returns the data of a past entry from which channels can be rebuilt: trades and rows of accounts,
 * with the number of rows.
 */
export function pastOf(
  kind: FeedEntry['kind'],
  changes: FeedEntry['changes'],
): Readonly<{ affected: Affected; rows: number }> {
  const affected = new Affected(kind === 'undo')
  let rows = 0
  for (const change of changes) {
    if (!Object.hasOwn(PAST, change.what)) continue
    const affect: (affected: Affected, change: never) => void =
      PAST[change.what as keyof typeof PAST]
    affect(affected, change as never)
    rows += 1
  }
  return { affected, rows }
}

/** For records that no channel shows, or only with another record that changes too. */
const nothing = () => {}

const AFFECT = {
  token: nothing,
  account: (affected, change) => {
    affected.opened.push(change)
  },
  subAccount: nothing,
  canceller: nothing,
  key: nothing,
  market: (affected, { key, before, after }) => {
    if (before === undefined || after === undefined) affected.isListing = true
    affected.market(key).isFacts = true
  },
  order: (affected, change) => {
    const { before, after } = change
    const resting = [before, after].find(isResting)
    if (resting !== undefined) moveLevels(affected.market(resting.market).levels, before, after)
    ownerOf(affected, change)?.orders.push(change)
  },
  unswept: nothing,
  trade: (affected, { before, after }) => {
    if (after !== undefined) affected.market(after.market).trades.push(after)
    else if (before !== undefined) affected.market(before.market).undone.push(before)
  },
  candle: (affected, change) => {
    const candle = change.after ?? change.before
    if (candle === undefined) return
    const market = affected.market(candle.market)
    market.candles.push(change)
    if (candle.resolution === '60') market.isFacts = true
  },
  ticker: (affected, { key }) => {
    affected.market(key).isFacts = true
  },
  balance: (affected, change) => {
    ownerOf(affected, change)?.tokens.add((change.after ?? change.before)?.token ?? '')
  },
  custody: nothing,
  collateral: (affected, change) => {
    ownerOf(affected, change)
  },
  position: (affected, change) => {
    const { before, after } = change
    const account = ownerOf(affected, change)
    const market = (after ?? before)?.market ?? ''
    account?.positions.add(market)
    if ((before?.leverage ?? 0) !== (after?.leverage ?? 0)) account?.leverages.add(market)
  },
  indexPrice: (affected, { key }) => {
    affected.assets.add(key)
  },
  mark: (affected, { key }) => {
    affected.market(key).isFacts = true
  },
  priceMinute: nothing,
  funding: (affected, { key }) => {
    const market = affected.market(key)
    market.isFacts = true
    market.isFunding = true
  },
  settlement: nothing,
  fill: (affected, change) => {
    ownerOf(affected, change)?.fills.push(change)
  },
  transfer: (affected, change) => {
    ownerOf(affected, change)?.transfers.push(change)
  },
  fundingPayment: (affected, change) => {
    ownerOf(affected, change)?.payments.push(change)
  },
  cycle: (affected, change) => {
    ownerOf(affected, change)?.positions.add((change.after ?? change.before)?.market ?? '')
  },
  closedCycle: nothing,
  forcedClose: (affected, change) => {
    affected.forcedCloses.push(change)
  },
  holding: (affected, change) => {
    ownerOf(affected, change)?.positions.add((change.after ?? change.before)?.market ?? '')
  },
  pool: nothing,
  poolToken: nothing,
  poolHour: nothing,
} satisfies { [K in RecordKind]: (affected: Affected, change: ChangeOf<K>) => void }

const PAST = {
  order: (affected, change) => {
    ownerOf(affected, change)?.orders.push(change)
  },
  trade: AFFECT.trade,
  fill: AFFECT.fill,
  transfer: AFFECT.transfer,
  fundingPayment: AFFECT.fundingPayment,
  forcedClose: AFFECT.forcedClose,
} satisfies { [K in RecordKind]?: (affected: Affected, change: ChangeOf<K>) => void }

/** Returns the account that owns the record of a change. */
function ownerOf(
  affected: Affected,
  { before, after }: Readonly<Record<'before' | 'after', { account: number } | undefined>>,
): AffectedAccount | undefined {
  const record = after ?? before
  return record && affected.account(record.account)
}

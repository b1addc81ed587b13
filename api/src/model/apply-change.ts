// Applies a change to the data that the model keeps beside the state: lists, windows of history,
// and versions.
import type { Change, ChangeOf } from '@openvenue/core/changes'
import type { PoolHour, PriceMinute, RecordKind } from '@openvenue/core/records'
import type { AccountOrders } from './account-orders.ts'
import { type LiveMarket, moveTrades, SETTLEMENTS_KEPT_MAX } from './live-market.ts'
import type { MarketList } from './market-list.ts'
import {
  HOURS_KEPT_MAX,
  MONTHS_KEPT_MAX,
  POOL_HOURS_MAX,
  PRICE_MINUTES_MAX,
} from './snapshot-windows.ts'
import type { ModelVersions } from './versions.ts'
import { moveLog, moveWindow, rowsAt } from './windows.ts'

/** Data kept beside the state. */
export type ModelIndexes = {
  readonly markets: MarketList
  readonly accountOrders: AccountOrders
  readonly versions: ModelVersions
  /** Oldest first: by `index:<asset>` or `mark:<market id>`. */
  priceMinutes: Map<string, PriceMinute[]>
  /** Oldest first: by the address of the pool. */
  poolHours: Map<string, PoolHour[]>
}

export function applyChange(kept: ModelIndexes, change: Change): void {
  const apply: (kept: ModelIndexes, change: never) => void = APPLY[change.what]
  apply(kept, change as never)
}

/** Records a change of a market that is neither its book nor a trade. */
export function factsChanged({ versions }: ModelIndexes, live: LiveMarket | undefined): void {
  versions.facts++
  if (live !== undefined) live.versions.facts++
}

/** The state's record is all that is needed. */
const nothing = () => {}

const marketFacts = (kept: ModelIndexes, { key }: Readonly<{ key: string }>) =>
  factsChanged(kept, kept.markets.get(key))

const APPLY = {
  token: ({ versions }) => {
    versions.tokens++
  },
  account: nothing,
  subAccount: nothing,
  canceller: nothing,
  key: nothing,
  market: ({ markets, versions }, { key, after }) => {
    const live = markets.get(key)
    versions.markets++
    versions.facts++
    if (after !== undefined && live !== undefined) {
      live.market = after
      live.versions.facts++
      return
    }
    if (after === undefined) markets.remove(key)
    else markets.add(after)
    versions.listing++
  },
  order: ({ markets, accountOrders }, { key, before, after }) => {
    const order = after ?? before
    if (order === undefined) return
    const live = markets.get(order.market)
    if (live !== undefined) live.versions.book++
    accountOrders.take(key, order.account, after)
  },
  unswept: nothing,
  trade: (kept, change) => {
    const live = changedMarket(kept, change)
    if (live === undefined) return
    if (moveTrades(live, change)) kept.versions.left++
    live.versions.trades++
  },
  candle: (kept, change) => {
    const live = changedMarket(kept, change)
    const resolution = (change.after ?? change.before)?.resolution
    if (live === undefined || resolution === undefined) return
    if (resolution === '60') moveWindow(live.hours, change.after, HOURS_KEPT_MAX)
    else if (resolution === '1M') moveWindow(live.months, change.after, MONTHS_KEPT_MAX)
    live.versions.candles++
    if (resolution === '60') factsChanged(kept, live)
  },
  ticker: marketFacts,
  balance: nothing,
  collateral: nothing,
  custody: ({ versions }) => {
    versions.tokens++
  },
  /** Orders show the margin at the account's leverage. */
  position: ({ accountOrders }, { before, after }) => {
    const account = (after ?? before)?.account
    if (account !== undefined && (before?.leverage ?? 0) !== (after?.leverage ?? 0))
      accountOrders.invalidate(account)
  },
  indexPrice: ({ markets, versions }, { key }) => {
    versions.indexPrices++
    versions.facts++
    for (const live of markets.all) if (live.market.asset === key) live.versions.facts++
  },
  mark: marketFacts,
  priceMinute: ({ priceMinutes }, { key, after }) => {
    moveWindow(rowsAt(priceMinutes, key), after, PRICE_MINUTES_MAX)
  },
  funding: marketFacts,
  settlement: (kept, change) => {
    const live = changedMarket(kept, change)
    if (live === undefined) return
    const isTrimmed = moveLog(live.settlements, change, {
      max: SETTLEMENTS_KEPT_MAX,
      isSame: (a, b) => a.seconds === b.seconds,
    })
    if (isTrimmed) {
      live.hasAllSettlements = false
      kept.versions.left++
    }
    live.versions.settlements++
  },
  fill: nothing,
  transfer: nothing,
  fundingPayment: nothing,
  cycle: nothing,
  closedCycle: nothing,
  forcedClose: nothing,
  holding: nothing,
  pool: ({ versions }, { before, after }) => {
    versions.pools++
    if (before === undefined || after === undefined) versions.poolListing++
  },
  poolToken: ({ versions }) => {
    versions.pools++
  },
  poolHour: ({ poolHours, versions }, { key, after }) => {
    versions.pools++
    moveWindow(rowsAt(poolHours, key), after, POOL_HOURS_MAX)
    if (after === undefined) poolHours.delete(key)
  },
} satisfies { [K in RecordKind]: (kept: ModelIndexes, change: ChangeOf<K>) => void }

const changedMarket = (
  { markets }: ModelIndexes,
  { before, after }: ChangeOf<'trade' | 'candle' | 'settlement'>,
): LiveMarket | undefined => markets.get((after ?? before)?.market ?? '')

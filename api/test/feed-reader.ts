// A fake database at the model's entry: for tests.
import type { Candle, PriceMinute, Trade } from '@openvenue/core/records'
import { emptyState, fold, loaded } from '@openvenue/core/state'
import { OWNED_KINDS } from '@openvenue/store/history/owner-records'
import { type FeedEntry, FeedGone, type Reader } from '@openvenue/store/store'
import { lastPrices } from '../src/model/price-periods.ts'
import type { VenueModel } from '../src/model/venue-model.ts'
import { moveLog, moveWindow } from '../src/model/windows.ts'

/** Returns the reads of `entries` up to the model's; the first entry must be the oldest. */
export const ownedOfFeed =
  (entries: readonly FeedEntry[], model: Pick<VenueModel, 'seq'>): Reader['owned'] =>
  async (accounts) => {
    const { seq: at } = model
    const state = emptyState()
    for (const { seq, changes } of entries) if (seq <= at) fold(state, changes)
    const rows = OWNED_KINDS.flatMap((what) =>
      [...state.records[what].values()]
        .filter(({ account }) => accounts.includes(account))
        .map((record) => loaded(what, record)),
    )
    return { seq: at, rows }
  }

/** Returns a feed read that lacks only entries before its `entries`. */
export const feedAfterOf =
  (entries: readonly FeedEntry[]): Reader['feedAfter'] =>
  async (seq, limit) => {
    const found = entries.filter((entry) => entry.seq > seq).slice(0, limit)
    if (found.length > 0 && found[0]?.seq !== seq + 1) throw new FeedGone(`nothing after ${seq}`)
    return found
  }

/** Returns the reads of a database at the model's entry, with `entries`, which may grow. */
export const feedReader = (
  entries: readonly FeedEntry[],
  model: Pick<VenueModel, 'seq'>,
): Pick<Reader, 'owned' | 'newestCandles' | 'newestTrades' | 'prices'> => ({
  owned: ownedOfFeed(entries, model),
  prices: async (query) => {
    const rows: PriceMinute[] = []
    for (const change of changesUpTo(entries, model.seq))
      if (change.what === 'priceMinute' && change.key === query.series)
        moveWindow(rows, change.after, Number.POSITIVE_INFINITY)
    return { seq: model.seq, head: entries.at(-1)?.header, rows: lastPrices(rows, query) }
  },
  newestCandles: async ({ market, resolution, limit }) => {
    const rows: Candle[] = []
    for (const change of changesUpTo(entries, model.seq))
      if (change.what === 'candle' && change.key === `${market}|${resolution}`)
        moveWindow(rows, change.after, Number.POSITIVE_INFINITY)
    return { seq: model.seq, rows: rows.slice(-limit) }
  },
  newestTrades: async ({ market, limit }) => {
    const rows: Trade[] = []
    const every = { max: Number.POSITIVE_INFINITY, isSame: (a: Trade, b: Trade) => a.id === b.id }
    for (const change of changesUpTo(entries, model.seq))
      if (change.what === 'trade' && (change.after ?? change.before)?.market === market)
        moveLog(rows, change, every)
    return { seq: model.seq, rows: rows.slice(-limit) }
  },
})

const changesUpTo = (entries: readonly FeedEntry[], at: number) =>
  entries.flatMap(({ seq, changes }) => (seq <= at ? changes : []))

// Row counts of an account's lists. The database computes them; they are cached here until the feed
// brings a change.

import type { BlockRead } from '@openvenue/store/db/block-read'
import type {
  AccountHistory,
  HistoryFilter,
  HistoryKind,
  RowCount,
} from '@openvenue/store/history/account-history'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { VenueModel } from '../model/venue-model.ts'

/** Accounts whose counts are cached. */
const ACCOUNTS_MAX = 1000
/** Cached filters of one account. */
const FILTERS_MAX = 16
/**
 * Maximum age, ms: a replica may have counted before it received a change that the feed brought.
 */
const AGE_MS_MAX = 10_000

type CachedCount = Readonly<{ rows: Promise<BlockRead<RowCount>>; untilMs: number }>
/** The fields that a count depends on, in any list. */
type CountedFields = Readonly<{ account: number; status?: string }>

type CountDeps = Readonly<{
  model: VenueModel
  history: AccountHistory
  fresh: FreshReads
  monotonicMs: () => number
}>

/** Counts of one kind of list. */
export class Counts<K extends HistoryKind> {
  readonly #deps: CountDeps
  readonly #kind: K
  readonly #accounts = new Map<number, Map<string, CachedCount>>()

  constructor(deps: CountDeps, kind: K) {
    this.#deps = deps
    this.#kind = kind
    deps.model.on(kind, ({ before, after }) => this.#take(before, after))
    if (kind === 'fill')
      deps.model.on('fundingPayment', ({ before, after }) => this.#take(before, after))
    deps.model.onLoad(() => this.#accounts.clear())
  }

  /** Returns the number of rows that a filter selects. Throws when the database does not answer. */
  async of(filter: HistoryFilter): Promise<RowCount> {
    return (await this.#find(filter)).rows
  }

  /**
   * Like `of`, with the view `seq`, which was read after `watch` returned `isSame`. Undefined when
   * the list may have changed between the two.
   */
  async ofView(
    filter: HistoryFilter,
    { seq, isSame }: Readonly<{ seq: number; isSame: () => boolean }>,
  ): Promise<RowCount | undefined> {
    const count = await this.#find(filter)
    const isKnown = Math.max(seq, count.seq) <= this.#deps.model.seq
    return isKnown && isSame() ? count.rows : undefined
  }

  /** Returns a function that reports whether the account's list is unchanged since this call. */
  watch(account: number): () => boolean {
    const counts = this.#accountCounts(account)
    return () => this.#accounts.get(account) === counts
  }

  #find(filter: HistoryFilter): Promise<BlockRead<RowCount>> {
    const counts = this.#accountCounts(filter.account)
    const { markets, fromSeconds, toSeconds, fills, hasFunding, isByEnd } = filter
    const key = `${fills} ${hasFunding} ${isByEnd} ${fromSeconds} ${toSeconds} ${markets.join(' ')}`
    const nowMs = this.#deps.monotonicMs()
    const cached = counts.get(key)
    if (cached !== undefined && nowMs < cached.untilMs) return cached.rows
    const rows = this.#read(filter)
    counts.delete(key)
    counts.set(key, { rows, untilMs: nowMs + AGE_MS_MAX })
    trim(counts, FILTERS_MAX)
    return rows.catch((cause: unknown) => {
      if (counts.get(key)?.rows === rows) counts.delete(key)
      throw cause
    })
  }

  async #read(filter: HistoryFilter): Promise<BlockRead<RowCount>> {
    const { history, fresh } = this.#deps
    return fresh.read((from) => history.count(this.#kind, filter, from))
  }

  #accountCounts(account: number): Map<string, CachedCount> {
    const counts = this.#accounts.get(account) ?? new Map<string, CachedCount>()
    this.#accounts.delete(account)
    this.#accounts.set(account, counts)
    trim(this.#accounts, ACCOUNTS_MAX)
    return counts
  }

  /** A pending count may predate the change, so it is dropped with the map that holds it. */
  #take(before: CountedFields | undefined, after: CountedFields | undefined): void {
    const account = (after ?? before)?.account
    if (account === undefined) return
    if (isListed(before) !== isListed(after) || hasEnded(before) !== hasEnded(after))
      this.#accounts.delete(account)
  }
}

/** Most orders end without a fill: they enter the history once, when they leave the book. */
const isListed = (row: CountedFields | undefined) => row !== undefined && row.status !== 'open'

const hasEnded = (row: CountedFields | undefined) =>
  row?.status === 'filled' || row?.status === 'cancelled'

/** Drops the least recently used entry. */
function trim<K>(map: Map<K, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return
    map.delete(key)
  }
}

// How many rows an account's list has: the database keeps it, and it is remembered here until the
// feed brings a change.
import type {
  AccountHistory,
  HistoryFilter,
  HistoryKind,
  RowCount,
} from '@openvenue/store/account-history'
import type { BlockRead } from '@openvenue/store/block-read'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { VenueModel } from '../model/venue-model.ts'

/** Accounts whose counts are remembered. */
const ACCOUNTS_MAX = 1000
/** Filters of one account. */
const FILTERS_MAX = 16
/** A replica may count before it has what the feed brought: no count is believed for longer. */
const AGE_MS_MAX = 10_000

type Count = Readonly<{ rows: Promise<BlockRead<RowCount>>; untilMs: number }>
/** The fields of a row that a count depends on, whichever its list. */
type Counted = Readonly<{ account: number; status?: string }>

export type CountDeps = Readonly<{
  model: VenueModel
  history: AccountHistory
  fresh: FreshReads
  monotonicMs: () => number
}>

/** Counts of one kind of list. */
export class Counts<K extends HistoryKind> {
  readonly #deps: CountDeps
  readonly #kind: K
  readonly #accounts = new Map<number, Map<string, Count>>()

  constructor(deps: CountDeps, kind: K) {
    this.#deps = deps
    this.#kind = kind
    deps.model.on(kind, ({ before, after }) => this.#take(before, after))
    deps.model.onLoad(() => this.#accounts.clear())
  }

  /** Returns how many rows a filter has. Throws when the database does not answer. */
  async of(filter: HistoryFilter): Promise<RowCount> {
    return (await this.#find(filter)).rows
  }

  /**
   * As `of`, in the view `seq`, which was read after `isSame` was got from `watch`; undefined where
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

  /** Returns what says whether the list of an account is as it was at the call of `watch`. */
  watch(account: number): () => boolean {
    const counts = this.#accountCounts(account)
    return () => this.#accounts.get(account) === counts
  }

  #find(filter: HistoryFilter): Promise<BlockRead<RowCount>> {
    const counts = this.#accountCounts(filter.account)
    const { markets, fromSeconds, toSeconds, fills, isByEnd } = filter
    const key = `${fills} ${isByEnd} ${fromSeconds} ${toSeconds} ${markets.join(' ')}`
    const nowMs = this.#deps.monotonicMs()
    const known = counts.get(key)
    if (known !== undefined && nowMs < known.untilMs) return known.rows
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

  #accountCounts(account: number): Map<string, Count> {
    const counts = this.#accounts.get(account) ?? new Map<string, Count>()
    this.#accounts.delete(account)
    this.#accounts.set(account, counts)
    trim(this.#accounts, ACCOUNTS_MAX)
    return counts
  }

  /**
   * A count that is under way was perhaps made before the change: it goes with the map it is in.
   */
  #take(before: Counted | undefined, after: Counted | undefined): void {
    const account = (after ?? before)?.account
    if (account === undefined) return
    if (isListed(before) !== isListed(after) || hasEnded(before) !== hasEnded(after))
      this.#accounts.delete(account)
  }
}

/**
 * Most orders come and go without a fill: they enter the history once, when they leave the book.
 */
const isListed = (row: Counted | undefined) => row !== undefined && row.status !== 'open'

const hasEnded = (row: Counted | undefined) =>
  row?.status === 'filled' || row?.status === 'cancelled'

/** Forgets what was asked for longest ago. */
function trim<K>(map: Map<K, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return
    map.delete(key)
  }
}

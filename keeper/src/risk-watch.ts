// Finds accounts below their maintenance margin. Each check computes only accounts that marks, time
// or their own changes may have brought there, and as many of those at risk as a round can handle.
import { isLiquidatable } from '@openvenue/core/distress'
import { type Limit, MarginIndex } from '@openvenue/core/margin-index'
import type { VenueState } from '@openvenue/core/state'
import {
  AHEAD_SECONDS,
  compareRatio,
  heldBy,
  INSURANCE_ACCOUNT,
  nextForcedMargin,
  type Risk,
} from './risks.ts'
import type { VenueView } from './venue-view.ts'

/** Equity equals maintenance margin. */
const LIMITS: readonly Limit[] = [{ equity: 1n, maintenance: 1n, from: 'above' }]
const HEALTHY = 0
/** Maximum number of accounts per check with the worst ratios, and of those waiting longest. */
export const RISKS_MAX = 500

type RiskSource = Pick<VenueView, 'state' | 'onFold'>

/** Watches the accounts of an engine in a view until it is stopped. */
export class RiskWatch {
  readonly #view: RiskSource
  readonly #engine: string
  readonly #stop: () => void
  /** Index of the state; a new one is built when the feed was lost. */
  #indexed: Readonly<{ state: VenueState; index: MarginIndex }> | undefined
  /** Accounts at risk at their last check, the oldest check first, with their ratio then. */
  readonly #suspects = new Map<number, number>()
  /** Suspects that the newest check has computed. */
  #asked = new Set<number>()

  constructor(view: RiskSource, engine: string) {
    this.#view = view
    this.#engine = engine
    this.#stop = view.onFold((changes) => {
      // A reloaded state has no changes yet.
      if (this.#indexed?.state === view.state) this.#indexed.index.note(changes)
    })
  }

  /** The watched state. */
  get state(): VenueState {
    return this.#view.state
  }

  /** Accounts checked since the state was loaded. */
  get looks(): number {
    return this.#indexed?.index.looks ?? 0
  }

  /**
   * Returns accounts that may be liquidated in the next block, worst ratio first: all of them, or
   * if there are more than two times RISKS_MAX, the worst and some others in turn. The first call
   * on a state checks all accounts.
   */
  risks(): Risk[] {
    if (this.state.head === undefined) return []
    const index = this.#indexNow()
    for (const account of index.due()) this.#look(index, account)
    this.#asked = new Set(this.#chosen())
    return [...this.#asked]
      .flatMap((account) => this.#look(index, account) ?? [])
      .sort((a, b) => compareRatio(a.margin, b.margin) || a.account - b.account)
  }

  /** Returns whether an account was at risk at its last check and not computed since. */
  isWaiting(account: number): boolean {
    return this.#suspects.has(account) && !this.#asked.has(account)
  }

  /** Stops receiving changes. */
  stop(): void {
    this.#stop()
  }

  /** Returns the suspects whose margin is computed now. */
  #chosen(): readonly number[] {
    if (this.#suspects.size <= 2 * RISKS_MAX) return [...this.#suspects.keys()]
    const ratios = Float64Array.from(this.#suspects.values()).sort()
    const limit = ratios[RISKS_MAX - 1] ?? Infinity
    const worst: number[] = []
    const others: number[] = []
    for (const [account, ratio] of this.#suspects)
      if (ratio <= limit && worst.length < RISKS_MAX) worst.push(account)
      else if (others.length < RISKS_MAX) others.push(account)
    return [...worst, ...others]
  }

  /** Returns the risk of an account; an account that is not at risk is watched from now on. */
  #look(index: MarginIndex, account: number): Risk | undefined {
    this.#suspects.delete(account)
    if (account === INSURANCE_ACCOUNT) return undefined
    const atMark = index.look(account)
    if (atMark === undefined) return undefined
    if (!isLiquidatable(atMark)) {
      index.watch(account, atMark, HEALTHY)
      return undefined
    }
    const margin = nextForcedMargin(this.state, this.#engine, account) ?? atMark
    const holdings = heldBy(this.state, this.#engine, account)
    // A debt without a position cannot be closed.
    if (holdings.length === 0) return undefined
    this.#suspects.set(account, Number(margin.equity) / Number(margin.maintenance))
    // Below only at the mark: it may not be closed, and is checked again.
    return isLiquidatable(margin) ? { account, margin, holdings } : undefined
  }

  #indexNow(): MarginIndex {
    const { state } = this
    if (this.#indexed?.state !== state) {
      this.#suspects.clear()
      this.#indexed = { state, index: new MarginIndex(state, this.#engine, LIMITS, AHEAD_SECONDS) }
    }
    return this.#indexed.index
  }
}

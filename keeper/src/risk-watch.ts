// Who is below their maintenance margin now. Between two looks only those are asked whom the marks,
// the time or a change of their own may have brought there, and those who are there already.
import { isLiquidatable } from '@openvenue/core/distress'
import { type Limit, MarginIndex } from '@openvenue/core/margin-index'
import type { VenueState } from '@openvenue/core/state'
import { compareRatio, heldBy, INSURANCE_ACCOUNT, type Risk } from './risks.ts'
import type { VenueView } from './venue-view.ts'

/** Equity is its maintenance margin. Who is below it is looked at each time, for their ratio. */
const LIMITS: readonly Limit[] = [{ equity: 1n, maintenance: 1n, from: 'above' }]
const HEALTHY = 0

type Source = Pick<VenueView, 'state' | 'onFold'>

/** Watches the accounts of an engine in a view until it is stopped. */
export class RiskWatch {
  readonly #view: Source
  readonly #engine: string
  readonly #stop: () => void
  /** That of the state; another one is loaded when the feed was lost. */
  #indexed: Readonly<{ state: VenueState; index: MarginIndex }> | undefined
  /** Accounts that were at risk when they were looked at last. */
  readonly #atRisk = new Set<number>()

  constructor(view: Source, engine: string) {
    this.#view = view
    this.#engine = engine
    this.#stop = view.onFold((changes) => {
      // A state that was loaded anew has told of nothing yet.
      if (this.#indexed?.state === view.state) this.#indexed.index.note(changes)
    })
  }

  /** The state that is watched. */
  get state(): VenueState {
    return this.#view.state
  }

  /** Accounts looked at since the state was loaded. */
  get looks(): number {
    return this.#indexed?.index.looks ?? 0
  }

  /**
   * Returns the accounts that may be liquidated at the state's head, worst ratio first. The first
   * call on a state looks at all accounts.
   */
  risks(): Risk[] {
    if (this.state.head === undefined) return []
    const index = this.#indexNow()
    const asked = new Set(this.#atRisk)
    for (const account of index.due()) asked.add(account)
    return [...asked]
      .flatMap((account) => this.#lookAt(index, account) ?? [])
      .sort((a, b) => compareRatio(a.margin, b.margin) || a.account - b.account)
  }

  /** Hears of nothing from now on. */
  stop(): void {
    this.#stop()
  }

  /** Returns an account that is at risk; any other is watched from now on. */
  #lookAt(index: MarginIndex, account: number): Risk | undefined {
    this.#atRisk.delete(account)
    if (account === INSURANCE_ACCOUNT) return undefined
    const margin = index.look(account)
    if (margin === undefined) return undefined
    if (!isLiquidatable(margin)) {
      index.watch(account, margin, HEALTHY)
      return undefined
    }
    const held = heldBy(this.state, this.#engine, account)
    // A debt without a position is nobody's to close.
    if (held.length === 0) return undefined
    this.#atRisk.add(account)
    return { account, margin, held }
  }

  #indexNow(): MarginIndex {
    const { state } = this
    if (this.#indexed?.state !== state) {
      this.#atRisk.clear()
      this.#indexed = { state, index: new MarginIndex(state, this.#engine, LIMITS) }
    }
    return this.#indexed.index
  }
}

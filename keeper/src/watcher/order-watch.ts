// Queues held orders once their mark is met or their parent is filled, and ends them once they
// expire or another order takes their place.
import type { Market } from '@openvenue/core/records'
import { promiseBlock } from '@openvenue/core/relay'
import type { Intent, IntentMove, IntentState } from '@openvenue/store/intents/intents'
import { HeldOrders } from './held-orders.ts'
import { Families, judgeFamily } from './linked-orders.ts'
import { ReducingOrders } from './reducing-orders.ts'
import { perpetualMark, SpotMarks } from './spot-marks.ts'
import type { WatcherContext } from './watcher-parts.ts'

const NS_PER_MS = 1_000_000n
const MS_PER_S = 1_000
/** Maximum number of moves written in one round. */
const MOVES_MAX = 500
/** Maximum number of parents per query. */
const PARENTS_MAX = 500
/** Maximum number of reduce-only orders whose position is checked per query. */
const REDUCING_MAX = 500
/** Reason of a held order that expired. */
const TIME_OVER = 'ORDER_EXPIRED'

const IS_OVER: readonly IntentState[] = ['refused', 'expired', 'withdrawn']

type IntentStatus = Pick<IntentMove, 'to' | 'reason'>

export class OrderWatch {
  readonly #parts: WatcherContext
  readonly #held = new HeldOrders()
  readonly #families = new Families()
  readonly #reducing = new ReducingOrders()
  readonly #spot: SpotMarks
  /** Decided steps that are not yet written. */
  readonly #steps = new Map<string, IntentStatus>()
  /** Set once orders of the same salt from before the start were checked. */
  #hasLooked = false

  constructor(parts: WatcherContext) {
    this.#parts = parts
    this.#spot = new SpotMarks(parts.node)
  }

  get held(): number {
    return this.#held.size
  }

  clear(): void {
    this.#held.clear()
    this.#families.clear()
    this.#reducing.clear()
    this.#steps.clear()
    this.#hasLooked = false
  }

  step(intent: Intent): void {
    const { id, state, parentId } = intent
    this.#families.changed(id)
    if (state === 'received') {
      this.#hold(intent)
      return
    }
    this.#steps.delete(id)
    this.#reducing.drop(id)
    if (state === 'queued' || state === 'sent') this.#held.send(intent)
    else this.#end(intent)
    if (parentId === undefined) return
    if (IS_OVER.includes(state)) this.#families.drop(id)
    else this.#families.add(id, parentId)
  }

  /** Stops watching an order. */
  drop(id: string): void {
    this.#held.drop(id)
    this.#families.drop(id)
    this.#reducing.drop(id)
  }

  /** Records a change of an order on chain. */
  changed(id: string): void {
    this.#families.changed(id)
  }

  /** Records a change of a position on chain. */
  positionChanged(market: string, account: number): void {
    this.#reducing.changed(market, account)
  }

  async round(): Promise<void> {
    await this.#lookAtSalts()
    await this.#lookAtParents()
    await this.#lookAtPositions()
    for (const { id } of this.#held.pass(this.#parts.seconds()))
      this.#steps.set(id, { to: 'expired', reason: TIME_OVER })
    for (const intent of this.#held.takeReady()) this.#queue(intent)
    this.#firePerpetuals()
    try {
      await this.#fireSpot()
    } finally {
      await this.#write()
    }
  }

  /** Removes an order that is on the chain, or never will be. */
  #end({ id, state }: Intent): void {
    if (state === 'included')
      for (const other of this.#held.sharing(id)) this.#parts.retractions.take(other, 'OCO')
    this.#held.drop(id)
  }

  #hold(intent: Intent): void {
    const { id, parentId } = intent
    this.#held.hold(intent)
    this.#reducing.add(intent)
    if (parentId === undefined) this.#held.release(id, this.#parts.seconds())
    else {
      this.#families.add(id, parentId)
      this.#families.changed(parentId)
    }
  }

  /** An order included while no watcher ran has ended those that share its salt. */
  async #lookAtSalts(): Promise<void> {
    if (this.#hasLooked) return
    const { safeguards, retractions } = this.#parts
    this.#hasLooked = true
    try {
      for (const id of await safeguards.excluded()) retractions.take(id, 'OCO')
    } catch (error) {
      this.#hasLooked = false
      throw error
    }
  }

  /** The database has the state of parents before the feed does. */
  async #lookAtParents(): Promise<void> {
    const { safeguards, retractions, seconds } = this.#parts
    const parents = this.#families.news().slice(0, PARENTS_MAX)
    if (parents.length === 0) return
    // Changes that arrive meanwhile are checked in the next round.
    this.#families.seen(parents)
    try {
      for (const fate of await safeguards.parents(parents)) {
        const verdict = judgeFamily(fate)
        if (verdict === 'wait') continue
        for (const child of this.#families.children(fate.id))
          if (verdict === 'release') this.#held.release(child, seconds())
          else retractions.take(child, 'PARENT_ENDED')
      }
    } catch (error) {
      for (const parent of parents) this.#families.changed(parent)
      throw error
    }
  }

  /** The database has the state of positions before the feed does. */
  async #lookAtPositions(): Promise<void> {
    const ids = this.#reducing.takeNews(REDUCING_MAX)
    try {
      await this.#retractOrphans(ids)
    } catch (error) {
      for (const id of ids) this.#reducing.addNews(id)
      throw error
    }
  }

  /** Withdraws orders whose position has ended; returns them. */
  async #retractOrphans(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { safeguards, retractions } = this.#parts
    const orphans = new Set(await safeguards.orphaned(ids))
    for (const id of orphans) {
      this.#steps.delete(id)
      retractions.take(id, 'POSITION_ENDED')
    }
    return orphans
  }

  #firePerpetuals(): void {
    const { view, clock } = this.#parts
    const nowSeconds = Math.floor(clock.nowMs() / MS_PER_S)
    for (const id of [...this.#held.triggers.markets()]) {
      if (this.#market(id)?.type !== 'PERPETUAL') continue
      this.#fire(id, perpetualMark(view.state, id, nowSeconds))
    }
  }

  async #fireSpot(): Promise<void> {
    const { view, seconds } = this.#parts
    const { triggers } = this.#held
    const markets: Market[] = []
    const watchedMarkets = new Set<string>()
    for (const id of triggers.markets()) {
      const market = this.#market(id)
      if (market?.type !== 'SPOT') continue
      watchedMarkets.add(id)
      this.#spot.see(view.state, market)
      const range = this.#spot.range(id)
      const isFar =
        range !== undefined &&
        !triggers.isReached(id, range.low) &&
        !triggers.isReached(id, range.high)
      if (!isFar) markets.push(market)
    }
    this.#spot.keep(watchedMarkets)
    for (const [id, mark] of await this.#spot.ask(view.state, markets, seconds()))
      this.#fire(id, mark)
  }

  #fire(market: string, mark: bigint): void {
    for (const intent of this.#held.fire(market, mark)) this.#queue(intent)
  }

  #queue(intent: Intent): void {
    // Only one of them can be placed: the outcome of the other decides.
    if (this.#held.isExcluded(intent.id) || this.#isSiblingQueued(intent.id))
      this.#held.release(intent.id, this.#parts.seconds())
    else this.#steps.set(intent.id, { to: 'queued', reason: undefined })
  }

  #isSiblingQueued(id: string): boolean {
    return this.#held.sharing(id).some((other) => this.#steps.get(other)?.to === 'queued')
  }

  async #write(): Promise<void> {
    const { intents, clock, mayAct, log } = this.#parts
    const due = [...this.#steps].slice(0, MOVES_MAX)
    // An order must only fire against the position that it was accepted for.
    const orphans = await this.#retractOrphans(
      due.flatMap(([id, { to }]) => (to === 'queued' && this.#reducing.has(id) ? id : [])),
    )
    const all = due.filter(([id]) => !orphans.has(id))
    if (all.length === 0 || !mayAct()) return
    const atNs = BigInt(clock.nowMs()) * NS_PER_MS
    const from = ['received'] as const
    const promised = this.#promises(all)
    await intents.move(
      all.map(([id, step]) => ({ id, from, atNs, includeByBlock: promised.get(id), ...step })),
    )
    for (const [id, step] of all) if (this.#steps.get(id) === step) this.#steps.delete(id)
    const fired = all.filter(([, { to }]) => to === 'queued').length
    if (fired > 0) log.info({ orders: fired }, 'held orders go to the chain')
  }

  /** Returns the promised block of each fired order: after the queue, one after the other. */
  #promises(steps: readonly (readonly [string, IntentStatus])[]): ReadonlyMap<string, number> {
    const { watched, view, gasPerBlock } = this.#parts
    const promised = new Map<string, number>()
    const firing = steps.filter(([, { to }]) => to === 'queued')
    if (firing.length === 0) return promised
    let queuedGas = 0
    for (const { state, gas } of watched.all())
      if (state === 'queued' || state === 'sent') queuedGas += gas
    for (const [id] of firing) {
      promised.set(id, promiseBlock(view.state.head?.number ?? 0, queuedGas, gasPerBlock))
      queuedGas += watched.get(id)?.gas ?? 0
    }
    return promised
  }

  #market(id: string): Market | undefined {
    return this.#parts.view.state.records.market.get(id)
  }
}

// Caches further trades of recently requested markets, beyond those kept for every market.
import type { ChangeOf } from '@openvenue/core/changes'
import type { Trade } from '@openvenue/core/records'
import type { Reader } from '@openvenue/store/store'
import { historyUnavailable } from '../http/refusals.ts'
import { FeedJoins, joinAll } from './feed-join.ts'
import { type LiveMarket, moveTrades, TRADES_DEEP_MAX, TRADES_KEPT_MAX } from './live-market.ts'
import type { VenueModel } from './venue-model.ts'

/** Markets with the maximum trades of an answer; the least recently used one drops its trades. */
const DEEP_MARKETS_MAX = 32
/** Attempts before a refusal: the market may be evicted or the model reloaded meanwhile. */
const TRIES_MAX = 3

type DeepTradesDeps = Readonly<{
  model: VenueModel
  reader: Pick<Reader, 'newestTrades'>
  /** Called when trades leave memory: a query may need the database from then on. */
  onLeft: () => void
  marketsMax?: number
}>

export class DeepTrades {
  readonly #deps: DeepTradesDeps
  readonly #marketsMax: number
  /** The least recently used first. */
  readonly #deep = new Set<LiveMarket>()
  readonly #joins: FeedJoins<LiveMarket, readonly Trade[], ChangeOf<'trade'>>

  constructor(deps: DeepTradesDeps) {
    const { model, marketsMax = DEEP_MARKETS_MAX } = deps
    this.#deps = deps
    this.#marketsMax = marketsMax
    this.#joins = new FeedJoins({
      seq: () => model.seq,
      take: (live, trades, since) => this.#take(live, trades, since),
    })
    model.onLoad(() => {
      this.#deep.clear()
      this.#joins.reset()
    })
    model.on('trade', (change) => {
      const live = model.market((change.after ?? change.before)?.market ?? '')
      if (live !== undefined) this.#joins.hear(live, model.seq, change)
    })
    model.onEntry(() => this.#joins.settle())
  }

  /** Markets with more trades than every market keeps. */
  get size(): number {
    return this.#deep.size
  }

  /** Returns whether memory has the newest `limit` trades of a market, or all of them. */
  has(live: LiveMarket, limit: number): boolean {
    if (limit > TRADES_KEPT_MAX && this.#deep.delete(live)) this.#deep.add(live)
    return live.hasAllTrades || live.trades.length >= limit
  }

  /** Loads them into memory. Refuses with 503 while the database does not answer. */
  async read(live: LiveMarket, limit: number): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      if (this.has(live, limit)) return
      await this.#join(live).catch((cause: unknown) => {
        throw historyUnavailable(cause)
      })
    }
    if (!this.has(live, limit)) throw historyUnavailable()
  }

  async #join(live: LiveMarket): Promise<void> {
    const isNew = !this.#joins.has(live)
    const joining = this.#joins.begin(live)
    if (isNew) {
      const query = { market: live.market.id, limit: TRADES_DEEP_MAX }
      void joinAll(this.#joins, [joining], async () => {
        const reading = await this.#deps.reader.newestTrades(query)
        return () => reading
      })
    }
    await joining.done.promise
  }

  #take(live: LiveMarket, trades: readonly Trade[], since: readonly ChangeOf<'trade'>[]): void {
    live.isDeep = true
    live.hasAllTrades = trades.length < TRADES_DEEP_MAX
    live.trades.splice(0, live.trades.length, ...trades)
    for (const change of since) moveTrades(live, change)
    this.#deep.add(live)
    for (const oldest of this.#deep) {
      if (this.#deep.size <= this.#marketsMax) return
      this.#deep.delete(oldest)
      this.#letGo(oldest)
    }
  }

  #letGo(live: LiveMarket): void {
    live.isDeep = false
    if (live.trades.length <= TRADES_KEPT_MAX) return
    live.trades.splice(0, live.trades.length - TRADES_KEPT_MAX)
    live.hasAllTrades = false
    this.#deps.onLeft()
  }
}

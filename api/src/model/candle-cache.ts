// Caches recently requested candles: each series is joined to the feed on its first request, and
// kept at the head from then on. All others are only in the database.
import type { Candle } from '@openvenue/core/records'
import type { Reader } from '@openvenue/store/store'
import { historyUnavailable } from '../http/refusals.ts'
import { CANDLE_WINDOW_MAX, CandleSeries } from './candle-series.ts'
import { FeedJoins, joinAll } from './feed-join.ts'
import type { VenueModel } from './venue-model.ts'

/** Bars of all series in memory; the least recently used series are evicted beyond it. */
const CANDLES_CACHED_MAX = 100_000
/** Concurrent reads of series; further requests are refused. */
const SERIES_READ_MAX = 200
/** Attempts before a refusal: the series may be evicted or the model reloaded meanwhile. */
const TRIES_MAX = 3

/** The newest candle of a series in the feed; undefined: it has none any more. */
type NewestCandle = Candle | undefined

type CandleCacheDeps = Readonly<{
  model: VenueModel
  reader: Pick<Reader, 'newestCandles'>
  /** Called when bars leave memory: a query may need the database from then on. */
  onLeft: () => void
  barsMax?: number
}>

/** `T` is the text that the encoder keeps for a bar. */
export class CandleCache<T> {
  readonly #deps: CandleCacheDeps
  readonly #barsMax: number
  /** Keyed by `market|resolution`, the least recently used first. */
  readonly #series = new Map<string, CandleSeries<T>>()
  readonly #joins: FeedJoins<string, readonly Candle[], NewestCandle>
  /** Returned for series without candles. */
  readonly #none: CandleSeries<T>
  #newestKey: string | undefined
  #bars = 0
  #versions = 0

  constructor(deps: CandleCacheDeps) {
    const { model, barsMax = CANDLES_CACHED_MAX } = deps
    this.#deps = deps
    this.#barsMax = barsMax
    this.#none = this.#made([], true)
    this.#joins = new FeedJoins({
      seq: () => model.seq,
      take: (key, candles, since) => this.#take(key, candles, since),
    })
    model.onLoad(() => this.#reset())
    model.on('candle', ({ key, before, after }) => this.#hear(key, before, after))
    model.onEntry(() => this.#joins.settle())
  }

  /** Series held. */
  get size(): number {
    return this.#series.size
  }

  /** Bars held. */
  get bars(): number {
    return this.#bars
  }

  /** Returns a series at the model's head, if memory has it; one without candles is empty. */
  find(market: string, resolution: string): CandleSeries<T> | undefined {
    const key = `${market}|${resolution}`
    const series = this.#series.get(key)
    if (series === undefined)
      return this.#deps.model.state.records.candle.has(key) ? undefined : this.#none
    if (key !== this.#newestKey) {
      this.#series.delete(key)
      this.#series.set(key, series)
      this.#newestKey = key
    }
    return series
  }

  /** Like `find`, reading the series if memory does not have it. Refuses with 503. */
  async read(market: string, resolution: string): Promise<CandleSeries<T>> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const series = this.find(market, resolution)
      if (series !== undefined) return series
      await this.#join(market, resolution).catch((cause: unknown) => {
        throw historyUnavailable(cause)
      })
    }
    throw historyUnavailable()
  }

  async #join(market: string, resolution: string): Promise<void> {
    const key = `${market}|${resolution}`
    const isNew = !this.#joins.has(key)
    if (isNew && this.#joins.size >= SERIES_READ_MAX) throw historyUnavailable()
    const joining = this.#joins.begin(key)
    if (isNew) {
      const query = { market, resolution, limit: CANDLE_WINDOW_MAX }
      void joinAll(this.#joins, [joining], async () => {
        const reading = await this.#deps.reader.newestCandles(query)
        return () => reading
      })
    }
    await joining.done.promise
  }

  #hear(key: string, before: NewestCandle, after: NewestCandle): void {
    const series = this.#series.get(key)
    if (series !== undefined) this.#apply(series, after)
    else if (before === undefined) {
      // It is the series' first candle: the database has nothing that is not here.
      this.#joins.end(key)
      this.#take(key, [], [after])
    } else this.#joins.hear(key, this.#deps.model.seq, after)
  }

  #take(key: string, candles: readonly Candle[], since: readonly NewestCandle[]): void {
    const series = this.#made(candles, candles.length < CANDLE_WINDOW_MAX)
    this.#series.set(key, series)
    this.#newestKey = key
    this.#bars += series.size
    for (const after of since) this.#apply(series, after)
    this.#trim()
  }

  #apply(series: CandleSeries<T>, after: NewestCandle): void {
    this.#bars -= series.size
    const hasLeft = series.apply(after)
    this.#bars += series.size
    if (hasLeft) this.#deps.onLeft()
    this.#trim()
  }

  /** The last used series stays, whatever its size. */
  #trim(): void {
    if (this.#bars <= this.#barsMax) return
    for (const [key, series] of this.#series) {
      if (this.#bars <= this.#barsMax || this.#series.size === 1) break
      this.#series.delete(key)
      this.#bars -= series.size
    }
    this.#deps.onLeft()
  }

  #reset(): void {
    this.#series.clear()
    this.#newestKey = undefined
    this.#bars = 0
    this.#joins.reset()
    this.#deps.onLeft()
  }

  /** All series share one version count, so an evicted series never returns with an old one. */
  #made(candles: readonly Candle[], isWhole: boolean): CandleSeries<T> {
    return new CandleSeries<T>(candles, isWhole, () => ++this.#versions)
  }
}

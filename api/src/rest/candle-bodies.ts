// Cached bodies of candles: by query, until one of their bars changes. Shared by /candles and the
// charting history. The text of each bar is cached too, so that a trade costs one encoded bar and a
// join.
import type { Header } from '@openvenue/core/events'
import type { Market } from '@openvenue/core/records'
import type { Resolution } from '@openvenue/core/resolutions'
import type { BlockRead, ReadFrom } from '@openvenue/store/db/block-read'
import type { CandleRows, Reader } from '@openvenue/store/store'
import { type BarTexts, encodeBar } from '@openvenue/wire/candles'
import { LRUCache } from 'lru-cache'
import type { BodySource } from '../http/host-type.ts'
import { historyUnavailable } from '../http/refusals.ts'
import { CandleCache } from '../model/candle-cache.ts'
import {
  type Bar,
  type BarsQuery,
  type CandleSeries,
  merged,
  type OlderBars,
  type Selection,
} from '../model/candle-series.ts'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { candlesMaxAge } from './candle-range.ts'

export type CandleBar = Bar<BarTexts>
type Series = CandleSeries<BarTexts>

/**
 * Encodes bars, oldest first, as a body. `openBefore`: open time of the last bar before the range.
 */
export type Format = Readonly<{
  name: string
  encode: (market: Market, bars: Iterable<CandleBar>, openBefore: number | undefined) => string
}>

export type BodyQuery = Readonly<{
  market: Market
  resolution: Resolution
  range: BarsQuery
  format: Format
}>

/** A body and the block whose data it is. */
export type CandleBody = Readonly<{ bytes: Buffer; head: Header | undefined }>

type CachedBody = Readonly<{ bytes: Buffer; version: number; isSettled: boolean }>

/** Bounds of the cache: 16 MB hold fifty answers of 1,000 bars. */
const BODIES_MAX = 1_000
const BODY_BYTES_MAX = 16 * 1024 * 1024

type BodyDeps = Readonly<{ model: VenueModel; reader: Reader; fresh: FreshReads }>

export class CandleBodies {
  readonly #model: VenueModel
  readonly #reader: Reader
  readonly #fresh: FreshReads
  readonly #series: CandleCache<BarTexts>
  readonly #kept = new LRUCache<string, CachedBody>({
    max: BODIES_MAX,
    maxSize: BODY_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  readonly #reading = new Map<string, Promise<CandleBody>>()

  /** `onLeft` is called when bars left memory: from then on a query may need the database. */
  constructor({ model, reader, fresh }: BodyDeps, onLeft: () => void) {
    this.#model = model
    this.#reader = reader
    this.#fresh = fresh
    this.#series = new CandleCache({ model, reader, onLeft })
    model.onLoad(() => this.#kept.clear())
  }

  /**
   * Returns a source that answers `query` from memory, now and later; undefined when memory lacks
   * some of its bars. Callers must drop a cached source when `onLeft` reports evicted bars; a
   * source used after that refuses.
   */
  source(query: BodyQuery): BodySource | undefined {
    const key = queryKey(query)
    const { market, resolution } = query
    const series = () => this.#series.find(market.id, resolution)
    const now = series()
    if (now === undefined || this.#fromMemory(query, key, now) === undefined) return undefined
    return {
      read: () => {
        const now = series()
        const body = now && (this.#find(key, now) ?? this.#fromMemory(query, key, now))
        if (body === undefined) throw historyUnavailable()
        return body
      },
      head: () => this.#model.head,
      maxAgeSeconds: () => candlesMaxAge(query, this.#model.head),
    }
  }

  /**
   * Like `source`, once the newest bars are in memory. Refuses while the database does not answer.
   */
  async sourceRead(query: BodyQuery): Promise<BodySource | undefined> {
    await this.#series.read(query.market.id, query.resolution)
    return this.source(query)
  }

  #fromMemory(query: BodyQuery, key: string, series: Series): Buffer | undefined {
    const selection = series.select(query.range)
    if (selection.older !== undefined) return undefined
    const bars = [...merged(selection, [])]
    const { fromSeconds } = query.range
    const before = fromSeconds === undefined ? undefined : series.openBefore(fromSeconds)
    if (bars.length === 0 && before === 'older') return undefined
    const { isSettled } = selection
    const cached = this.#find(key, series)
    if (cached !== undefined) return cached
    const bytes = encodeBars(query, bars, before === 'older' ? undefined : before)
    this.#kept.set(key, { bytes, version: seriesVersion(series, selection), isSettled })
    return bytes
  }

  /** Returns the body, reading older bars from the database. Refuses when it does not answer. */
  async fromDatabase(query: BodyQuery): Promise<CandleBody> {
    const key = queryKey(query)
    const cached = this.#find(key, await this.#series.read(query.market.id, query.resolution))
    if (cached !== undefined) return { bytes: cached, head: this.#model.head }
    const under = this.#reading.get(key)
    if (under !== undefined) return under
    const reading = this.#readBody(query).finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  /**
   * Returns the bars of several ranges, older ones from the database, and the block of all of them.
   */
  async bars(
    { market, resolution }: Pick<BodyQuery, 'market' | 'resolution'>,
    ranges: readonly BarsQuery[],
  ): Promise<Readonly<{ bars: readonly (readonly CandleBar[])[]; head: Header | undefined }>> {
    const series = await this.#series.read(market.id, resolution)
    const { head } = this.#model
    const selections = ranges.map((range) => series.select(range))
    const bars = await Promise.all(
      selections.map(async (selection) => {
        const older = await this.#older(market.id, resolution, selection)
        return [...merged(selection, older())]
      }),
    )
    return { bars, head }
  }

  async #readBody(query: BodyQuery): Promise<CandleBody> {
    const { market, resolution, range } = query
    const series = await this.#series.read(market.id, resolution)
    const { head } = this.#model
    const { newest } = series
    const selection = series.select(range)
    const versions = { version: series.version, settled: series.settledVersion }
    const older = await this.#older(market.id, resolution, selection)
    const { last, bytes } = encoded(query, selection, older) ?? (await this.#noBars(query))
    const isCut = last !== undefined && newest !== undefined && last < newest.openSeconds
    const isSettled = selection.isSettled || isCut
    const version = isSettled ? versions.settled : versions.version
    // When the series was evicted meanwhile, no other one has these versions.
    this.#kept.set(queryKey(query), { bytes, version, isSettled })
    return { bytes, head }
  }

  /** Returns the body of a range without bars, which may report the newest bar before it. */
  async #noBars(query: BodyQuery): Promise<EncodedCandles> {
    const { fromSeconds } = query.range
    const before =
      fromSeconds === undefined ? undefined : await this.#openBefore(query, fromSeconds)
    return { bytes: encodeBars(query, [], before), last: undefined }
  }

  async #openBefore(
    { market, resolution }: BodyQuery,
    beforeSeconds: number,
  ): Promise<number | undefined> {
    const series = await this.#series.read(market.id, resolution)
    const openSeconds = series.openBefore(beforeSeconds)
    if (openSeconds !== 'older') return openSeconds
    const query = { market: market.id, resolution, beforeSeconds }
    return this.#ask(beforeSeconds, (from) => this.#reader.candleBefore(query, from))
  }

  async #older(
    market: string,
    resolution: string,
    { older }: { older: OlderBars | undefined },
  ): Promise<CandleRows> {
    if (older === undefined) return NO_ROWS
    const query = { market, resolution, ...older }
    return this.#ask(older.toSeconds, (from) => this.#reader.candles(query, from))
  }

  /**
   * Reads bars that end before those in memory begin. They are final, so they are the same in every
   * view that is newer than their end.
   */
  async #ask<T>(toSeconds: number, ask: (from: ReadFrom) => Promise<BlockRead<T>>): Promise<T> {
    try {
      return (await this.#fresh.read(ask, ({ head }) => (head?.seconds ?? 0) > toSeconds)).rows
    } catch (cause) {
      throw historyUnavailable(cause)
    }
  }

  #find(key: string, series: Series): Buffer | undefined {
    const cached = this.#kept.get(key)
    if (cached === undefined || cached.version !== seriesVersion(series, cached)) return undefined
    return cached.bytes
  }
}

const NO_ROWS: CandleRows = () => []

type EncodedCandles = Readonly<{ bytes: Buffer; last: number | undefined }>

/**
 * Returns the body and the open time of its last bar; undefined without bars. Synchronous, so that
 * a thousand bars can be collected as soon as they are encoded: see `CandleRows`.
 */
function encoded(
  query: BodyQuery,
  selection: Selection<BarTexts>,
  older: CandleRows,
): EncodedCandles | undefined {
  let last: number | undefined
  const bytes = encodeBars(query, bars())
  return last === undefined ? undefined : { bytes, last }

  function* bars() {
    for (const bar of merged(selection, older())) {
      last = bar.candle.openSeconds
      yield bar
    }
  }
}

/** Returns the text of a bar, encoded once. */
export function barTexts(market: Market, bar: CandleBar): BarTexts {
  bar.text ??= encodeBar(market, bar.candle)
  return bar.text
}

const seriesVersion = (series: Series, { isSettled }: { isSettled: boolean }) =>
  isSettled ? series.settledVersion : series.version

const encodeBars = ({ market, format }: BodyQuery, bars: Iterable<CandleBar>, before?: number) =>
  Buffer.from(format.encode(market, bars, before))

const queryKey = ({ market, resolution, range, format }: BodyQuery) =>
  `${format.name}|${market.id}|${resolution}|${range.fromSeconds}|${range.toSeconds}|${range.countback}`

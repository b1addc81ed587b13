// Reads the candles of a market: the newest one as it grows, older and newer ones as the user
// scrolls, and the lines of mark and index.
import { fromRaw, type shapes, toRaw } from 'openvenue'
import { decimalsOf, showDecimal, showPercent } from '../../../text/decimal-text.ts'
import type {
  CandleNews,
  CandleText,
  ChartChoice,
  DrawnCandle,
  Resolution,
} from '../chart-protocol.ts'
import { CandleWindow, WINDOW_MAX, type WindowCandle } from './candle-window.ts'
import { filled } from './quiet-periods.ts'

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
/** Candles per request. */
const PAGE = 500

/** A range of candles; Unix seconds. */
export type CandleRange = Readonly<{
  from?: number
  to?: number
  countback?: number
  min_block?: number
}>
/** A message of the channel of candles; without one, the market has none. */
export type CandleMessage = Readonly<{
  type: 'snapshot' | 'update' | 'undo'
  data: WindowCandle | null
  block_number: number
}>

export type CandleSource = Readonly<{
  market: shapes.Market
  resolution: Resolution
  choice: ChartChoice
  messages: (signal: AbortSignal) => AsyncIterable<CandleMessage>
  read: (range: CandleRange, signal: AbortSignal) => Promise<readonly WindowCandle[]>
  /** Returns candles with the lines that are shown. */
  withLines: (
    candles: readonly WindowCandle[],
    choice: ChartChoice,
    signal: AbortSignal,
  ) => Promise<readonly WindowCandle[]>
  /** Something has changed that is drawn. */
  onChange: () => void
}>

type MarketPrices = Pick<shapes.Market, 'mark_price' | 'index_price'>

export class CandleFeed {
  readonly #source: CandleSource
  readonly #window = new CandleWindow()
  #choice: ChartChoice
  #nextChoice: ChartChoice
  #prices: MarketPrices
  /** One page at a time. */
  #isPaging = false
  /** Nothing is before this candle. Unix seconds. */
  #firstSeconds: number | undefined

  constructor(source: CandleSource) {
    this.#source = source
    this.#choice = source.choice
    this.#nextChoice = source.choice
    this.#prices = source.market
  }

  /** Reads the past, then goes on until `signal`. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const { type, data, block_number } of this.#source.messages(signal)) {
      // After a long outage only the newest candle is sent: the others are read.
      if (type === 'snapshot' || data === null) await this.#readNewest(block_number, signal)
      else if (type === 'undo') this.#window.cutTo(data)
      else this.#window.putNewest(this.#filled([data], { last: this.#lastBefore(data) }))
      this.#source.onChange()
    }
  }

  /** Reads candles before those that are drawn. Unix seconds. */
  async older(beforeSeconds: number, signal: AbortSignal): Promise<void> {
    if (this.#firstSeconds === beforeSeconds) return
    await this.#page(async () => {
      const query = { to: beforeSeconds - 1, countback: PAGE }
      const page = this.#filled(await this.#read(query, signal), { end: beforeSeconds })
      const older = await this.#lined(page.slice(-PAGE), signal)
      if (older.length === 0) this.#firstSeconds = beforeSeconds
      if (older.length === 0 || this.#window.all[0]?.time !== beforeSeconds) return
      this.#window.prepend(older)
      this.#source.onChange()
    })
  }

  /** Reads candles after those that are drawn, until the newest is among them. */
  async newer(signal: AbortSignal): Promise<void> {
    const last = this.#window.all.at(-1)
    if (this.#window.hasNewest || last === undefined) return
    await this.#page(async () => {
      const read = await this.#read({ from: last.time + 1 }, signal)
      const page = this.#filled(read, { last })
      const newer = await this.#lined(page.slice(0, PAGE), signal)
      if (this.#window.hasNewest) return
      this.#window.append(newer, page.length <= PAGE)
      this.#source.onChange()
    })
  }

  /** Returns to the newest candles. */
  async toNewest(signal: AbortSignal): Promise<void> {
    if (this.#window.hasNewest) return
    const newest = this.#filled(await this.#read({ countback: PAGE }, signal)).slice(-WINDOW_MAX)
    this.#window.replace(await this.#lined(newest, signal))
    this.#source.onChange()
  }

  /** Shows other lines. */
  async choose(choice: ChartChoice, signal: AbortSignal): Promise<void> {
    this.#nextChoice = choice
    const lined = await this.#source.withLines(this.#window.all, choice, signal)
    // The user has made another choice meanwhile.
    if (this.#nextChoice !== choice) return
    this.#choice = choice
    const byTime = new Map(lined.map((candle) => [candle.time, candle]))
    this.#window.line((candle) => {
      const { mark, index } = byTime.get(candle.time) ?? {}
      return { ...candle, mark, index }
    })
    this.#source.onChange()
  }

  /** Takes what mark and index are now. Unix seconds. */
  takePrices(prices: MarketPrices, nowSeconds: number): void {
    this.#prices = prices
    const last = this.#window.all.at(-1)
    const { hasMark, hasIndex } = this.#choice
    if (!(hasMark || hasIndex)) return
    const { mark_price: mark, index_price: index } = prices
    if (last !== undefined && this.#window.hasNewest && nowSeconds <= last.close_time)
      this.#window.lineNewest({
        ...(hasMark && mark !== null && { mark }),
        ...(hasIndex && index !== null && { index }),
      })
    this.#source.onChange()
  }

  /** Returns everything, for a drawing that begins. */
  takeAll(): CandleNews {
    this.#window.beginAnew()
    return this.take()
  }

  describe(time: number): CandleText | null {
    const candle = this.#window.find(time)
    return candle === undefined ? null : viewCandle(candle, this.#source.market)
  }

  /** Returns what has changed since it was asked last. */
  take(): CandleNews {
    const { market, resolution } = this.#source
    const { isWhole, candles } = this.#window.take()
    const { hasMark, hasIndex } = this.#choice
    const last = this.#window.all.at(-1)
    return {
      key: `${market.instrument_name}:${resolution}`,
      ...{ isWhole, candles: candles.map(drawn), hasNewest: this.#window.hasNewest },
      newest: last === undefined ? undefined : viewCandle(last, market),
      mark: hasMark ? numberOf(this.#prices.mark_price) : undefined,
      index: hasIndex ? numberOf(this.#prices.index_price) : undefined,
      decimals: decimalsOf(market.price_step),
      step: Number(market.price_step),
    }
  }

  /** Reads the newest ones, of that block at least, and joins them to those that are known. */
  async #readNewest(block: number, signal: AbortSignal): Promise<void> {
    const query = { countback: PAGE, min_block: block }
    const read = this.#filled(await this.#read(query, signal)).slice(-WINDOW_MAX)
    const newest = await this.#lined(read, signal)
    const last = this.#window.all.at(-1)
    const [first] = newest
    const isJoined = last !== undefined && first !== undefined && first.time <= last.time
    if (isJoined && this.#window.hasNewest) this.#window.putNewest(newest)
    else if (last === undefined || this.#window.hasNewest) this.#window.replace(newest)
  }

  async #page(work: () => Promise<void>): Promise<void> {
    if (this.#isPaging) return
    this.#isPaging = true
    try {
      await work()
    } finally {
      this.#isPaging = false
    }
  }

  #filled(
    candles: readonly WindowCandle[],
    around?: Parameters<typeof filled>[2],
  ): readonly WindowCandle[] {
    return filled(candles, this.#source.resolution, around)
  }

  /** Returns the last candle that is older than another, if that one is new. */
  #lastBefore({ time }: WindowCandle): WindowCandle | undefined {
    const last = this.#window.all.at(-1)
    return last !== undefined && last.time < time ? last : undefined
  }

  #lined(candles: readonly WindowCandle[], signal: AbortSignal): Promise<readonly WindowCandle[]> {
    return this.#source.withLines(candles, this.#choice, signal)
  }

  #read(range: CandleRange, signal: AbortSignal): Promise<readonly WindowCandle[]> {
    return this.#source.read(range, signal)
  }
}

const numberOf = (text: string | null | undefined): number | undefined =>
  text === null || text === undefined ? undefined : Number(text)

const drawn = (candle: WindowCandle): DrawnCandle => ({
  time: candle.time,
  open: Number(candle.open),
  high: Number(candle.high),
  low: Number(candle.low),
  close: Number(candle.close),
  volume: Number(candle.volume),
  mark: numberOf(candle.mark),
  index: numberOf(candle.index),
})

type Candle = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', string>>
type CandleSteps = Readonly<{ price_step: string }>

/** Returns its prices in the digits of the market, and from open to close in percent, cut. */
function viewCandle(candle: Candle, { price_step }: CandleSteps): CandleText {
  const price = (text: string) => showDecimal(text, decimalsOf(price_step))
  const [open, close] = [toRaw(candle.open, DECIMALS), toRaw(candle.close, DECIMALS)]
  const change = open === 0n ? 0n : ((close - open) * ONE) / open
  return {
    ...{ open: price(candle.open), high: price(candle.high), low: price(candle.low) },
    ...{ close: price(candle.close), volume: showDecimal(candle.volume) },
    change: showPercent(fromRaw(change, DECIMALS), 2),
    isUp: close >= open,
  }
}

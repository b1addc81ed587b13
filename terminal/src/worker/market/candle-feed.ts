// Reads the candles of a market: those on the screen, older ones when the chart is dragged back,
// and the newest as it grows.
import type { Rest, shapes, VenueSocket } from 'openvenue'
import type { CandleNews, DrawnCandle, Resolution } from '../protocol.ts'
import { decimalsOf } from '../text/decimal-text.ts'

/** Of one request. */
const PAGE = 500

export type CandleSource = Readonly<{
  rest: Rest
  socket: VenueSocket
  market: shapes.Market
  resolution: Resolution
}>

export class CandleFeed {
  readonly #source: CandleSource
  readonly #show: (news: CandleNews) => void
  #all: readonly DrawnCandle[] = []
  #older: readonly DrawnCandle[] | undefined

  constructor(source: CandleSource, show: (news: CandleNews) => void) {
    this.#source = source
    this.#show = show
  }

  /** Reads the past, then goes on until `signal`. */
  async follow(signal: AbortSignal): Promise<void> {
    const { socket, market, resolution } = this.#source
    const channel = `candles:${market.instrument_name}:${resolution}` as const
    for await (const { data } of socket.subscribe(channel, { signal })) {
      // The chart begins anew with what the channel begins with: nothing between is missed.
      if (this.#all.length === 0) this.#all = await this.#read(undefined, signal)
      if (data !== null) this.#put(drawn(data))
      this.#post(data === null ? undefined : drawn(data))
    }
  }

  /** Reads candles before the oldest. */
  async older(beforeSeconds: number, signal: AbortSignal): Promise<void> {
    const older = await this.#read(beforeSeconds - 1, signal)
    if (older.length === 0) return
    this.#all = [...older, ...this.#all]
    this.#older = older
    this.#post(undefined)
    this.#older = undefined
  }

  #put(candle: DrawnCandle): void {
    const others = this.#all.at(-1)?.time === candle.time ? this.#all.slice(0, -1) : this.#all
    this.#all = [...others, candle]
  }

  #post(newest: DrawnCandle | undefined): void {
    const { market, resolution } = this.#source
    const decimals = decimalsOf(market.price_step)
    const key = `${market.instrument_name}:${resolution}`
    this.#show({ key, all: this.#all, newest, older: this.#older, decimals })
  }

  async #read(to: number | undefined, signal: AbortSignal): Promise<readonly DrawnCandle[]> {
    const { rest, market, resolution } = this.#source
    const query = {
      instrument_name: market.instrument_name,
      resolution,
      countback: PAGE,
      ...(to !== undefined && { to }),
    }
    const candles = await rest.call('GET /candles', { query }, { signal })
    return candles.map(drawn)
  }
}

type Candle = Readonly<{
  time: number
  open: string
  high: string
  low: string
  close: string
  volume: string
}>

const drawn = ({ time, open, high, low, close, volume }: Candle): DrawnCandle => ({
  time,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
  volume: Number(volume),
})

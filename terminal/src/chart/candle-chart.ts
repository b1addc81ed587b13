// Draws candles and volumes. The chart is loaded after the book: it is most of what is loaded.
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { OwnMarks } from '../worker/order/order-protocol.ts'
import type { CandleNews, DrawnCandle } from '../worker/protocol.ts'
import { OwnDrawing } from './own-drawing.ts'

/** So many candles before the oldest shown one, older ones are asked for. */
const AHEAD = 50

export type CandleDrawing = Readonly<{
  /** Takes news of candles. */
  draw: (news: CandleNews) => void
  /** Draws what is of the account. */
  mark: (own: OwnMarks) => void
}>

/** Draws into `frame`. */
export function drawCandles(
  frame: HTMLElement,
  older: (beforeSeconds: number) => void,
): CandleDrawing {
  const chart = createChart(frame, optionsOf(frame))
  const colors = colorsOf(frame)
  const candles = chart.addSeries(CandlestickSeries, {
    ...{ upColor: colors.buy, downColor: colors.sell },
    ...{ wickUpColor: colors.buy, wickDownColor: colors.sell, borderVisible: false },
  })
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    priceFormat: { type: 'volume' },
  })
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  const bar = ({ time, volume, open, close }: DrawnCandle) => ({
    time: time as UTCTimestamp,
    value: volume,
    color: `${close >= open ? colors.buy : colors.sell}55`,
  })
  let [key, oldest, asked] = ['', 0, 0]
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range === null || range.from > AHEAD || asked === oldest || oldest === 0) return
    asked = oldest
    older(oldest)
  })
  const owned = new OwnDrawing(candles, colors)
  const draw = (news: CandleNews) => {
    const isNew = news.key !== key
    if (isNew || news.older !== undefined) {
      const all = (news.all ?? []).map((candle) => ({
        ...candle,
        time: candle.time as UTCTimestamp,
      }))
      candles.setData(all)
      volumes.setData((news.all ?? []).map(bar))
      candles.applyOptions({ priceFormat: formatOf(news.decimals) })
      oldest = news.all?.[0]?.time ?? 0
      if (isNew) chart.timeScale().resetTimeScale()
      key = news.key
    } else if (news.newest !== undefined) {
      candles.update({ ...news.newest, time: news.newest.time as UTCTimestamp })
      volumes.update(bar(news.newest))
    }
    owned.draw()
  }
  return { draw, mark: (own) => owned.mark(own) }
}

const formatOf = (decimals: number) =>
  ({ type: 'price', precision: decimals, minMove: 10 ** -decimals }) as const

function colorsOf(frame: HTMLElement) {
  const probe = document.createElement('span')
  frame.append(probe)
  const read = (name: string) => {
    probe.style.color = `var(--${name})`
    const [red = '0', green = '0', blue = '0'] = getComputedStyle(probe).color.match(/\d+/g) ?? []
    return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
  }
  const colors = {
    ...{ buy: read('buy'), sell: read('sell'), text: read('quiet'), line: read('line') },
    panel: read('panel'),
  }
  probe.remove()
  return colors
}

function optionsOf(
  frame: HTMLElement,
): Parameters<typeof createChart>[1] & Parameters<IChartApi['applyOptions']>[0] {
  const { text, line, panel } = colorsOf(frame)
  return {
    autoSize: true,
    // Its logo writes a style into the page, which the page's policy forbids: a link is beside it.
    layout: { background: { color: panel }, textColor: text, attributionLogo: false },
    grid: { vertLines: { color: `${line}80` }, horzLines: { color: `${line}80` } },
    timeScale: { timeVisible: true, borderColor: line },
    rightPriceScale: { borderColor: line },
  }
}

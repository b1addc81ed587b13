// Styles of the library, from the colours of the page.
import type { CandleType, DeepPartial, Styles } from 'klinecharts'
import { type ChartColors, inkOn } from '../chart-colors.ts'
import type { CandleTypeName } from '../chart-protocol.ts'

export const FONT_PX = 11
export const LABEL_PX = 17
export const LABEL_PAD_PX = 6
const SIZE = { size: FONT_PX } as const
/** Two hexadecimal digits appended to a colour. */
const [GRID_ALPHA, AREA_ALPHA] = ['80', '22']

/** Chart types as the library spells them. */
export const CANDLE_TYPES: Readonly<Record<CandleTypeName, CandleType>> = {
  candles: 'candle_solid',
  hollow: 'candle_up_stroke',
  bars: 'ohlc',
  area: 'area',
}

/** Returns all styles. The legend and the labels of prices are drawn by the page itself. */
export function stylesOf(colors: ChartColors, family: string): DeepPartial<Styles> {
  const { buy, sell, quiet, line, accent } = colors
  const font = { ...SIZE, family }
  const sides = { upColor: buy, downColor: sell, noChangeColor: buy }
  const hidden = { showRule: 'none' } as const
  return {
    grid: gridOf(line),
    candle: {
      bar: {
        ...sides,
        ...{ upBorderColor: buy, downBorderColor: sell, noChangeBorderColor: buy },
        ...{ upWickColor: buy, downWickColor: sell, noChangeWickColor: buy },
      },
      area: {
        ...{ lineSize: 1, lineColor: accent, backgroundColor: `${accent}${AREA_ALPHA}` },
        point: { show: false, animation: false },
      },
      priceMark: { show: false },
      tooltip: hidden,
    },
    indicator: {
      tooltip: hidden,
      ohlc: sides,
      bars: [sides],
      circles: [sides],
      lines: linesOf(colors),
    },
    xAxis: axisOf(colors, font),
    yAxis: axisOf(colors, font),
    separator: { color: line },
    crosshair: crosshairOf(colors, font),
    overlay: {
      line: { color: accent },
      text: { ...font, color: inkOn(accent), backgroundColor: accent, borderColor: accent },
      point: { color: accent, activeColor: accent, borderColor: quiet, activeBorderColor: quiet },
      rect: { borderColor: accent, color: `${accent}${AREA_ALPHA}` },
      polygon: { borderColor: accent, color: `${accent}${AREA_ALPHA}` },
    },
  }
}

const gridOf = (line: string): DeepPartial<Styles['grid']> => {
  const style = { color: `${line}${GRID_ALPHA}`, style: 'solid' } as const
  return { horizontal: style, vertical: style }
}

const linesOf = ({ mark, accent, index, buy, sell }: ChartColors) =>
  [mark, accent, index, buy, sell].map((color) => ({ color }))

type Font = Readonly<{ size: number; family: string }>

const axisOf = ({ line, quiet }: ChartColors, font: Font): DeepPartial<Styles['xAxis']> => ({
  axisLine: { color: line },
  tickLine: { show: false },
  tickText: { ...font, color: quiet, marginStart: LABEL_PAD_PX, marginEnd: LABEL_PAD_PX },
})

function crosshairOf({ quiet, text }: ChartColors, font: Font): DeepPartial<Styles['crosshair']> {
  const direction = {
    line: { color: quiet },
    text: { ...font, color: inkOn(text), backgroundColor: text, borderColor: text },
  }
  return { horizontal: direction, vertical: direction }
}

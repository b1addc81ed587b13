// Draws what the library does not have: volumes below the candles, lines and labels of prices, and
// own fills.
import {
  type IndicatorDrawParams,
  type KLineData,
  type OverlayFigure,
  registerIndicator,
  registerOverlay,
} from 'klinecharts'
import { spread } from '../axis-labels.ts'
import { type ChartColors, inkOn } from '../chart-colors.ts'
import type { PlacedMark } from '../own-marks.ts'
import { FONT_PX, LABEL_PAD_PX, LABEL_PX } from './kline-styles.ts'

/** A price across the chart, with a label on the axis and a title at its end; may be empty. */
export type SceneLine = Readonly<{
  price: number
  text: string
  title: string
  color: string
  dash: readonly number[]
}>

export type Scene = Readonly<{
  lines: readonly SceneLine[]
  marks: readonly PlacedMark[]
  colors: ChartColors
  family: string
  /** Width of a text. Pixels. */
  widthOf: (text: string) => number
}>

/** A candle of the library, with the prices of the lines that are shown. */
export type Bar = KLineData & Readonly<{ mark: number | undefined; index: number | undefined }>

export const SCENE = 'venueScene'
export const VOLUMES = 'venueVolumes'
export const PRICE_LINES = 'venuePriceLines'
const VOLUME_SHARE = 0.16
/** Two hexadecimal digits appended to a colour. */
const [VOLUME_ALPHA, GROUND_ALPHA] = ['55', 'cc']
const [ARROW_PX, MARK_LANE_PX, MARK_GAP_PX] = [8, 24, 4]

type SceneSource = () => Scene
type Frame = Readonly<{ width: number; height: number }>
type Places = Readonly<{
  x: (index: number) => number
  y: (price: number) => number
  bar: (index: number) => KLineData | undefined
}>

/** Registers the drawings with the library, which knows them by name. */
export function registerScene(): void {
  registerOverlay<SceneSource>({
    ...{ name: SCENE, totalStep: 1, lock: true },
    createPointFigures: ({ overlay, bounding, chart, xAxis, yAxis }) => {
      if (xAxis === null || yAxis === null) return []
      const bars = chart.getDataList()
      return sceneFigures(overlay.extendData(), bounding, {
        ...{ x: (index) => xAxis.convertToPixel(index), y: (price) => yAxis.convertToPixel(price) },
        bar: (index) => bars[index],
      })
    },
    createYAxisFigures: ({ overlay, bounding, yAxis }) =>
      yAxis === null
        ? []
        : labelFigures(overlay.extendData(), bounding, (price) => yAxis.convertToPixel(price)),
  })
  registerIndicator<unknown, unknown, ChartColors>({
    ...{ name: VOLUMES, calc: () => [], zLevel: -1, draw: drawVolumes },
  })
  registerIndicator<object>({
    name: PRICE_LINES,
    calc: (bars) => bars.map(({ mark, index }) => ({ mark, index })),
    figures: (['mark', 'index'] as const).map((key) => ({
      ...{ key, type: 'line' },
      styles: ({ indicator }) => {
        const colors = indicator.extendData as ChartColors
        return { color: colors[key], size: 1, style: 'solid' }
      },
    })),
  })
}

function drawVolumes(params: IndicatorDrawParams<unknown, unknown, ChartColors>): boolean {
  const { ctx, chart, bounding, xAxis, indicator } = params
  const { from, to } = chart.getVisibleRange()
  const { gapBar, halfGapBar } = chart.getBarSpace()
  const bars = chart.getDataList().slice(from, to)
  const most = bars.reduce((max, { volume = 0 }) => Math.max(max, volume), 0)
  if (most === 0) return true
  const { buy, sell } = indicator.extendData
  for (const [at, { volume = 0, open, close }] of bars.entries()) {
    const height = Math.round((volume / most) * VOLUME_SHARE * bounding.height)
    ctx.fillStyle = `${close >= open ? buy : sell}${VOLUME_ALPHA}`
    const left = xAxis.convertToPixel(from + at) - halfGapBar
    ctx.fillRect(left, bounding.height - height, gapBar, height)
  }
  return true
}

function sceneFigures(scene: Scene, frame: Frame, places: Places): OverlayFigure[] {
  const seen = scene.lines.filter(({ price }) => isSeen(places.y(price), frame))
  return [
    ...seen.map(({ price, color, dash }) => lineFigure(places.y(price), frame.width, color, dash)),
    ...scene.marks.flatMap((mark) => markFigures(mark, scene, frame, places)),
    ...labelsOf(scene, frame, places.y).flatMap(({ y, title, color }) =>
      title === '' ? [] : titleFigures(title, y, color, frame.width, scene),
    ),
  ]
}

/** Draws labels beside the candles. */
function labelFigures(scene: Scene, frame: Frame, y: Places['y']): OverlayFigure[] {
  return labelsOf(scene, frame, y).flatMap((label) => {
    const box = { x: 0, y: label.y, width: frame.width, color: label.color }
    return boxFigures(box, label.text, scene)
  })
}

/** Returns labels whose prices are visible, each once and kept off each other. */
function labelsOf({ lines }: Scene, frame: Frame, y: Places['y']) {
  const named = new Map(lines.map((line) => [`${line.text} ${line.title} ${line.color}`, line]))
  const shown = [...named.values()].filter(({ price }) => isSeen(y(price), frame))
  const ys = spread(
    shown.map(({ price }) => y(price)),
    LABEL_PX,
    frame.height - LABEL_PX / 2,
  )
  return shown.map((line, at) => ({ ...line, y: ys[at] ?? 0 }))
}

const isSeen = (y: number, { height }: Frame): boolean => y >= 0 && y <= height

function titleFigures(
  ...[title, y, color, right, scene]: [string, number, string, number, Scene]
): OverlayFigure[] {
  const width = scene.widthOf(title) + 2 * LABEL_PAD_PX
  return boxFigures({ x: right - width, y, width, color }, title, scene)
}

type Box = Readonly<{ x: number; y: number; width: number; color: string }>

/** A text on a ground; `y` is its middle. */
function boxFigures({ x, y, width, color }: Box, text: string, scene: Scene): OverlayFigure[] {
  const top = Math.round(y - LABEL_PX / 2)
  return [
    {
      ...{ type: 'rect', attrs: { x, y: top, width, height: LABEL_PX }, ignoreEvent: true },
      styles: { style: 'fill', color, borderSize: 0 },
    },
    textFigure({ x: x + LABEL_PAD_PX, y: top + LABEL_PX / 2, align: 'left' }, text, {
      ...{ color: inkOn(color), family: scene.family, backgroundColor: 'transparent' },
    }),
  ]
}

const lineFigure = (
  y: number,
  width: number,
  color: string,
  dashedValue: readonly number[],
): OverlayFigure => ({
  ...{ type: 'line', attrs: { coordinates: [y, y].map((at, end) => ({ x: end * width, y: at })) } },
  ...{ styles: { style: 'dashed', dashedValue, color, size: 1 }, ignoreEvent: true },
})

type TextPlace = Readonly<{ x: number; y: number; align: CanvasTextAlign }>
type TextLook = Readonly<{ color: string; family: string; backgroundColor: string }>

const textFigure = (place: TextPlace, text: string, look: TextLook): OverlayFigure => ({
  ...{ type: 'text', attrs: { ...place, text, baseline: 'middle' }, ignoreEvent: true },
  styles: {
    ...{ ...look, size: FONT_PX, borderSize: 0, paddingLeft: 0, paddingRight: 0 },
    ...{ paddingTop: 0, paddingBottom: 0 },
  },
})

/** An arrow with what was traded: bought below the candle, sold above it. */
function markFigures(
  { index, isBuy, text, lane }: PlacedMark,
  { colors, family }: Scene,
  { width }: Frame,
  places: Places,
): OverlayFigure[] {
  const bar = places.bar(index)
  const x = places.x(index)
  if (bar === undefined || x < 0 || x > width) return []
  const down = isBuy ? 1 : -1
  const tip = places.y(isBuy ? bar.low : bar.high) + down * (MARK_GAP_PX + lane * MARK_LANE_PX)
  const color = isBuy ? colors.buy : colors.sell
  const base = tip + down * ARROW_PX
  const coordinates = [
    { x, y: tip },
    { x: x - ARROW_PX / 2, y: base },
    { x: x + ARROW_PX / 2, y: base },
  ]
  const place = { x, y: base + down * MARK_GAP_PX * 2, align: 'center' } as const
  const backgroundColor = `${colors.panel}${GROUND_ALPHA}`
  return [
    {
      ...{ type: 'polygon', attrs: { coordinates }, ignoreEvent: true },
      styles: { style: 'fill', color },
    },
    textFigure(place, text, { color, family, backgroundColor }),
  ]
}

// Draws the surroundings of the candles: the grid, prices, times, and labels.
import { type AxisLabel, spread } from './axis-labels.ts'
import { type ChartColors, inkOn } from './chart-colors.ts'
import type { Pen } from './pen.ts'
import { type PriceScale, yOf } from './price-scale.ts'
import { type TimeScale, xOf } from './time-scale.ts'
import type { Tick } from './time-ticks.ts'

/** The whole drawing, and the part of it that candles have. Pixels. */
export type ChartFrame = Readonly<{
  width: number
  height: number
  paneWidth: number
  paneHeight: number
}>
export type AxisScene = Readonly<{
  frame: ChartFrame
  time: TimeScale
  price: PriceScale
  colors: ChartColors
  prices: readonly number[]
  ticks: readonly Tick[]
  labels: readonly AxisLabel[]
  priceText: (price: number) => string
  tickText: (tick: Tick) => string
}>

export const TIME_AXIS_PX = 24
const LABEL_PX = 17
const PAD_PX = 6
const GRID_ALPHA = '70'
/** Prices and their distance from what is at both sides of them. */
const AXIS_PAD_PX = 2 * PAD_PX + 2
/** A time is left out where it would be cut off. */
const TICK_EDGE_PX = 20

/** Returns how wide the axis has to be for such prices. */
export function axisWidth(pen: Pen, prices: readonly string[]): number {
  // Every digit counts as wide: the candles do not move with each price.
  const widths = prices.map((text) => pen.widthOf(text.replaceAll(/\d/g, '0')))
  return Math.ceil(Math.max(0, ...widths)) + AXIS_PAD_PX
}

/** Draws the lines behind the candles. */
export function paintGrid(pen: Pen, scene: AxisScene): void {
  const { frame, time, price, colors, prices, ticks } = scene
  const line = { color: `${colors.line}${GRID_ALPHA}` }
  for (const tick of prices) pen.level(yOf(price, tick), [0, frame.paneWidth], line)
  for (const { index } of ticks) pen.upright(xOf(time, index), [0, frame.paneHeight], line)
}

/** Draws prices and times on the ground of the page; no price beneath a label. */
export function paintAxes(pen: Pen, scene: AxisScene): void {
  const { frame, time, price, colors, prices, ticks, labels } = scene
  const { width, height, paneWidth, paneHeight } = frame
  const isFree = (y: number) => labels.every((label) => Math.abs(label.y - y) >= LABEL_PX)
  pen.level(paneHeight, [0, width], { color: colors.line })
  pen.upright(paneWidth, [0, paneHeight], { color: colors.line })
  for (const tick of prices) {
    const y = yOf(price, tick)
    if (y < LABEL_PX / 2 || y > paneHeight - LABEL_PX / 2 || !isFree(y)) continue
    pen.write({ text: scene.priceText(tick), x: paneWidth + PAD_PX, y, color: colors.quiet })
  }
  for (const tick of ticks) {
    const x = xOf(time, tick.index)
    if (x < TICK_EDGE_PX || x > paneWidth - TICK_EDGE_PX) continue
    const y = (paneHeight + height) / 2
    pen.write({ text: scene.tickText(tick), x, y, color: colors.quiet, align: 'center' })
  }
}

/** Returns labels whose prices are in sight, each once and kept off each other. */
export function placeLabels({ paneHeight }: ChartFrame, labels: readonly AxisLabel[]): AxisLabel[] {
  const named = new Map(
    labels.map((label) => [`${label.text} ${label.title} ${label.color}`, label]),
  )
  const shown = [...named.values()].filter(({ y }) => y >= 0 && y <= paneHeight)
  const ys = spread(
    shown.map(({ y }) => y),
    LABEL_PX,
    paneHeight - LABEL_PX / 2,
  )
  return shown.map((label, at) => ({ ...label, y: ys[at] ?? label.y }))
}

/** Draws labels beside the candles, and their titles at the edge of them. */
export function paintLabels(pen: Pen, frame: ChartFrame, labels: readonly AxisLabel[]): void {
  const { paneWidth, width } = frame
  for (const { y, text, title, color } of labels) {
    const ink = inkOn(color)
    const box = { y: y - LABEL_PX / 2, height: LABEL_PX }
    pen.fill({ ...box, x: paneWidth, width: width - paneWidth }, color)
    pen.write({ text, x: paneWidth + PAD_PX, y, color: ink })
    if (title === '') continue
    const wide = pen.widthOf(title) + 2 * PAD_PX
    pen.fill({ ...box, x: paneWidth - wide, width: wide }, color)
    pen.write({ text: title, x: paneWidth - wide + PAD_PX, y, color: ink })
  }
}

/** Draws a time on a ground, below the candles. */
export function paintTime(
  pen: Pen,
  { paneWidth, paneHeight, height }: ChartFrame,
  label: TimeLabel,
): void {
  const { x, text, color } = label
  const wide = pen.widthOf(text) + 2 * PAD_PX
  const left = Math.min(Math.max(0, x - wide / 2), Math.max(0, paneWidth - wide))
  pen.fill({ x: left, y: paneHeight, width: wide, height: height - paneHeight }, color)
  pen.write({ text, x: left + PAD_PX, y: (paneHeight + height) / 2, color: inkOn(color) })
}

type TimeLabel = Readonly<{ x: number; text: string; color: string }>

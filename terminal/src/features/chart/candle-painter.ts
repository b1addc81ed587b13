// Draws candles, volumes, the lines of mark and index, and own fills.
import type { ChartColors } from './chart-colors.ts'
import type { DrawnCandle } from './chart-protocol.ts'
import type { PlacedMark } from './own-marks.ts'
import type { Pen } from './pen.ts'
import { type PriceScale, yOf } from './price-scale.ts'
import { type TimeScale, xOf } from './time-scale.ts'

export type CandleScene = Readonly<{
  candles: readonly DrawnCandle[]
  /** The first in sight, and the one behind the last. */
  seen: readonly [number, number]
  time: TimeScale
  price: PriceScale
  colors: ChartColors
}>

const BODY_SHARE = 0.72
const VOLUME_SHARE = 0.16
/** Two hexadecimal digits appended to a colour. */
const VOLUME_ALPHA = '55'
const [ARROW_PX, MARK_LANE_PX, MARK_GAP_PX] = [8, 24, 4]

const isUp = ({ open, close }: DrawnCandle): boolean => close >= open

export function paintVolumes(pen: Pen, scene: CandleScene): void {
  const { candles, seen, time, price, colors } = scene
  const { heightPx } = price
  const shown = candles.slice(...seen)
  const most = shown.reduce((max, { volume }) => Math.max(max, volume), 0)
  if (most === 0) return
  const width = pen.about(time.barPx * BODY_SHARE)
  for (const [at, candle] of shown.entries()) {
    const height = (candle.volume / most) * VOLUME_SHARE * heightPx
    const box = { x: xOf(time, seen[0] + at) - width / 2, y: heightPx - height, width, height }
    pen.fill(box, `${isUp(candle) ? colors.buy : colors.sell}${VOLUME_ALPHA}`)
  }
}

export function paintCandles(pen: Pen, scene: CandleScene): void {
  const { candles, seen, time, price, colors } = scene
  const width = pen.about(time.barPx * BODY_SHARE)
  for (const [at, candle] of candles.slice(...seen).entries()) {
    const color = isUp(candle) ? colors.buy : colors.sell
    // From one pixel, so that body and wick share their middle.
    const left = pen.sharp(xOf(time, seen[0] + at) - width / 2)
    const [top, bottom] = [yOf(price, candle.high), yOf(price, candle.low)]
    const wick = { x: left + (width - pen.thin) / 2, y: top, width: pen.thin, height: bottom - top }
    pen.fill(wick, color)
    const [high, low] = isUp(candle)
      ? [yOf(price, candle.close), yOf(price, candle.open)]
      : [yOf(price, candle.open), yOf(price, candle.close)]
    pen.fill({ x: left, y: high, width, height: Math.max(low - high, pen.thin) }, color)
  }
}

/** Without a price there is a gap. */
export function paintLine(pen: Pen, scene: CandleScene, name: 'mark' | 'index'): void {
  const { candles, seen, time, price, colors } = scene
  const { context } = pen
  context.strokeStyle = colors[name]
  context.lineWidth = pen.thin
  context.setLineDash([])
  context.beginPath()
  let isDown = false
  for (let index = Math.max(0, seen[0] - 1); index < seen[1]; index++) {
    const value = candles[index]?.[name]
    if (value === undefined) isDown = false
    else if (isDown) context.lineTo(xOf(time, index), yOf(price, value))
    else {
      context.moveTo(xOf(time, index), yOf(price, value))
      isDown = true
    }
  }
  context.stroke()
}

/** Arrows with what was traded: bought below the candle, sold above it. */
export function paintMarks(pen: Pen, scene: CandleScene, marks: readonly PlacedMark[]): void {
  const { candles, seen, time, price, colors } = scene
  for (const { index, isBuy, text, lane } of marks) {
    const candle = candles[index]
    if (candle === undefined || index < seen[0] || index >= seen[1]) continue
    const down = isBuy ? 1 : -1
    const edge = yOf(price, isBuy ? candle.low : candle.high)
    const tip = edge + down * (MARK_GAP_PX + lane * MARK_LANE_PX)
    const [x, color] = [xOf(time, index), isBuy ? colors.buy : colors.sell]
    paintArrow(pen, { x, tip, down, color })
    const y = tip + down * (ARROW_PX + MARK_GAP_PX * 2)
    pen.write({ text, x, y, color, align: 'center', halo: colors.panel })
  }
}

type Arrow = Readonly<{ x: number; tip: number; down: number; color: string }>

function paintArrow({ context }: Pen, { x, tip, down, color }: Arrow): void {
  context.fillStyle = color
  context.beginPath()
  context.moveTo(x, tip)
  context.lineTo(x - ARROW_PX / 2, tip + down * ARROW_PX)
  context.lineTo(x + ARROW_PX / 2, tip + down * ARROW_PX)
  context.fill()
}

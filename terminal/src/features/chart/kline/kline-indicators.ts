// Indicators of the library: those over the candles, and those in panes of their own.
import { getSupportedIndicators, type Indicator, registerIndicator } from 'klinecharts'
import { indicators } from 'klinecharts/tools'
import { type KlineEngine, PANE } from './kline-engine.ts'
import { PRICE_LINES, VOLUMES } from './kline-scene.ts'

const PREFIX = 'tool-'
/** Have the scale of prices. */
const OVER_CANDLES = new Set(['MA', 'EMA', 'SMA', 'BBI', 'BOLL', 'SAR', 'AVP'])

for (const indicator of indicators) registerIndicator(indicator)

/** Name and values of an indicator, and where its pane begins. Pixels. */
export type IndicatorChip = Readonly<{
  name: string
  title: string
  topPx: number
  values: readonly Readonly<{ text: string; color: string }>[]
}>

/** Names of all indicators that a user can add. */
export const indicatorNames = (): readonly string[] =>
  getSupportedIndicators()
    .filter((name) => name !== PRICE_LINES && name !== VOLUMES)
    .sort()

/** Draws exactly these indicators; unknown names are ignored. */
export function drawIndicators({ chart }: KlineEngine, names: readonly string[]): void {
  const known = indicatorNames()
  const drawn = ownIndicators(chart.getIndicators()).map(({ name }) => name)
  for (const name of drawn)
    if (!names.includes(name)) chart.removeIndicator({ id: `${PREFIX}${name}` })
  for (const name of names)
    if (known.includes(name) && !drawn.includes(name)) {
      const paneId = OVER_CANDLES.has(name) ? PANE : `${PREFIX}pane-${name}`
      chart.createIndicator({ name, id: `${PREFIX}${name}`, paneId }, true)
    }
}

/** Returns the indicators with their values at a candle. */
export function chipsAt(engine: KlineEngine, index: number): readonly IndicatorChip[] {
  return ownIndicators(engine.chart.getIndicators()).map((indicator) => {
    const { name, shortName, calcParams, paneId } = indicator
    const title = calcParams.length === 0 ? shortName : `${shortName} ${calcParams.join(', ')}`
    const topPx = paneId === PANE ? 0 : engine.topOf(paneId)
    return { name, title, topPx, values: valuesAt(engine, indicator, index) }
  })
}

function valuesAt(engine: KlineEngine, { figures, result, precision }: Indicator, index: number) {
  const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: precision })
  const { lines } = engine.chart.getStyles().indicator
  const values: Readonly<Record<string, unknown>> = { ...(result[index] as object | undefined) }
  let line = 0
  return figures.map(({ key, type }) => {
    const value = values[key]
    const color = type === 'line' ? lines[line++ % lines.length]?.color : undefined
    return { text: typeof value === 'number' ? format.format(value) : '', color: color ?? '' }
  })
}

const ownIndicators = (all: readonly Indicator[]): readonly Indicator[] =>
  all.filter(({ id }) => id.startsWith(PREFIX))

// Options of the price chart. They are kept while another tab is shown, and between visits: in
// localStorage, which has each of them before a reload that follows at once.
import { createStore, unwrap } from 'solid-js/store'
import {
  CANDLE_TYPE_NAMES,
  type CandleTypeName,
  RESOLUTIONS,
  type Resolution,
  SCALE_NAMES,
  type ScaleName,
} from './chart-protocol.ts'

const KEY = 'openvenue.chart'
const INDICATORS_MAX = 12
const LINE_NAMES = ['mark', 'index'] as const

export type ChartOptions = Readonly<{
  resolution: Resolution
  type: CandleTypeName
  scale: ScaleName
  lines: readonly (typeof LINE_NAMES)[number][]
  /** Names of the library's indicators. */
  indicators: readonly string[]
  /** True once something was drawn: then drawings are read with the chart. */
  hasDrawings: boolean
}>

const DEFAULTS: ChartOptions = {
  ...{ resolution: '5', type: 'candles', scale: 'linear', lines: [], indicators: [] },
  hasDrawings: false,
}
const [options, setOptions] = createStore<ChartOptions>(read())

export const chartOptions = options

/** Changes options, and keeps them. */
export function setChartOptions(change: Partial<ChartOptions>): void {
  setOptions(change)
  try {
    localStorage.setItem(KEY, JSON.stringify(unwrap(options)))
  } catch {
    // The choice lasts until the page is left.
  }
}

// A browser may refuse storage: then the defaults apply.
function read(): ChartOptions {
  try {
    return validOptions(JSON.parse(localStorage.getItem(KEY) ?? '{}'))
  } catch {
    return validOptions(undefined)
  }
}

/** Returns the valid options of a record, and defaults for the others. */
function validOptions(record: unknown): ChartOptions {
  const kept = typeof record === 'object' && record !== null ? { ...record } : {}
  const {
    resolution,
    type,
    scale,
    lines,
    indicators,
    hasDrawings,
  }: Readonly<Record<string, unknown>> = kept
  const names = Array.isArray(indicators) ? indicators : []
  return {
    resolution: RESOLUTIONS.find((name) => name === resolution) ?? DEFAULTS.resolution,
    type: CANDLE_TYPE_NAMES.find((name) => name === type) ?? DEFAULTS.type,
    scale: SCALE_NAMES.find((name) => name === scale) ?? DEFAULTS.scale,
    lines: LINE_NAMES.filter((name) => Array.isArray(lines) && lines.includes(name)),
    indicators: names.filter((name) => typeof name === 'string').slice(0, INDICATORS_MAX),
    hasDrawings: hasDrawings === true,
  }
}

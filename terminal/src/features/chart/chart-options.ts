// Options of the price chart. They are kept while another tab is shown, and between visits.
import { createStore, unwrap } from 'solid-js/store'
import {
  CANDLE_TYPE_NAMES,
  type CandleTypeName,
  RESOLUTIONS,
  type Resolution,
  SCALE_NAMES,
  type ScaleName,
} from './chart-protocol.ts'
import { readKept, writeKept } from './chart-store.ts'

const NAME = 'options'
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
const [options, setOptions] = createStore<ChartOptions>({ ...DEFAULTS })
let isRead = false

export const chartOptions = options

/** Changes options, and keeps them. */
export function setChartOptions(change: Partial<ChartOptions>): void {
  setOptions(change)
  void writeKept(NAME, { ...unwrap(options) })
}

/** Reads the options of an earlier visit, once. */
export async function readOptions(): Promise<void> {
  if (isRead) return
  isRead = true
  setOptions(validOptions(await readKept(NAME)))
}

/** Returns the valid options of a record, and defaults for the others. */
export function validOptions(record: unknown): ChartOptions {
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

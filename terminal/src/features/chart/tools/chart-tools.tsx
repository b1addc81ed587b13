// Indicators and drawings of the chart, loaded when the first of them is used.
import { createEffect, createMemo, createSignal, Index, on, onCleanup, Show } from 'solid-js'
import type { CandleChart } from '../candle-chart.ts'
import { chartOptions, setChartOptions } from '../chart-options.ts'
import { readKept, writeKept } from '../chart-store.ts'
import { KlineDrawings, validDrawings } from '../kline/kline-drawings.ts'
import { chipsAt, drawIndicators, type IndicatorChip } from '../kline/kline-indicators.ts'
import { DrawingMenu } from './drawing-menu.tsx'
import { IndicatorMenu } from './indicator-menu.tsx'
import * as text from './text.ts'

export type ToolMenuName = 'indicators' | 'drawings'

type ToolsProps = Readonly<{
  chart: CandleChart
  market: string
  /** The open menu. */
  menu: ToolMenuName | undefined
  closeMenu: () => void
  /** Changes whenever values or panes do. */
  changes: unknown
}>

export function ChartTools(props: ToolsProps) {
  const [isSelected, setSelected] = createSignal(false)
  const [isDrawing, setDrawing] = createSignal(false)
  const drawings = new KlineDrawings(props.chart.engine, {
    changed: (all) => void writeKept(recordOf(props.market), all),
    selected: setSelected,
    ended: () => setDrawing(false),
  })
  props.chart.pause(() => drawings.isBusy)
  createEffect(() => drawIndicators(props.chart.engine, chartOptions.indicators))
  createEffect(
    on(
      () => props.market,
      async (market) => {
        const kept = validDrawings(await readKept(recordOf(market)))
        if (market === props.market) drawings.show(kept)
      },
    ),
  )
  listenToKeys(drawings, isSelected)
  return (
    <>
      <Chips chart={props.chart} changes={props.changes} />
      <div class="drawing-hints">
        <Show when={isDrawing()}>
          <p class="drawing-hint" role="status">
            {text.drawingHint}
          </p>
        </Show>
        <Show when={isSelected()}>
          <button type="button" class="drawing-hint" onClick={() => drawings.removeSelected()}>
            {text.removeDrawing}
          </button>
        </Show>
      </div>
      <Show when={props.menu === 'indicators'}>
        <IndicatorMenu close={props.closeMenu} />
      </Show>
      <Show when={props.menu === 'drawings'}>
        <DrawingMenu
          close={props.closeMenu}
          begin={(tool, note) => {
            drawings.begin(tool, note)
            setDrawing(true)
          }}
          removeAll={() => drawings.removeAll()}
        />
      </Show>
    </>
  )
}

const recordOf = (market: string) => `drawings ${market}`

/** Escape gives up a drawing, Delete removes the selected one. */
function listenToKeys(drawings: KlineDrawings, isSelected: () => boolean): void {
  const press = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) return
    if (event.key === 'Escape') drawings.cancel()
    else if (event.key === 'Delete' && isSelected()) drawings.removeSelected()
  }
  addEventListener('keydown', press)
  onCleanup(() => removeEventListener('keydown', press))
}

/** Names and values of indicators at the candle that is pointed at, or else at the last one. */
function Chips(props: Readonly<{ chart: CandleChart; changes: unknown }>) {
  const chips = createMemo(() => {
    // Read so that this runs again with each change.
    void props.changes
    void chartOptions.indicators.length
    return chipsAt(props.chart.engine, props.chart.pointedIndex)
  })
  const isOver = ({ topPx }: IndicatorChip) => topPx === 0
  return (
    <>
      <div class="chips chips-over">
        <Index each={chips().filter(isOver)}>{(chip) => <Chip chip={chip()} />}</Index>
      </div>
      <Index each={chips().filter((chip) => !isOver(chip))}>
        {(chip) => (
          <div class="chips" style={{ top: `${chip().topPx}px` }}>
            <Chip chip={chip()} />
          </div>
        )}
      </Index>
    </>
  )
}

function Chip(props: Readonly<{ chip: IndicatorChip }>) {
  const remove = () => {
    const { name } = props.chip
    setChartOptions({ indicators: chartOptions.indicators.filter((other) => other !== name) })
  }
  return (
    <span class="chip">
      {props.chip.title}
      <Index each={props.chip.values}>
        {(value) => <span style={{ color: value().color }}>{value().text}</span>}
      </Index>
      <button type="button" title={text.removeIndicator(props.chip.name)} onClick={remove}>
        <span aria-hidden="true">×</span>
        <span class="hidden">{text.removeIndicator(props.chip.name)}</span>
      </button>
    </span>
  )
}
